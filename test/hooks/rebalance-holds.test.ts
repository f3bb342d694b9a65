import assert from 'node:assert/strict';
import { conditionOf } from '../support/conditions.ts';
import { wireSpec } from '../support/rebalance.ts';
import { KEY, posted, rebalanceWorld, settledWorld, takeCalls } from '../support/rebalance-world.ts';

describe('a sync of a Rebalance holds', () => {
  it('a bad spec: nothing asked, the field named, the attempt counted, tried again after a minute', async () => {
    const world = rebalanceWorld();
    world.live = posted(wireSpec({ targetValue: -1 }));
    const { code, status, resyncAfterSeconds } = await world.settle();
    assert.equal(code, 200);
    assert.deepEqual(takeCalls(world), ['get']);
    const valid = conditionOf(status, 'SpecValid');
    assert.equal(valid.status, 'False');
    assert.match(valid.message, /^spec\.policy\.targettracking\.targetValue: /);
    assert.equal(status.lastAttemptAt, '2026-03-04T12:00:00Z');
    assert.equal(resyncAfterSeconds, 60);
    assert.deepEqual(
      world.events.map(({ type, reason }) => [type, reason]),
      [['Warning', 'InvalidField']],
    );
  });

  it('whatever a spec is, one minute is its interval and no neighbour is disturbed', async () => {
    for (const spec of [
      undefined,
      null,
      'x',
      [],
      {},
      { interval: {} },
      { policy: { targettracking: null } },
    ]) {
      const world = rebalanceWorld();
      world.live = { ...posted(), spec };
      const { code, resyncAfterSeconds } = await world.settle();
      assert.deepEqual([code, resyncAfterSeconds], [200, 60]);
      assert.deepEqual(takeCalls(world), ['get']);
    }
  });

  it('whatever a status is, it never makes a body refused', async () => {
    for (const status of [
      null,
      'x',
      [],
      7,
      { decision: 'x', change: [], conditions: {}, lastAttemptAt: 'x' },
    ]) {
      const world = rebalanceWorld();
      world.live = posted(wireSpec(), status);
      assert.equal((await world.sync()).status.actualValue, 16);
    }
  });

  it('suspend: neither Prometheus nor Route 53, last values kept', async () => {
    const world = await settledWorld();
    world.live = {
      metadata: { ...KEY, uid: 'u-1', generation: 2 },
      spec: wireSpec({}, { suspend: true }),
      status: world.live?.status,
    };
    const { status } = await world.settle();
    assert.deepEqual(takeCalls(world), ['get']);
    assert.equal(conditionOf(status, 'Ready').reason, 'Suspended');
    assert.deepEqual([status.actualValue, status.decision?.generation], [16, 2]);
  });

  for (const [name, world] of [
    ['dryRun', () => Object.assign(rebalanceWorld(), { live: posted(wireSpec({}, { dryRun: true })) })],
    ['--observe-only', () => rebalanceWorld('--observe-only')],
  ] as const) {
    it(`${name}: everything but the write`, async () => {
      const dry = world();
      const { status } = await dry.settle();
      assert.deepEqual(takeCalls(dry), ['get', 'metric', 'set']);
      assert.deepEqual([status.actualValue, status.desiredValue], [1, 16]);
      assert.deepEqual(dry.weights, [1, 8]);
    });
  }
});
