import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createTurns,
  nextTurnMs,
  type Rank,
  type Turns,
} from '../../../src/rebalance/targets/route53-turns.ts';
import { peakPerSecond } from '../../support/route53-virtual.ts';
import { createVirtualTime, type VirtualTime } from '../../support/virtual-clock.ts';

describe('the next turn', () => {
  const rows: readonly {
    readonly name: string;
    readonly startedMs: readonly number[];
    readonly at: number;
  }[] = [
    { name: 'is now, where nothing was started', startedMs: [], at: 5_000 },
    { name: 'is now, while the second has room', startedMs: [4_500, 4_900], at: 5_000 },
    { name: 'is a second after the oldest of a full one', startedMs: [4_200, 4_500, 4_900], at: 5_200 },
    { name: 'is now, a full second after the oldest', startedMs: [4_000, 4_500, 4_900], at: 5_000 },
    { name: 'looks at the last three alone', startedMs: [4_001, 4_100, 4_500, 4_900], at: 5_100 },
  ];
  for (const { name, startedMs, at } of rows) {
    it(name, () => assert.equal(nextTurnMs(startedMs, 3, 5_000), at));
  }

  it('is always now without a limit', () => {
    assert.equal(nextTurnMs([4_999, 4_999, 4_999], Infinity, 5_000), 5_000);
  });
});

describe('the line for requests', () => {
  let time: VirtualTime;
  let turns: Turns;
  let started: { readonly id: string; readonly atMs: number }[];
  let waitedMs: number[];
  let zeroMs: number;

  beforeEach(() => {
    time = createVirtualTime();
    zeroMs = time.nowMs();
    started = [];
    waitedMs = [];
    turns = createTurns({ timer: time, ratePerSecond: 3, onTurn: (ms) => waitedMs.push(ms) });
  });

  function take(id: string, rank: Rank = 'Next', isWanted = true): () => void {
    const start = (): boolean => {
      if (isWanted) started.push({ id, atMs: time.nowMs() - zeroMs });
      return isWanted;
    };
    return turns.take({ rank, start });
  }

  function order(): string {
    return started.map(({ id }) => id).join(' ');
  }

  it('forgets who takes its place back, before its turn and after', async () => {
    const places = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => take(id));
    assert.equal(order(), 'a b c');
    places[0]?.();
    places[3]?.();
    places[3]?.();
    await time.run(1_000);
    assert.equal(order(), 'a b c e f');
  });

  it('starts three in a second, and the others as the second passes', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) take(id);
    await time.run(5_000);
    assert.deepEqual(
      started.map(({ atMs }) => atMs),
      [0, 0, 0, 1_000, 1_000, 1_000, 2_000],
    );
    assert.deepEqual(waitedMs, [0, 0, 0, 1_000, 1_000, 1_000, 2_000]);
  });

  it('lets a change go before lists, and lists before reports, whenever they came', async () => {
    for (const id of ['1', '2', '3']) take(id);
    take('report', 'Last');
    take('list');
    take('change', 'First');
    take('list2');
    await time.run(3_000);
    assert.equal(order(), '1 2 3 change list list2 report');
  });

  it('gives the turn of who does not want it any more to the next', async () => {
    for (const id of ['1', '2', '3']) take(id);
    take('gone', 'First', false);
    take('next');
    await time.run(1_000);
    assert.equal(order(), '1 2 3 next');
    assert.equal(waitedMs.length, 4);
  });

  it('starts nothing in a pause', async () => {
    turns.pause(2_500);
    take('a');
    await time.run(2_499);
    assert.equal(order(), '');
    await time.run(1);
    assert.equal(order(), 'a');
  });

  it('counts what is queued while a turn is taken', async () => {
    const again = (): boolean => {
      started.push({ id: 'again', atMs: time.nowMs() - zeroMs });
      if (started.length < 10) turns.take({ rank: 'First', start: again });
      return true;
    };
    turns.take({ rank: 'First', start: again });
    await time.run(10_000);
    assert.equal(started.length, 10);
    assert.equal(peakPerSecond(started.map(({ atMs }) => atMs)), 3);
  });

  it('never starts more than the rate in any second, and everybody in the end', async () => {
    const arrivals = fc.array(
      fc.record({
        afterMs: fc.integer({ min: 0, max: 700 }),
        rank: fc.constantFrom<Rank>('First', 'Next', 'Last'),
      }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 5 }), async (asked, ratePerSecond) => {
        const clock = createVirtualTime();
        const line = createTurns({ timer: clock, ratePerSecond });
        const atMs: number[] = [];
        const start = (): boolean => atMs.push(clock.nowMs()) > 0;
        let arrivesMs = 0;
        for (const { afterMs, rank } of asked) {
          arrivesMs += afterMs;
          clock.after(arrivesMs, () => line.take({ rank, start }));
        }
        await clock.run(arrivesMs + 1_000 * asked.length);
        assert.equal(atMs.length, asked.length);
        assert.ok(peakPerSecond(atMs) <= ratePerSecond);
      }),
      { numRuns: 60, seed: 53 },
    );
  });
});
