import assert from 'node:assert/strict';
import {
  filterDemand,
  filteredDemand,
  type DemandFilter,
} from '../../../../src/rebalance/load/demand-filter.ts';

const MINUTE = 60_000;

function after(previous: DemandFilter | undefined, demand: number, atMs: number, doubt = 0): DemandFilter {
  return filterDemand(previous, { demand, doubt, target: 1000, intervalMs: MINUTE, nowMs: atMs });
}

/** The filters after each of some estimates, a minute apart. */
function course(start: DemandFilter, demands: readonly number[]): readonly DemandFilter[] {
  const filters: DemandFilter[] = [];
  for (const demand of demands) {
    const previous = filters.at(-1) ?? start;
    filters.push(after(previous, demand, previous.atMs + MINUTE));
  }
  return filters;
}

/** Estimates from 3000 on that fall by as much each time. */
function falling(by: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => 3000 - by * (index + 1));
}

describe('the demand filter', () => {
  const first = after(undefined, 1000, 0);

  it('takes the first estimate for both', () =>
    assert.deepEqual(first, {
      fast: 1000,
      slow: 1000,
      drift: 0,
      catchingUp: false,
      drifting: false,
      atMs: 0,
    }));
  it('halves the way of the fast one in one interval, that of the slow one in six', () => {
    const next = after(first, 1100, MINUTE);
    assert.equal(next.fast, 1050);
    assert.ok(Math.abs(next.slow - (1100 - 100 * 2 ** (-1 / 6))) < 1e-9);
  });
  it('goes by time, not by count: two intervals at once are two steps', () => {
    const twice = after(after(first, 1100, MINUTE), 1100, 2 * MINUTE);
    const once = after(first, 1100, 2 * MINUTE);
    assert.ok(Math.abs(twice.slow - once.slow) < 1e-9);
  });
  it('leaves both alone less than half an interval after the last', () =>
    assert.equal(after(first, 9999, MINUTE / 2 - 1), first));
  it('acts on the slow one while both agree', () =>
    assert.equal(filteredDemand(after(first, 1100, MINUTE)), after(first, 1100, MINUTE).slow));
  it('catches up when they differ by more than a fifth of the larger of slow one and target', () => {
    const next = after(first, 3000, MINUTE);
    assert.equal(next.catchingUp, true);
    assert.equal(filteredDemand(next), next.fast);
  });
  it('goes on catching up until they differ by no more than a fiftieth', () => {
    let filter = after(first, 3000, MINUTE);
    let steps = 0;
    while (filter.catchingUp && steps < 100) {
      steps += 1;
      filter = after(filter, 3000, (steps + 1) * MINUTE);
    }
    assert.ok(Math.abs(filter.fast - filter.slow) <= 0.02 * filter.slow);
    assert.ok(steps > 10 && steps < 100, `${steps} steps`);
    assert.deepEqual([filter.drift, filter.drifting], [0, false], 'what was caught up with is no drift');
  });

  describe('in doubt', () => {
    it('takes an estimate as if less time had passed: half of it where the doubt is that of a sample', () => {
      const doubted = after(first, 1100, MINUTE, 0.1);
      assert.ok(Math.abs(doubted.fast - (1100 - 100 * 2 ** -0.5)) < 1e-9);
      assert.ok(Math.abs(doubted.slow - (1100 - 100 * 2 ** (-1 / 12))) < 1e-9);
    });
    it('is hardly moved by what the wake of a change makes of the demand', () => {
      const next = after(after(first, 1600, MINUTE, 0.6), 600, 2 * MINUTE, 0.6);
      assert.equal(next.catchingUp, false);
      assert.ok(Math.abs(filteredDemand(next) - 1000) < 5, `${filteredDemand(next)}`);
    });
    it('follows a jump on that it is following already', () => {
      const jumped = after(first, 3000, MINUTE);
      assert.equal(after(jumped, 3000, 2 * MINUTE, 0.6).fast, 2500);
    });
  });

  describe('of a demand that keeps going one way', () => {
    const start = after(undefined, 3000, 0);

    it('makes up for the lag of the slow one once it is more than noise', () => {
      const filters = course(start, falling(45, 40));
      const since = filters.findIndex(({ drifting }) => drifting);
      assert.ok(since > 5 && since < 20, `drifting since ${since}`);
      for (const [index, filter] of filters.entries()) {
        const demand = 3000 - 45 * (index + 1);
        const isOff = Math.abs(filteredDemand(filter) / demand - 1) > 0.05;
        assert.ok(index < since + 5 || !isOff, `${index}: ${filteredDemand(filter)} for ${demand}`);
      }
    });
    it('goes on until the drift is no more than a fiftieth', () => {
      const ramp = course(start, falling(45, 30));
      const last = ramp.at(-1) ?? start;
      const level = course(last, Array<number>(40).fill(3000 - 45 * 30));
      const end = level.findIndex(({ drifting }) => !drifting);
      assert.ok(end > 5, `ends after ${end}`);
      assert.ok(Math.abs(level[end]?.drift ?? NaN) <= 0.02 * (level[end]?.slow ?? NaN));
    });
    it('is never below 0', () =>
      assert.equal(filteredDemand({ ...start, slow: 10, drift: -20, drifting: true }), 0));
  });
});
