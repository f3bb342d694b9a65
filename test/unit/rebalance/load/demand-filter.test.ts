import assert from 'node:assert/strict';
import {
  filterDemand,
  filteredDemand,
  type DemandFilter,
} from '../../../../src/rebalance/load/demand-filter.ts';

const MINUTE = 60_000;

function after(previous: DemandFilter | undefined, demand: number, atMs: number): DemandFilter {
  return filterDemand(previous, { demand, target: 1000, intervalMs: MINUTE, nowMs: atMs });
}

describe('the demand filter', () => {
  const first = after(undefined, 1000, 0);

  it('takes the first estimate for both', () =>
    assert.deepEqual(first, { fast: 1000, slow: 1000, catchingUp: false, atMs: 0 }));
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
  });
});
