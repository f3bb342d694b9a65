import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDemand } from '../../../../src/cli/simulate/demand.ts';
import { simulate, type SimulateInput } from '../../../../src/cli/simulate/simulate.ts';
import { toObject } from '../../../../src/cli/replay/object.ts';
import { certain } from '../../../../src/foundation/certain.ts';
import { MINUTE, wireSpec } from '../../../support/rebalance.ts';

const GRANTS = { minIntervalMs: 10_000, hookBudgetMs: 8_000 };
const METRICS = { prometheus: { address: 'http://prometheus:9090', query: 'scalar(load)', window: '1m' } };

describe('a demand', () => {
  const rows: readonly { readonly text: string; readonly at: readonly (readonly [number, number])[] }[] = [
    {
      text: 'constant:7.5',
      at: [
        [0, 7.5],
        [99, 7.5],
      ],
    },
    {
      text: 'step:1:3@50',
      at: [
        [49, 1],
        [50, 3],
      ],
    },
    {
      text: 'pulse:1:3@5-7',
      at: [
        [4, 1],
        [5, 3],
        [6, 3],
        [7, 1],
      ],
    },
    {
      text: 'ramp:0:10@10-20',
      at: [
        [5, 0],
        [15, 5],
        [30, 10],
      ],
    },
    {
      text: 'ramp:0:10@10-10',
      at: [
        [9, 0],
        [10, 10],
      ],
    },
    {
      text: 'sine:0:10@4',
      at: [
        [0, 0],
        [2, 10],
        [4, 0],
      ],
    },
  ];
  for (const { text, at } of rows) {
    it(`may be ${text}`, () => {
      const demand = parseDemand(text);
      assert.ok(demand.ok);
      assert.deepEqual(
        at.map(([interval]) => [interval, demand.value(interval)]),
        at,
      );
    });
  }

  it('of another form is refused with those that there are', () => {
    assert.deepEqual(parseDemand('step:1:3'), {
      ok: false,
      error: 'expected constant:A, step:A:B@T, pulse:A:B@T-U, ramp:A:B@T-U, sine:A:B@P',
    });
  });
});

describe('a simulation', () => {
  function named(
    name: string,
    policy: Readonly<Record<string, unknown>>,
    rest: Readonly<Record<string, unknown>> = {},
  ) {
    const metadata = { name: 'a', namespace: 'b', uid: 'c', generation: 1 };
    const object = toObject(
      { metadata, spec: wireSpec({ baseValue: 64, ...policy }, { metrics: METRICS, ...rest }) },
      GRANTS,
    );
    assert.ok(object.ok, object.ok ? '' : object.error);
    return { name, object: object.value };
  }

  const input: SimulateInput = {
    subject: named('load', { signal: 'load' }),
    compare: named('law', {}),
    demand: (interval) => (interval < 50 ? 1000 : 3000),
    metricDemands: new Map(),
    guardValues: new Map(),
    intervals: 200,
    referenceWeight: 64,
    startWeight: 0,
    ttlSeconds: 300,
    clientTtlSeconds: 300,
    sticky: 0,
    noise: 0.1,
    seed: 1,
  };

  it('settles a load where the law taken for a load does not', () => {
    const { runs } = simulate({ ...input, noise: 0 });
    const [ours = 0, law = 0] = runs.map(({ run }) => certain(run.steps.at(-1)?.load, 'a load'));
    assert.ok(Math.abs(ours - 1000) < 50, `ours ends at ${ours}`);
    assert.ok(
      Math.abs(law - Math.sqrt(3000 * 1000)) < 50,
      `the law ends at ${law}, not at the square root of demand x target`,
    );
    assert.equal(certain(runs[0], 'a run').summary.reversals, 0);
  });

  it('measures the demand where the first signal is one: one step, and the target is met', () => {
    const { runs } = simulate({ ...input, subject: named('law', {}), compare: undefined, noise: 0 });
    const { steps } = certain(runs[0], 'a run').run;
    assert.deepEqual(
      steps.slice(48, 52).map(({ metric, weight }) => [metric, weight]),
      [
        [1000, 0],
        [1000, 0],
        [3000, 128],
        [3000, 128],
      ],
    );
    assert.equal(Math.round(certain(steps.at(-1)?.load, 'a load')), 1000);
  });

  describe('of several metrics and guards', () => {
    const query = { address: 'http://prometheus:9090', query: 'query', window: '5m' };
    const queue = { name: 'queue', targetValue: 100, prometheus: query };
    const errors = { name: 'errors', stops: 'Increase', prometheus: query };
    const weightsOf = (parts: Partial<SimulateInput>, policy: Readonly<Record<string, unknown>> = {}) => {
      const subject = named('several', policy, { additionalMetrics: [queue], guards: [errors] });
      const { runs } = simulate({ ...input, subject, compare: undefined, noise: 0, ...parts });
      return certain(runs[0], 'a run').run.steps.map(({ weight }) => weight);
    };

    it('has an additional metric as far from its target as the first, and guards that are open, if nothing is said', () => {
      const alone = simulate({ ...input, subject: named('law', {}), compare: undefined, noise: 0 });
      const weights = certain(alone.runs[0], 'a run').run.steps.map(({ weight }) => weight);
      assert.deepEqual(weightsOf({}), weights);
    });
    it('has demands and values as they are given', () => {
      const weights = weightsOf({
        metricDemands: new Map([['queue', (interval) => (interval < 100 ? 100 : 400)]]),
        guardValues: new Map([['errors', (interval) => (interval < 60 ? 0 : 1)]]),
      });
      assert.deepEqual([weights[59], weights[60], weights[99], weights[100]], [0, 128, 128, 192]);
    });
    it('settles the load of the metric that asks for the most', () => {
      const weights = weightsOf({ metricDemands: new Map([['queue', () => 400]]) }, { signal: 'load' });
      assert.ok(Math.abs((weights.at(-1) ?? 0) - 192) <= 10, `ends at ${weights.at(-1)}`);
    });
  });

  it('counts time in intervals of the spec, and is the same each time', () => {
    const report = simulate(input);
    assert.equal(report.intervalMs, MINUTE);
    assert.deepEqual(simulate(input), report);
    assert.notDeepEqual(simulate({ ...input, seed: 2 }).runs, report.runs);
  });

  it('runs on a plant that imports nothing, so that no mistake can be shared with what steers it', () => {
    const plant = readFileSync(join(import.meta.dirname, '../../../../src/cli/simulate/plant.ts'), 'utf8');
    assert.doesNotMatch(plant, /^import /m);
  });
});
