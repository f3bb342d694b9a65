import assert from 'node:assert/strict';
import type { ResourceRecordSet } from '@aws-sdk/client-route-53';
import { startRelay, type Relay } from '../support/relay.ts';
import { startService, type Service } from '../support/service.ts';
import { weightedRecord } from '../support/weighted-record.ts';
import { conditionOf, rebalance, sync, type SyncAnswer } from './rebalance.ts';
import { theWorld } from './world.ts';
import { createZone, TEST_ENVIRONMENT, type Zone } from './zone.ts';

/** The record that is steered; moto deletes every record of the identifier, so that each has one of its own. */
const ROWS: Readonly<Record<string, ResourceRecordSet>> = {
  'an A record with several values, a TTL of its own and a health check': {
    ...weightedRecord('www.swap.example.', 'several', 5),
    TTL: 17,
    ResourceRecords: [{ Value: '192.0.2.7' }, { Value: '192.0.2.8' }],
    HealthCheckId: '11111111-2222-3333-4444-555555555555',
  },
  'an alias, which has no TTL': {
    Name: 'alias.swap.example.',
    Type: 'A',
    SetIdentifier: 'alias',
    Weight: 5,
    AliasTarget: {
      HostedZoneId: 'Z35SXDOTRQ7X7K',
      DNSName: 'lb.elb.us-east-1.amazonaws.com.',
      EvaluateTargetHealth: true,
    },
  },
  'a wildcard whose text has quotes': {
    ...weightedRecord('*.swap.example.', 'text', 5),
    Type: 'TXT',
    ResourceRecords: [{ Value: '"v=1; p=<$&>"' }],
  },
};

const RACED = weightedRecord('raced.swap.example.', 'raced', 5);

describe('A weight written by compare and swap', () => {
  let zone: Zone;
  let relay: Relay;
  /** Its way to the emulator leads over the relay. */
  let slow: Service;

  before(async () => {
    const { moto, exporter, prometheus, directory } = theWorld();
    zone = await createZone(moto.url, 'swap.example');
    for (const own of [...Object.values(ROWS), RACED])
      await zone.put(own, { ...own, SetIdentifier: `beside ${own.SetIdentifier ?? ''}`, Weight: 8 });
    exporter.show({ name: 'swap_load', value: '3000' });
    await prometheus.waitFor('swap_load', '3000');
    relay = await startRelay(moto.url);
    slow = await startService({
      directory,
      flags: ['--verify-parent=false', `--route53-endpoint=${relay.url}`, '--route53-list-window=0s'],
      env: TEST_ENVIRONMENT,
    });
  });
  after(() => Promise.all([slow.stop(), relay.stop()]));

  const steer = (own: ResourceRecordSet, service = theWorld().service): Promise<SyncAnswer> =>
    sync(
      service,
      rebalance({
        name: 'swap',
        targettracking: { baseValue: 8, targetValue: 1000 },
        prometheus: { address: theWorld().prometheus.url, query: 'swap_load' },
        zoneId: zone.id,
        record: { name: own.Name ?? '', type: own.Type ?? '', identifier: own.SetIdentifier ?? '' },
        write: 'CompareAndSwap',
      }),
    );

  /** What is created anew may be listed elsewhere within its set. */
  const byIdentifier = async (): Promise<ReadonlyMap<string | undefined, ResourceRecordSet>> =>
    new Map((await zone.records()).map((record) => [record.SetIdentifier, record]));

  for (const [name, own] of Object.entries(ROWS)) {
    it(`Given ${name}, When its weight is moved, Then every other field and every other record is as before`, async () => {
      const before = await byIdentifier();
      const { status } = await steer(own);
      assert.equal(status.actualValue, 16, JSON.stringify(status.conditions));
      const expected = [...before].map(
        ([id, record]) => [id, id === own.SetIdentifier ? { ...record, Weight: 16 } : record] as const,
      );
      assert.deepEqual(await byIdentifier(), new Map(expected));
    });
  }

  // The emulator holds no DELETE against what stands there, only a CREATE: this race alone can be lost to it.
  it('Given two services with the same write, When the second comes between the read and the write of the first, Then the first is refused and reads anew', async () => {
    const holding = relay.hold('half-asked', ({ body }) => body.includes('<Action>CREATE</Action>'));
    const first = steer(RACED, slow);
    const held = await holding;
    assert.equal((await steer(RACED)).status.actualValue, 16);
    const left = await byIdentifier();
    held.pass();
    const { status } = await first;
    assert.equal(conditionOf(status, 'TargetSynced').reason, 'ChangedMeanwhile');
    assert.deepEqual(await byIdentifier(), left);

    const { exporter, prometheus } = theWorld();
    exporter.show({ name: 'swap_load', value: '5000' });
    await prometheus.waitFor('swap_load', '5000');
    const again = await steer(RACED, slow);
    assert.equal(again.status.actualValue, 32, JSON.stringify(again.status.conditions));
    assert.equal(await zone.weightOf('raced'), 32);
  });
});
