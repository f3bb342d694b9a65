import assert from 'node:assert/strict';
import type { ResourceRecordSet } from '@aws-sdk/client-route-53';
import { weightedRecord } from '../support/weighted-record.ts';
import { conditionOf, rebalance, sync, type RebalanceParts, type SyncAnswer } from './rebalance.ts';
import { theWorld } from './world.ts';
import { createZone, type Zone } from './zone.ts';

const NAME = 'www.records.example.';

/** One set per row; `own` is the record that is steered. */
const ROWS: readonly {
  readonly name: string;
  readonly own: ResourceRecordSet;
  readonly beside: readonly ResourceRecordSet[];
}[] = [
  {
    name: 'an A record with several values and a TTL of its own',
    own: {
      ...weightedRecord(NAME, 'own', 5),
      TTL: 17,
      ResourceRecords: [{ Value: '192.0.2.7' }, { Value: '192.0.2.8' }],
    },
    beside: [],
  },
  {
    name: 'a record with a TTL of 0',
    own: { ...weightedRecord('zero.records.example.', 'own', 5), TTL: 0 },
    beside: [],
  },
  {
    name: 'a record with a health check',
    own: {
      ...weightedRecord('checked.records.example.', 'own', 5),
      HealthCheckId: '11111111-2222-3333-4444-555555555555',
    },
    beside: [],
  },
  {
    name: 'an alias, which has no TTL',
    own: {
      Name: 'alias.records.example.',
      Type: 'A',
      SetIdentifier: 'own',
      Weight: 5,
      AliasTarget: {
        HostedZoneId: 'Z35SXDOTRQ7X7K',
        DNSName: 'lb.elb.us-east-1.amazonaws.com.',
        EvaluateTargetHealth: true,
      },
    },
    beside: [],
  },
  {
    name: 'a wildcard',
    own: weightedRecord('*.records.example.', 'own', 5),
    beside: [],
  },
  {
    name: 'a CNAME',
    own: {
      ...weightedRecord('cname.records.example.', 'own', 5),
      Type: 'CNAME',
      ResourceRecords: [{ Value: 'site.example.' }],
    },
    beside: [],
  },
  {
    name: 'an A record beside TXT and AAAA records of its name, one with its identifier',
    own: weightedRecord('busy.records.example.', 'own', 5),
    beside: [
      { Name: 'busy.records.example.', Type: 'TXT', TTL: 60, ResourceRecords: [{ Value: '"hello"' }] },
      {
        ...weightedRecord('busy.records.example.', 'own', 9),
        Type: 'AAAA',
        ResourceRecords: [{ Value: '2001:db8::1' }],
      },
    ],
  },
];

describe('A write changes one Weight and nothing else', () => {
  let zone: Zone;
  before(async () => {
    const { moto, exporter, prometheus } = theWorld();
    zone = await createZone(moto.url, 'records.example');
    for (const { own, beside } of ROWS) {
      await zone.put(own, { ...own, SetIdentifier: 'reference', Weight: 8 }, ...beside);
    }
    exporter.show({ name: 'records_load', value: '3000' });
    await prometheus.waitFor('records_load', '3000');
  });

  const steer = (own: ResourceRecordSet, targetName = own.Name ?? ''): Promise<SyncAnswer> =>
    sync(
      theWorld().service,
      rebalance({
        name: 'records',
        targettracking: { baseValue: 8, targetValue: 1000 },
        prometheus: { address: theWorld().prometheus.url, query: 'records_load' },
        zoneId: zone.id,
        record: { name: targetName, type: own.Type ?? '', identifier: 'own' },
      }),
    );

  for (const { name, own } of ROWS) {
    it(`Given ${name}, When its weight is moved, Then every other field and every other record is as before`, async () => {
      const before = await zone.records();
      const { status } = await steer(own);
      assert.equal(status.actualValue, 16, status.decision?.because);
      const expected = before.map((record) =>
        record.Name === own.Name && record.Type === own.Type && record.SetIdentifier === 'own'
          ? { ...record, Weight: 16 }
          : record,
      );
      assert.deepEqual(await zone.records(), expected);
    });
  }

  describe('Given one weight over two records of a set', () => {
    const name = 'several.records.example.';
    const alias = { HostedZoneId: 'Z35SXDOTRQ7X7K', DNSName: 'lb.example.net.', EvaluateTargetHealth: true };
    const several = (resources: NonNullable<RebalanceParts['resources']>): Promise<SyncAnswer> =>
      sync(
        theWorld().service,
        rebalance({
          name: 'several',
          targettracking: { targetValue: 1000 },
          prometheus: { address: theWorld().prometheus.url, query: 'records_load' },
          zoneId: zone.id,
          record: { name, type: 'A' },
          resources,
        }),
      );
    const withWeights = (records: readonly ResourceRecordSet[], weights: Readonly<Record<string, number>>) =>
      records.map((record) => {
        const moved = record.Name === name ? weights[record.SetIdentifier ?? ''] : undefined;
        return moved === undefined ? record : { ...record, Weight: moved };
      });
    before(() =>
      zone.put(
        { Name: name, Type: 'A', SetIdentifier: 'blue', Weight: 1, AliasTarget: alias },
        { ...weightedRecord(name, 'green', 0), TTL: 17, ResourceRecords: [{ Value: '192.0.2.7' }] },
        { ...weightedRecord(name, 'reference', 8), TTL: 17 },
      ),
    );

    it('When it is moved, Then each has its share of it and all else is as before', async () => {
      const earlier = await zone.records();
      const { status } = await several([{ identifier: 'blue', share: 3 }, { identifier: 'green' }]);
      assert.deepEqual(
        [status.actualValue, status.resources?.map(({ actualValue }) => actualValue)],
        [16, [12, 4]],
        status.decision?.because,
      );
      assert.deepEqual(await zone.records(), withWeights(earlier, { blue: 12, green: 4 }));
    });

    it('When only the shares are edited, Then the same weight is split anew', async () => {
      const earlier = await zone.records();
      const { status } = await several([{ identifier: 'blue' }, { identifier: 'green' }]);
      assert.equal(status.actualValue, 16, status.decision?.because);
      assert.deepEqual(await zone.records(), withWeights(earlier, { blue: 8, green: 8 }));
    });

    it('When one of them is missing, Then it is named and nothing is written', async () => {
      const earlier = await zone.records();
      const { status } = await several([{ identifier: 'blue' }, { identifier: 'red' }]);
      assert.match(
        conditionOf(status, 'TargetSynced').message,
        /with identifier "red": it has "blue", "green"/,
      );
      assert.deepEqual(await zone.records(), earlier);
    });
  });

  it('Given a name with capitals and no trailing dot, When synced again, Then it is the same record and nothing is written', async () => {
    const before = await zone.records();
    const { status } = await steer(weightedRecord(NAME, 'own', 16), 'WWW.Records.Example');
    assert.equal(status.actualValue, 16);
    assert.deepEqual(await zone.records(), before);
  });
});
