import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { backtest, type BacktestInput } from '../../../../src/cli/backtest/backtest.ts';
import { columnsOf, textsOf } from '../../../../src/cli/backtest/series.ts';
import type { Report } from '../../../../src/cli/report/report.ts';
import { reportCsv, reportJson, reportTable, reportYaml } from '../../../../src/cli/report/texts.ts';
import { toObject } from '../../../../src/cli/replay/object.ts';
import { certain } from '../../../../src/foundation/certain.ts';
import { MINUTE, NOON, severalTarget, wireSpec } from '../../../support/rebalance.ts';

const GRANTS = { minIntervalMs: 10_000, hookBudgetMs: 8_000 };
const LOAD = { prometheus: { address: 'http://prometheus:9090', query: 'scalar(load)', window: '1m' } };

function object(
  policy: Readonly<Record<string, unknown>> = {},
  rest: Readonly<Record<string, unknown>> = {},
) {
  const read = toObject(
    { metadata: { name: 'a', namespace: 'b', uid: 'c', generation: 1 }, spec: wireSpec(policy, rest) },
    GRANTS,
  );
  assert.ok(read.ok, read.ok ? '' : read.error);
  return read.value;
}

/** The item of that number, from the end where it is negative. */
function nth<T>(items: readonly T[], index: number): T {
  return certain(items.at(index), `item ${index}`);
}

function points(...values: readonly (number | undefined)[]) {
  return values.map((value, index) => ({
    atMs: NOON + index * MINUTE,
    text: value === undefined ? undefined : String(value),
  }));
}

function input(parts: Partial<BacktestInput> = {}): BacktestInput {
  return {
    subject: { name: 'a.yaml', object: object() },
    compare: undefined,
    points: points(1000, 3000, 3000, 1000),
    columns: new Map(),
    published: [],
    referenceWeight: undefined,
    startWeight: undefined,
    ttlSeconds: 0,
    ...parts,
  };
}

function report(parts: Partial<BacktestInput> = {}): Report {
  const made = backtest(input(parts));
  assert.ok(made.ok, made.ok ? '' : made.error);
  return made.value;
}

function steps({ runs }: Report, run = 0) {
  return nth(runs, run).run.steps.map(({ weight, load, metric }) => [metric, weight, load]);
}

describe('a backtest', () => {
  it('of a demand runs the law on the metric as it was; the load follows the weight that clients see', () => {
    assert.deepEqual(steps(report()), [
      [1000, 0, 1000],
      [3000, 16, 3000],
      [3000, 16, 1000],
      [1000, 0, 1000 / 3],
    ]);
  });

  it('lets clients follow over the TTL', () => {
    const loads = steps(report({ points: points(3000, 3000, 3000, 3000), ttlSeconds: 120 })).map(
      ([, , load]) => load,
    );
    assert.deepEqual(loads, [3000, 2000, 1000, 1000]);
  });

  it('tells where nothing was measured, and holds', () => {
    const told = report({ points: points(3000, undefined, 3000) });
    assert.deepEqual(steps(told), [
      [3000, 16, 3000],
      [undefined, 16, undefined],
      [3000, 16, 1000],
    ]);
    assert.equal(nth(nth(told.runs, 0).run.steps, 1).decided?.reason, 'HeldWithoutData');
  });

  it('evaluates at the intervals of the spec, not at each point', () => {
    const told = report({ subject: { name: 'a', object: object({}, { interval: '2m' }) } });
    assert.deepEqual(
      nth(told.runs, 0).run.steps.map(({ decided }) => decided !== undefined),
      [true, false, true, false],
    );
  });

  it('does not care about dryRun and suspend', () => {
    const told = report({ subject: { name: 'a', object: object({}, { dryRun: true, suspend: true }) } });
    assert.deepEqual(steps(told), steps(report()));
  });

  it('compares another spec over the same past', () => {
    const compare = { name: 'b.yaml', object: object({ targetValue: 2000 }) };
    const told = report({ compare });
    assert.deepEqual(
      steps(told, 1).map(([, weight]) => weight),
      [0, 4, 4, 0],
    );
    assert.deepEqual(
      told.runs.map(({ run }) => run.name),
      ['a.yaml', 'b.yaml'],
    );
  });

  describe('of several metrics and guards', () => {
    const query = { address: 'http://prometheus:9090', query: 'query', window: '1m' };
    const queue = { name: 'queue', targetValue: 100, prometheus: query };
    const errors = { name: 'errors', stops: 'Increase', prometheus: query };
    const column = (...values: readonly (number | undefined)[]) => textsOf(points(...values));

    it('takes each as it was, by its column, and explains each decision', () => {
      const told = report({
        subject: { name: 'a', object: object({}, { additionalMetrics: [queue], guards: [errors] }) },
        columns: new Map([
          ['additionalMetrics.queue', column(100, 500, 500, undefined)],
          ['guards.errors', column(1, 0, 1, 1)],
        ]),
      });
      assert.deepEqual(
        nth(told.runs, 0).run.steps.map(({ weight, decided }) => [weight, decided?.reason]),
        [
          [0, 'Tracking'],
          [0, 'GuardStopped'],
          [32, 'Tracking'],
          [32, 'HeldFromFall'],
        ],
      );
      assert.match(told.measured.join(), /Additional metrics.* guards/);
    });

    it('reconstructs the demand behind each load, by its own window', () => {
      const told = report({
        subject: {
          name: 'a',
          object: object({ signal: 'load' }, { metrics: LOAD, additionalMetrics: [queue] }),
        },
        points: points(...Array<number>(30).fill(500)),
        columns: new Map([['additionalMetrics.queue', column(...Array<number>(30).fill(150))]]),
        published: [{ atMs: NOON - 60 * MINUTE, weight: 8 }],
        referenceWeight: 8,
      });
      // A demand of 300 against a target of 100: twice the reference's weight, whatever the first metric asks for.
      assert.equal(nth(nth(told.runs, 0).run.steps, -1).weight, 16);
    });

    it('gives each spec its own columns, and those of one name once', () => {
      const two = [
        object({}, { additionalMetrics: [queue], guards: [errors] }),
        object({}, { additionalMetrics: [{ ...queue, name: 'cpu' }, queue] }),
      ].map(({ spec }) => spec);
      assert.deepEqual(
        columnsOf(two).map(({ name, query: { path } }) => [name, path]),
        [
          ['additionalMetrics.queue', 'spec.additionalMetrics[0].prometheus'],
          ['guards.errors', 'spec.guards[0].prometheus'],
          ['additionalMetrics.cpu', 'spec.additionalMetrics[0].prometheus'],
        ],
      );
    });
  });

  describe('of a load', () => {
    const subject = {
      name: 'load.yaml',
      object: object({ signal: 'load', baseValue: null }, { metrics: LOAD }),
    };
    // 1000, then 3000 of demand from minute 2 on, of which the reference had a half since the weight rose to 8
    const past: Partial<BacktestInput> = {
      subject,
      referenceWeight: 8,
      points: points(1000, 1000, 3000, 3000, 1500, 1500, 1500),
      published: [
        { atMs: NOON - MINUTE, weight: 0 },
        { atMs: NOON + 3 * MINUTE, weight: 8 },
      ],
    };

    it('reconstructs the demand from the weights published then, once', () => {
      const told = report(past);
      const loads = nth(told.runs, 0).run.steps.map(({ load }) => load);
      assert.deepEqual(told.recorded, [1000, 1000, 3000, 3000, 1500, 1500, 1500]);
      assert.deepEqual(loads.slice(0, 3), [1000, 1000, 3000], 'until the weight moves');
      const law = { name: 'law.yaml', object: object({}, { metrics: LOAD }) };
      const flapping = steps(report({ ...past, compare: law }), 1).map(([, weight]) => weight);
      assert.deepEqual(flapping, [0, 0, 16, 0, 16, 0, 16], 'the law taken for a load alternates for ever');
    });

    it('brings the load to the target by the weights of the run, not those of the past', () => {
      const long = [...Array<number>(3).fill(1000), ...Array<number>(30).fill(3000)];
      const held = [{ atMs: NOON, weight: 0 }];
      const last = nth(steps(report({ ...past, points: points(...long), published: held })), -1);
      assert.deepEqual(last, [1000, 16, 1000]);
    });

    it('is refused without the weights that were published', () => {
      assert.deepEqual(backtest(input({ ...past, published: [] })), {
        ok: false,
        error:
          '--weights: signal load answered to the weights published then; expected a file of them, or a column weight in --file',
      });
    });

    it('is refused without a weight of the reference', () => {
      assert.deepEqual(backtest(input({ ...past, referenceWeight: undefined })), {
        ok: false,
        error:
          '--reference-weight: expected the weight of the reference record, as the spec has no baseValue',
      });
    });
  });
});

describe('a report', () => {
  it('counts writes, reversals, the largest step, and the time above target', () => {
    assert.deepEqual(nth(report().runs, 0).summary, {
      evaluations: 4,
      writes: 2,
      reversals: 1,
      largestStep: 16,
      lowestWeight: 0,
      highestWeight: 16,
      aboveTargetMs: MINUTE,
      aboveTenthMs: MINUTE,
      highestLoad: 3000,
      meanLoad: (1000 + 3000 + 1000 + 1000 / 3) / 4,
      knownMs: 4 * MINUTE,
    });
  });

  it('tells a load just above the target from one that is a tenth above it', () => {
    const { summary } = nth(report({ points: points(1050, 1200, 1000) }).runs, 0);
    assert.deepEqual([summary.aboveTargetMs, summary.aboveTenthMs], [2 * MINUTE, 0]);
  });

  it('is a table of changes, a summary, and what is measured and modelled', () => {
    const text = reportTable(report());
    assert.match(
      text,
      /^2026-03-04T12:01:00Z {2}3000 {4}3000 {3}0 -> 16 {2}Tracking {2}metric 3000 against/m,
    );
    assert.match(text, /^time above target +1m \(25\.0%\)$/m);
    assert.match(text, /^measured: The metric, which is the total demand/m);
    assert.match(text, /^modelled: Clients follow/m);
  });

  it('says of which records together a weight is', () => {
    const several = { name: 'several.yaml', object: object({}, { target: severalTarget([3, 1]) }) };
    const told = report({ subject: several, compare: input().subject });
    assert.deepEqual(steps(told, 0), steps(told, 1));
    assert.equal(
      told.modelled.at(-1),
      'The weight of several.yaml: that of its 2 records together, by their shares (blue 3, green 1).',
    );
    assert.equal(
      report().modelled.some((text) => text.includes('together')),
      false,
    );
  });

  it('is CSV with every moment', () => {
    const lines = reportCsv(report({ points: points(3000, undefined) })).split('\n');
    assert.equal(lines[0], 'run,time,metric,load,weight,reason,because');
    assert.equal(
      lines[1],
      'a.yaml,2026-03-04T12:00:00Z,3000,3000,16,Tracking,metric 3000 against target 1000 and base 8 asks for 16',
    );
    assert.match(lines[2] ?? '', /^a\.yaml,2026-03-04T12:01:00Z,,,16,HeldWithoutData,/);
  });

  it('is YAML with the same as JSON', () => {
    const told = report({ points: points(3000, undefined) });
    assert.deepEqual(parse(reportYaml(told)), JSON.parse(reportJson(told)));
  });

  it('is JSON with everything', () => {
    const told = JSON.parse(reportJson(report())) as {
      runs: { steps: unknown[]; summary: { writes: number } }[];
    };
    assert.equal(nth(told.runs, 0).summary.writes, 2);
    assert.deepEqual(nth(nth(told.runs, 0).steps, 0), {
      time: '2026-03-04T12:00:00Z',
      metric: 1000,
      load: 1000,
      weight: 0,
      decided: { reason: 'Tracking', because: 'metric 1000 against target 1000 and base 8 asks for 0' },
    });
  });
});
