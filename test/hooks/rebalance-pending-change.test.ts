import assert from 'node:assert/strict';
import { err, ok } from '../../src/foundation/result.ts';
import type { RebalanceStatus } from '../../src/rebalance/status.ts';
import { conditionOf } from '../support/conditions.ts';
import { NOON, wireSpec } from '../support/rebalance.ts';
import { KEY, posted, rebalanceWorld, takeCalls, type RebalanceWorld } from '../support/rebalance-world.ts';

describe('a sync of a Rebalance follows a pending change', () => {
  async function pendingWorld(): Promise<RebalanceWorld> {
    const world = rebalanceWorld();
    world.change = ok({ id: 'C7', status: 'PENDING' });
    await world.settle();
    takeCalls(world);
    return world;
  }

  it('asks about it alone when it is 10 s old, and writes only change and TargetSynced', async () => {
    const world = await pendingWorld();
    const before = world.live?.status as RebalanceStatus;
    world.nowMs = NOON + 9_999;
    assert.equal((await world.settle()).resyncAfterSeconds, 1);
    assert.deepEqual(takeCalls(world), []);

    world.nowMs = NOON + 10_000;
    world.change = ok({ id: 'C7', status: 'INSYNC' });
    const { status, resyncAfterSeconds } = await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'change C7']);
    assert.equal(status.change?.status, 'INSYNC');
    assert.equal(conditionOf(status, 'TargetSynced').status, 'True');
    assert.equal(status.lastAttemptAt, before.lastAttemptAt);
    assert.equal(resyncAfterSeconds, 50);
  });

  it('asks about it in the same call before a load is judged, since the load answers to it', async () => {
    const world = await pendingWorld();
    const metrics = { prometheus: { address: 'http://prometheus:9090', query: 'load', window: '1m' } };
    world.live = {
      ...posted(wireSpec({ signal: 'load' }, { metrics }), world.live?.status),
      metadata: { ...KEY, uid: 'u-1', generation: 2 },
    };
    world.nowMs = NOON + 5_000;
    world.change = ok({ id: 'C7', status: 'INSYNC' });
    const { status } = await world.settle();
    assert.deepEqual(takeCalls(world).slice(0, 2), ['get', 'change C7']);
    assert.equal(status.change?.status, 'INSYNC');
  });

  it('asks again 10 s after it was last asked', async () => {
    const world = await pendingWorld();
    world.nowMs = NOON + 10_000;
    await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'change C7']);
    world.nowMs = NOON + 19_999;
    await world.settle();
    assert.deepEqual(takeCalls(world), []);
  });

  it('says when it cannot be asked', async () => {
    const world = await pendingWorld();
    world.nowMs = NOON + 10_000;
    world.change = err({ reason: 'AccessDenied', message: 'no route53:GetChange', outcomeUnknown: false });
    const { status } = await world.settle();
    assert.equal(conditionOf(status, 'TargetSynced').reason, 'AccessDenied');
  });

  it('asks nothing once suspended', async () => {
    const world = await pendingWorld();
    world.live = {
      metadata: { ...KEY, uid: 'u-1', generation: 2 },
      spec: wireSpec({}, { suspend: true }),
      status: world.live?.status,
    };
    await world.settle();
    assert.deepEqual(takeCalls(world), ['get']);
    world.nowMs = NOON + 30_000;
    const { resyncAfterSeconds } = await world.settle();
    assert.deepEqual(takeCalls(world), []);
    assert.equal(resyncAfterSeconds, 30);
  });
});
