import assert from 'node:assert/strict';
import type { RebalanceStatus } from '../../src/rebalance/status.ts';
import { MINUTE, severalTarget, wireSpec } from '../support/rebalance.ts';
import { posted, rebalanceWorld, takeCalls, value } from '../support/rebalance-world.ts';

describe('a sync of a Rebalance writes several records at once', () => {
  const severalWorld = (...weights: readonly number[]) => {
    const world = rebalanceWorld();
    world.live = posted(wireSpec({}, { target: severalTarget([3, 1]) }));
    return Object.assign(world, { weights, owned: 2 });
  };
  const partsOf = ({ resources = [] }: RebalanceStatus) => resources.map((each) => each.actualValue);

  it('by their shares, and nothing once they have their parts', async () => {
    const world = severalWorld(1, 0, 8);
    const { status } = await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'set', 'write 12 4']);
    assert.deepEqual([status.actualValue, partsOf(status)], [16, [12, 4]]);
    world.nowMs += MINUTE;
    await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'set']);
    assert.deepEqual(world.weights, [12, 4, 8]);
  });

  it('of which only one differs: that one', async () => {
    const world = severalWorld(12, 9, 8);
    const { status } = await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'set', 'write 4']);
    assert.deepEqual(partsOf(status), [12, 4]);
  });

  it('to 0, and rescues the set by the record that has most of it', async () => {
    const world = severalWorld(1, 1, 8);
    world.reading = value('0');
    world.afterWrite = () => (world.weights = [...world.weights.slice(0, 2), 0]);
    const { status } = await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'set', 'write 0 0', 'set', 'write 1']);
    assert.deepEqual(world.weights, [1, 0, 0]);
    assert.deepEqual([status.actualValue, status.desiredValue, partsOf(status)], [1, 0, [1, 0]]);
  });

  it('to 0, while somebody gives one of them a weight: that stands until the next evaluation', async () => {
    const world = severalWorld(1, 1, 8);
    world.reading = value('0');
    world.afterWrite = () => (world.weights = [0, 3, 0]);
    const { status } = await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'set', 'write 0 0', 'set']);
    assert.deepEqual([status.actualValue, world.weights], [0, [0, 3, 0]]);
  });
});
