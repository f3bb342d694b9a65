import assert from 'node:assert/strict';
import { MINUTE, wireSpec } from '../support/rebalance.ts';
import {
  KEY,
  posted,
  rebalanceWorld,
  value,
  type Answer,
  type RebalanceWorld,
} from '../support/rebalance-world.ts';

/** The README example once it has written 16, and an interval later. */
async function settledWorld(
  spec: unknown = wireSpec(),
  ...flags: readonly string[]
): Promise<RebalanceWorld> {
  const world = rebalanceWorld(...flags);
  world.live = posted(spec);
  await world.settle();
  world.nowMs += MINUTE;
  forget(world);
  return world;
}

function forget({ calls, events }: RebalanceWorld): void {
  calls.length = 0;
  events.length = 0;
}

/** One evaluation; before it, somebody else may give our record another weight. */
async function evaluate(world: RebalanceWorld, edited?: number): Promise<Answer> {
  if (edited !== undefined) world.weights = [edited, 8];
  const answer = await world.settle();
  world.nowMs += MINUTE;
  return answer;
}

function writesOf({ calls }: RebalanceWorld): readonly string[] {
  return calls.filter((call) => call.startsWith('write'));
}

function told({ events }: RebalanceWorld): readonly string[] {
  return events.map(({ type, reason }) => `${type} ${reason}`);
}

function readyOf({ status }: Answer): readonly unknown[] {
  const [ready] = status.conditions ?? [];
  return [status.condition, ready?.type, ready?.status, ready?.reason];
}

/** Edit, left alone, edit, left alone, edit: the third comes well within ten evaluations. */
async function contestedWorld(): Promise<{ readonly world: RebalanceWorld; readonly last: Answer }> {
  const world = await settledWorld();
  for (const edited of [5, undefined, 6, undefined]) await evaluate(world, edited);
  return { world, last: await evaluate(world, 7) };
}

describe('a Rebalance whose weight others change', () => {
  it('tells each edit once, and puts the first two right', async () => {
    const world = await settledWorld();
    await evaluate(world, 5);
    assert.deepEqual(told(world), ['Warning WeightEdited', 'Normal WeightChanged']);
    assert.equal(
      world.events[0]?.message,
      'DNS held weight 5 where we had left 16: somebody else changed it',
    );
    await evaluate(world);
    assert.equal(world.events.length, 2);
    await evaluate(world, 6);
    assert.deepEqual(told(world).slice(2), ['Warning WeightEdited', 'Normal WeightChanged']);
    assert.deepEqual(writesOf(world), ['write 16', 'write 16']);
  });

  it('writes nothing after the third edit within ten evaluations, and says so', async () => {
    const { world, last } = await contestedWorld();
    assert.deepEqual(readyOf(last), ['Error', 'Ready', 'False', 'Contested']);
    assert.equal(
      last.status.conditions?.[0]?.message,
      'others changed our weight three times in ten evaluations: somebody else steers it too, so nothing is written; stop one of the two, then edit the spec to go on',
    );
    assert.deepEqual([last.status.actualValue, last.status.desiredValue], [7, 16]);
    assert.deepEqual(told(world).slice(4), ['Warning WeightEdited', 'Warning Contested']);
    assert.equal(writesOf(world).length, 2);
  });

  it('stays silent and out of the way from then on, whatever others and the metric do', async () => {
    const { world } = await contestedWorld();
    forget(world);
    for (const edited of [9, undefined, 200, undefined, 16, ...Array<undefined>(12), 3]) {
      world.reading = value(edited === 200 ? '9000' : '3000');
      assert.equal(readyOf(await evaluate(world, edited))[3], 'Contested');
    }
    assert.deepEqual([writesOf(world), told(world)], [[], []]);
  });

  it('starts anew once the spec is edited, with no edit held against the others', async () => {
    const { world } = await contestedWorld();
    forget(world);
    world.live = {
      ...posted(wireSpec({ maximum: 100 }), world.live?.status),
      metadata: { ...KEY, uid: 'u-1', generation: 2 },
    };
    assert.deepEqual(readyOf(await evaluate(world)), ['Healthy', 'Ready', 'True', 'Tracking']);
    assert.deepEqual(told(world), ['Normal WeightChanged', 'Normal Recovered']);
    await evaluate(world, 5);
    await evaluate(world, 5);
    assert.deepEqual(writesOf(world), ['write 16', 'write 16', 'write 16']);
    assert.equal(readyOf(await evaluate(world, 5))[3], 'Contested');
  });

  for (const [what, spec, flags] of [
    ['dryRun', wireSpec({}, { dryRun: true }), []],
    ['--observe-only', wireSpec(), ['--observe-only']],
  ] as const) {
    it(`leaves the weight to them under ${what}: no edit is one`, async () => {
      const world = await settledWorld(spec, ...flags);
      for (const edited of [5, 6, 7, 9]) await evaluate(world, edited);
      const { status } = await evaluate(world);
      assert.deepEqual([status.condition, status.contest, status.actualValue], ['Healthy', undefined, 9]);
      assert.deepEqual([writesOf(world), told(world)], [[], []]);
    });
  }
});
