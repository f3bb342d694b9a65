import assert from 'node:assert/strict';
import { weightedRecord } from '../support/weighted-record.ts';
import { conditionOf, rebalance, sync, type SyncAnswer } from './rebalance.ts';
import { theWorld } from './world.ts';
import { createZone, roleOf, sessionIn, type Zone } from './zone.ts';

const NAME = 'www.accounts.example.';

describe('One service writes in several AWS accounts at once', () => {
  const accounts = ['111111111111', '222222222222'];
  let zones: readonly Zone[];

  before(async () => {
    const { exporter, prometheus, moto } = theWorld();
    zones = await Promise.all(
      accounts.map(async (account) =>
        createZone(moto.url, 'accounts.example', await sessionIn(moto.url, account)),
      ),
    );
    for (const zone of zones)
      await zone.put(weightedRecord(NAME, 'own', 1), weightedRecord(NAME, 'onprem', 8));
    exporter.show({ name: 'accounts_load', value: '3000' });
    await prometheus.waitFor('accounts_load', '3000');
  });

  const syncIn = (zone: Zone | undefined, awsAuth?: Readonly<Record<string, unknown>>): Promise<SyncAnswer> =>
    sync(
      theWorld().service,
      rebalance({
        name: 'accounts',
        targettracking: { baseValue: 8, targetValue: 1000 },
        prometheus: { address: theWorld().prometheus.url, query: 'accounts_load' },
        zoneId: zone?.id ?? '',
        record: { name: NAME, type: 'A', identifier: 'own' },
        ...(awsAuth === undefined ? {} : { awsAuth }),
      }),
    );

  it('Given zones of two accounts, When each object assumes the role of its account, Then both weights are written', async () => {
    const answers = await Promise.all(
      zones.map((zone, index) => syncIn(zone, { assumeRole: { roleARN: roleOf(accounts[index] ?? '') } })),
    );
    for (const { status } of answers) assert.equal(status.actualValue, 16, JSON.stringify(status.conditions));
    for (const zone of zones) assert.equal(await zone.weightOf('own'), 16);
  });

  it("Given a zone of another account, When the object assumes no role, Then it is not found by the pod's own credentials", async () => {
    const { status } = await syncIn(zones[0]);
    assert.equal(conditionOf(status, 'TargetSynced').reason, 'HostedZoneNotFound');
  });
});
