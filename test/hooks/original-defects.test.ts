import assert from 'node:assert/strict';
import { ok } from '../../src/foundation/result.ts';
import { conditionOf } from '../support/conditions.ts';
import { MINUTE, NOON, UNREACHABLE, wireSpec } from '../support/rebalance.ts';
import { KEY, posted, rebalanceWorld, value, type RebalanceWorld } from '../support/rebalance-world.ts';

/** The value of one series of our object in an exposition; undefined where there is none. */
function sampleOf(exposition: string, metric: string): number | undefined {
  const line = new RegExp(`^${metric}\\{name="example",namespace="default"\\} (\\S+)$`, 'm').exec(exposition);
  return line === null ? undefined : Number(line[1]);
}

function countOf(world: RebalanceWorld, call: string): number {
  return world.calls.filter((made) => made === call).length;
}

/** What the Go operator does wrong around a reconcile, each with its wrong result as seen on the running operator. */
describe('of the original', () => {
  it('s9: a failure is said in the status and as an Event (there: condition stays "Healty" or "", no event)', async () => {
    const world = rebalanceWorld();
    await world.settle();
    world.events.length = 0;
    world.nowMs += MINUTE;
    world.setFailure = UNREACHABLE;
    const { status } = await world.settle();
    assert.equal(status.condition, 'Error');
    assert.deepEqual(
      world.events.map(({ type, reason }) => [type, reason]),
      [['Warning', 'TargetUnreachable']],
    );
  });

  it('s9: after an outage of 46 s at an interval of 10 s the weight moves within 10 s (there: 37 s more)', async () => {
    const world = rebalanceWorld();
    world.live = posted(wireSpec({}, { interval: '10s' }));
    world.setFailure = UNREACHABLE;
    let movedMs: number | undefined;
    for (let elapsedMs = 0; movedMs === undefined && elapsedMs < 120_000;) {
      if (elapsedMs >= 46_000) world.setFailure = undefined;
      const { status, resyncAfterSeconds = 0 } = await world.settle();
      if (status.actualValue === 16) movedMs = elapsedMs;
      elapsedMs += resyncAfterSeconds * 1000;
      world.nowMs = NOON + elapsedMs;
    }
    assert.equal(movedMs, 50_000);
  });

  it('s10: what is exported is what this evaluation left (there: the values before it, 1 and 0)', async () => {
    const world = rebalanceWorld();
    await world.settle();
    const exposition = await world.scrape();
    assert.equal(sampleOf(exposition, 'rebalancer_actual'), 16);
    assert.equal(sampleOf(exposition, 'rebalancer_desired'), 16);
  });

  it('s11: the series of a deleted object go with it (there: they stay for ever)', async () => {
    const world = rebalanceWorld();
    await world.settle();
    assert.match(await world.scrape(), /namespace="default"/);
    world.live = undefined;
    await world.sync(posted());
    assert.doesNotMatch(await world.scrape(), /namespace="default"/);
  });

  it('s11: also when nobody ever syncs it again: after three intervals a scrape has them no more', async () => {
    const world = rebalanceWorld();
    await world.settle();
    world.nowMs += 3 * MINUTE + 1;
    assert.doesNotMatch(await world.scrape(), /namespace="default"/);
  });

  it('s11: a sync that does nothing republishes them from the status, as after a restart', async () => {
    const before = rebalanceWorld();
    await before.settle();
    const restarted = rebalanceWorld();
    restarted.live = before.live;
    await restarted.sync();
    assert.deepEqual(restarted.calls, []);
    const exposition = await restarted.scrape();
    assert.equal(sampleOf(exposition, 'rebalancer_actual'), 16);
    assert.equal(sampleOf(exposition, 'counterpoise_rebalance_expected_load_ratio'), 1);
  });

  it('s12: a dry run is no ill health (there: rebalancer_healthy 0)', async () => {
    const world = rebalanceWorld();
    world.live = posted(wireSpec({}, { dryRun: true }));
    const { status } = await world.settle();
    assert.equal(status.condition, 'Healthy');
    assert.equal(sampleOf(await world.scrape(), 'rebalancer_healthy'), 1);
  });

  it('s13: an accepted change is not yet DNS (there: "Healty" at once, never looked at again)', async () => {
    const world = rebalanceWorld();
    world.change = ok({ id: 'C1', status: 'PENDING' });
    const { status } = await world.settle();
    assert.equal(conditionOf(status, 'TargetSynced').reason, 'ChangePending');
    world.nowMs += 10_000;
    world.change = ok({ id: 'C1', status: 'INSYNC' });
    assert.equal(conditionOf((await world.settle()).status, 'TargetSynced').reason, 'InSync');
  });

  it('s13: a burst of 200 events costs no Route 53 call (there: 94 to 170 a second)', async () => {
    const world = rebalanceWorld();
    await world.settle();
    world.calls.length = 0;
    for (let event = 0; event < 200; event += 1) await world.sync();
    assert.deepEqual(world.calls, []);
  });

  it('s16: a bad object is a condition (there: "9" as a startTime crashes the process, after each restart again)', async () => {
    const world = rebalanceWorld();
    world.live = posted(wireSpec({ scheduled: [{ startTime: '9', endTime: '10:00', value: 5 }] }));
    const bad = await world.settle();
    assert.deepEqual([bad.code, conditionOf(bad.status, 'SpecValid').reason], [200, 'InvalidField']);
    world.live = { ...posted(), metadata: { ...KEY, uid: 'u-1', generation: 2 } };
    assert.equal((await world.settle()).status.actualValue, 16, 'the same process goes on');
  });

  it('s18: a steady reconcile lists once (there: twice), and once when the weight moves (there: three times)', async () => {
    const world = rebalanceWorld();
    await world.settle();
    assert.equal(countOf(world, 'set'), 1);
    world.nowMs += MINUTE;
    await world.settle();
    assert.equal(countOf(world, 'set'), 2);
    world.nowMs += MINUTE;
    world.reading = value('2000');
    await world.settle();
    assert.equal(countOf(world, 'set'), 3);
    assert.deepEqual(world.weights, [8, 8]);
  });

  it('s19: a Secret is read by its name when it is needed, and at no other time (there: all of the cluster, cached)', async () => {
    const world = rebalanceWorld();
    const key = (name: string): object => ({ name: 'aws', key: name });
    world.live = posted(wireSpec());
    await world.settle();
    assert.ok(!world.calls.some((call) => call.startsWith('secret')));
    world.calls.length = 0;
    world.live = {
      metadata: { ...KEY, uid: 'u-1', generation: 2 },
      spec: wireSpec(
        {},
        {
          metrics: {
            prometheus: {
              address: 'http://prometheus:9090',
              query: 'scalar(load)',
              auth: { secretRef: { userSecretRef: key('user'), passwordSecretRef: key('password') } },
            },
          },
        },
      ),
    };
    world.secrets = { 'default/aws': { user: 'u', password: 'p' }, 'default/other': { user: 'x' } };
    await world.settle();
    assert.deepEqual(
      world.calls.filter((call) => call.startsWith('secret')),
      ['secret default/aws'],
    );
  });
});
