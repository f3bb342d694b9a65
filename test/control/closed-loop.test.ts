import assert from 'node:assert/strict';
import { hpaRule, lawAsIs, movesOf, ours, runLoop, settledAfter, TARGET } from './loop.ts';

/** The numbers to reach of the closed loop; the plant shares no code with the controller. */
const BASE = 64;
const STEP_AT = 50;

const up = (interval: number): number => (interval < STEP_AT ? 1000 : 3000);
const down = (interval: number): number => (interval < STEP_AT ? 3000 : 1000);
const ramp = (interval: number): number =>
  interval < STEP_AT ? 1000 : Math.min(3000, 1000 * 1.1 ** (interval - STEP_AT));

/** Nine pairs of TTL and window in intervals whose sums are 1..10. */
const PAIRS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [2, 2],
  [5, 1],
  [1, 5],
  [5, 5],
  [3, 7],
  [10, 0],
] as const;

function load(ttl: number, window: number) {
  return ours({ referenceWeight: BASE, ttl, window });
}

describe('number 2: a load settles after a step of demand', () => {
  for (const [ttl, window] of PAIRS) {
    const bound = 2 * (ttl + window) + 5;
    it(`TTL ${ttl}, window ${window}: up by 3 within ${bound} intervals, at most 2 reversals, overshoot at most 25%`, () => {
      const plant = { ttl, window, referenceWeight: BASE, initialWeight: 0, demand: up, intervals: 200 };
      const run = runLoop(plant, load(ttl, window));
      const settled = settledAfter(run, STEP_AT);
      assert.ok(settled !== undefined && settled <= bound, `settled after ${settled ?? 'never'}`);
      assert.ok(movesOf(run.weights).reversals <= 2);
      assert.ok(Math.max(...run.weights) <= 128 * 1.25, `highest weight ${Math.max(...run.weights)}`);
    });
    it(`TTL ${ttl}, window ${window}: down by 3 within ${bound} intervals, at most 2 reversals`, () => {
      const plant = { ttl, window, referenceWeight: BASE, initialWeight: 128, demand: down, intervals: 200 };
      const run = runLoop(plant, load(ttl, window));
      const settled = settledAfter(run, STEP_AT);
      assert.ok(settled !== undefined && settled <= bound, `settled after ${settled ?? 'never'}`);
      assert.ok(movesOf(run.weights).reversals <= 2);
    });
    it(`TTL ${ttl}, window ${window}: a ramp of 10% an interval turns nothing round`, () => {
      const plant = { ttl, window, referenceWeight: BASE, initialWeight: 0, demand: ramp, intervals: 200 };
      const run = runLoop(plant, load(ttl, window));
      assert.equal(movesOf(run.weights).reversals, 0);
      assert.ok(settledAfter(run, STEP_AT) !== undefined);
    });
  }
});

describe('number 2: what the others do on the same plants', () => {
  const plant = { referenceWeight: BASE, initialWeight: 0, demand: up, intervals: 250 };
  it('the original law alternates for ever without lag: 199 or so writes', () => {
    const run = runLoop({ ...plant, ttl: 1, window: 1 }, lawAsIs(BASE));
    assert.ok(movesOf(run.weights).reversals > 150);
  });
  it('the original law settles at sqrt(L x T) with lag: 1730 instead of 1000', () => {
    const run = runLoop({ ...plant, ttl: 5, window: 5 }, lawAsIs(BASE));
    assert.equal(settledAfter(run, STEP_AT), undefined);
    assert.ok(Math.abs((run.loads.at(-1) ?? 0) - Math.sqrt(3000 * TARGET)) < 30);
  });
  it("HPA's rule is right without lag and oscillates with it", () => {
    assert.equal(settledAfter(runLoop({ ...plant, ttl: 1, window: 1 }, hpaRule(BASE)), STEP_AT), 1);
    const lagged = runLoop({ ...plant, ttl: 5, window: 1 }, hpaRule(BASE));
    assert.equal(settledAfter(lagged, STEP_AT), undefined);
    assert.ok(movesOf(lagged.weights).reversals >= 20);
  });
});

describe('number 3: noise of 10% at the target', () => {
  for (const [ttl, window] of [
    [1, 1],
    [5, 1],
    [5, 5],
  ] as const) {
    it(`TTL ${ttl}, window ${window}: at most 30 writes and 15 reversals in 300 intervals, mean load within 5%, for ten seeds`, () => {
      for (let seed = 1; seed <= 10; seed += 1) {
        const run = runLoop(
          {
            ttl,
            window,
            referenceWeight: BASE,
            initialWeight: 32,
            demand: () => 1500,
            noise: 0.1,
            seed,
            intervals: 300,
          },
          load(ttl, window),
        );
        const { writes, reversals } = movesOf(run.weights);
        const mean = run.loads.reduce((sum, each) => sum + each, 0) / run.loads.length;
        assert.ok(writes <= 30 && reversals <= 15, `seed ${seed}: ${writes} writes, ${reversals} reversals`);
        assert.ok(Math.abs(mean - TARGET) <= 0.05 * TARGET, `seed ${seed}: mean ${mean}`);
      }
    });
  }
});

describe('number 4: a plant that is not what the controller believes', () => {
  for (const believed of [2, 3, 8]) {
    it(`20% sticky clients and a TTL of 5 taken for ${believed}: settles within 60 intervals, calm in the last third`, () => {
      const run = runLoop(
        {
          ttl: 5,
          window: 1,
          referenceWeight: BASE,
          initialWeight: 0,
          demand: up,
          sticky: 0.2,
          intervals: 250,
        },
        load(believed, 1),
      );
      const settled = settledAfter(run, STEP_AT);
      assert.ok(settled !== undefined && settled <= 60, `settled after ${settled ?? 'never'}`);
      assert.equal(movesOf(run.weights, 166).reversals, 0);
    });
  }

  const every = Array.from({ length: 300 }, (_, index) => index + 1);
  const irregular: readonly (readonly [name: string, times: readonly number[]])[] = [
    ['jittered', every.map((time) => time + 0.3 * Math.sin(time * 7.3))],
    ['missed every third', every.filter((time) => time % 3 !== 0)],
    ['2.5 intervals apart', every.map((time) => time * 2.5).filter((time) => time <= 300)],
    ['doubled every fourth', every.flatMap((time) => (time % 4 === 0 ? [time, time] : [time]))],
  ];
  for (const [name, evaluateAt] of irregular) {
    it(`evaluations ${name}: settles, at most 2 reversals`, () => {
      for (const [ttl, window] of [
        [1, 1],
        [5, 1],
        [5, 5],
      ] as const) {
        const run = runLoop(
          {
            ttl,
            window,
            referenceWeight: BASE,
            initialWeight: 0,
            demand: up,
            intervals: 300,
            ticksPerInterval: 10,
            evaluateAt,
          },
          load(ttl, window),
        );
        assert.ok(settledAfter(run, STEP_AT) !== undefined, `TTL ${ttl}, window ${window}`);
        assert.ok(movesOf(run.weights).reversals <= 2, `TTL ${ttl}, window ${window}`);
      }
    });
  }
});
