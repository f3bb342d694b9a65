import assert from 'node:assert/strict';
import { conditionOf } from '../support/conditions.ts';
import { MINUTE, UNREACHABLE, wireSpec } from '../support/rebalance.ts';
import { posted, rebalanceWorld, settledWorld, takeCalls, value } from '../support/rebalance-world.ts';

describe('a sync of a Rebalance writes', () => {
  it('nothing when DNS already holds the weight', async () => {
    const world = rebalanceWorld();
    world.weights = [16, 8];
    await world.sync();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'set']);
  });

  it('nothing on what another sync read, if that needs no change', async () => {
    const world = rebalanceWorld();
    world.sharedWeights = [16, 8];
    await world.sync();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'shared set']);
  });

  it('only what it decides on a reading of its own', async () => {
    const world = rebalanceWorld();
    world.sharedWeights = [1, 8];
    await world.sync();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'shared set', 'set', 'write 16']);
  });

  it('nothing where a reading of its own shows that nothing is to be done any more', async () => {
    const world = rebalanceWorld();
    world.sharedWeights = [1, 8];
    world.weights = [16, 8];
    const { status } = await world.sync();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'shared set', 'set']);
    assert.equal(status.actualValue, 16);
  });

  it('at the longer interval that the budget of Route 53 leaves, and says so', async () => {
    const world = rebalanceWorld();
    world.shortestIntervalMs = 300_000;
    const { status, resyncAfterSeconds } = await world.settle();
    assert.equal(resyncAfterSeconds, 300);
    assert.equal(conditionOf(status, 'IntervalRaised').reason, 'Route53Budget');
    world.nowMs += 299_000;
    const early = await world.settle();
    assert.equal(early.resyncAfterSeconds, 1);
  });

  it('0 and looks again: another record went to 0 meanwhile, so 1 is written', async () => {
    const world = rebalanceWorld();
    world.reading = value('0');
    world.afterWrite = () => (world.weights = [world.weights[0] ?? 0, 0]);
    const { status } = await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'set', 'write 0', 'set', 'write 1']);
    assert.equal(status.actualValue, 1);
    assert.deepEqual(world.weights, [1, 0]);
  });

  it('0 and looks again: the others carry the set, so 0 stays', async () => {
    const world = rebalanceWorld();
    world.reading = value('0');
    const { status } = await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'set', 'write 0', 'set']);
    assert.equal(status.actualValue, 0);
  });

  it('0 and cannot look again, or cannot write 1: says so', async () => {
    const blind = rebalanceWorld();
    blind.reading = value('0');
    blind.afterWrite = () => (blind.setFailure = UNREACHABLE);
    assert.equal(conditionOf((await blind.settle()).status, 'Ready').reason, 'TargetUnreachable');

    const bound = rebalanceWorld();
    bound.reading = value('0');
    bound.afterWrite = () => {
      bound.weights = [0, 0];
      bound.writeFailure = UNREACHABLE;
    };
    const { status } = await bound.settle();
    assert.deepEqual(takeCalls(bound), ['get', 'metric', 'set', 'write 0', 'set', 'write 1']);
    assert.deepEqual([conditionOf(status, 'Ready').reason, status.actualValue], ['TargetUnreachable', 0]);
  });

  it('a refused write leaves the weight read, and is tried again at most a minute later', async () => {
    const world = rebalanceWorld();
    world.live = posted(wireSpec({}, { interval: '1h' }));
    world.writeFailure = { reason: 'Throttled', message: 'Rate exceeded', outcomeUnknown: false };
    const { status, resyncAfterSeconds } = await world.settle();
    assert.deepEqual([status.condition, status.actualValue, status.desiredValue], ['Error', 1, 16]);
    assert.equal(resyncAfterSeconds, 60);
  });

  it('a record that a shared list does not have is looked for once more, in a list of its own', async () => {
    for (const reason of ['RecordNotFound', 'RecordNotWeighted'] as const) {
      const world = rebalanceWorld();
      world.sharedFailure = { reason, message: 'not there a moment ago', outcomeUnknown: false };
      const { status } = await world.settle();
      assert.deepEqual(takeCalls(world), ['get', 'metric', 'set', 'set', 'write 16']);
      assert.equal(status.actualValue, 16);
    }
  });

  it('another failure of a shared list is one, and nothing more is asked', async () => {
    const world = rebalanceWorld();
    world.sharedFailure = UNREACHABLE;
    const { status } = await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'set']);
    assert.equal(status.condition, 'Error');
  });

  it('nothing is decided when the set cannot be read', async () => {
    const world = await settledWorld();
    world.nowMs += MINUTE;
    world.setFailure = UNREACHABLE;
    const { status } = await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'set']);
    assert.deepEqual([status.condition, status.desiredValue], ['Error', 16]);
  });
});
