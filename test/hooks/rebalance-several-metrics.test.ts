import assert from 'node:assert/strict';
import { err, ok } from '../../src/foundation/result.ts';
import { conditionOf } from '../support/conditions.ts';
import { MINUTE, wireSpec } from '../support/rebalance.ts';
import { posted, rebalanceWorld, takeCalls, value, type RebalanceWorld } from '../support/rebalance-world.ts';

describe('a sync of a Rebalance with several metrics and guards', () => {
  const query = (text: string) => ({ address: 'http://prometheus:9090', query: text });
  const wire = wireSpec(
    {},
    {
      additionalMetrics: [{ name: 'queue', targetValue: 100, prometheus: query('queue') }],
      guards: [{ name: 'errors', stops: 'Increase', prometheus: query('errors') }],
    },
  );
  /** The README example with a queue that asks for 32 and a guard that is open. */
  function severalWorld(): RebalanceWorld {
    const world = rebalanceWorld();
    world.live = posted(wire);
    world.readings = { queue: value('500'), errors: value('0.01') };
    return world;
  }

  it('asks every query once and follows the metric that asks for the most', async () => {
    const world = severalWorld();
    const { status } = await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'metric', 'metric', 'set', 'write 32']);
    assert.equal(status.decision?.metric, 'queue');
    assert.equal(status.metric?.value, '3000');
    assert.deepEqual(
      [status.metrics, status.guards].map((values) => values?.map(({ name, value: text }) => [name, text])),
      [[['queue', '500']], [['errors', '0.01']]],
    );
  });

  it('writes nothing while a guard is closed or cannot be read, and says which', async () => {
    const world = severalWorld();
    for (const reading of [
      value('0'),
      ok({ kind: 'NoData', reason: 'NotANumber', message: 'NaN' } as const),
    ]) {
      world.readings = { ...world.readings, errors: reading };
      const { status } = await world.settle();
      assert.ok(!takeCalls(world).some((call) => call.startsWith('write')));
      assert.equal(conditionOf(status, 'Ready').reason, 'GuardStopped');
      assert.match(conditionOf(status, 'GuardsPassed').message, /^guard "errors"/);
      world.nowMs += MINUTE;
    }
  });

  it('lets the weight rise without one metric, and fall only when it is back', async () => {
    const world = severalWorld();
    await world.settle();
    const failure = {
      reason: 'QueryRejected',
      message: 'spec.additionalMetrics[0].prometheus.query: no',
    } as const;
    world.readings = { queue: err(failure), errors: value('1') };
    takeCalls(world);
    world.nowMs += MINUTE;
    const { status } = await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'metric', 'metric', 'set']);
    assert.equal(status.condition, 'Error');
    assert.match(
      conditionOf(status, 'Ready').message,
      /^metric "queue": spec\.additionalMetrics\[0\]\.prometheus\.query: no; .* the policy stays at 32$/,
    );
    world.readings = { queue: value('100'), errors: value('1') };
    world.nowMs += MINUTE;
    await world.settle();
    assert.ok(takeCalls(world).includes('write 16'));
  });
});
