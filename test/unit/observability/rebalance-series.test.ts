import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createMetrics, type Metrics } from '../../../src/observability/metrics.ts';
import type { NamedNumber } from '../../../src/observability/named-series.ts';
import { METRICS, type MetricRow } from '../../../src/observability/metric-table.ts';
import type { RebalanceStatus } from '../../../src/rebalance/status.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { MINUTE, NOON } from '../../support/rebalance.ts';

const KEY = { namespace: 'default', name: 'example' };

const STATUS: RebalanceStatus = {
  condition: 'Healthy',
  actualValue: weight(16),
  desiredValue: weight(20),
  lastEvaluatedAt: '2026-03-04T12:00:00Z',
  metric: { value: '3000.5', at: '2026-03-04T12:00:00Z', query: 'x' },
};

const NUMBERS: readonly NamedNumber[] = [
  { gauge: 'counterpoise_rebalance_additional_metric_value', name: 'queue', value: 500 },
  { gauge: 'counterpoise_rebalance_metric_weight', name: 'queue', value: 32 },
  { gauge: 'counterpoise_rebalance_guard_value', name: 'errors', value: -1 },
  { gauge: 'counterpoise_rebalance_guard_closed', name: 'errors', value: 1 },
];

function publish(
  metrics: Metrics,
  status: RebalanceStatus,
  {
    numbers = [],
    expectedLoadRatio,
    isSuspended = false,
  }: { numbers?: readonly NamedNumber[]; expectedLoadRatio?: number; isSuspended?: boolean } = {},
): void {
  metrics.rebalances.publish(KEY, {
    status,
    numbers,
    expectedLoadRatio,
    intervalMs: MINUTE,
    isSuspended,
    nowMs: NOON,
  });
}

/** Every series of the object, without its labels of name and namespace. */
async function seriesOf(metrics: Metrics): Promise<Readonly<Record<string, number>>> {
  const lines = (await metrics.registry.metrics()).split('\n');
  const ours = lines.filter((line) => line.includes('name="example",namespace="default"'));
  return Object.fromEntries(
    ours.map((line) => {
      const [series = '', value] = line.split(' ');
      return [series.replace('name="example",namespace="default"', '').replace('{}', ''), Number(value)];
    }),
  );
}

async function gaugesOf(metrics: Metrics): Promise<Readonly<Record<string, number>>> {
  const series = Object.entries(await seriesOf(metrics));
  return Object.fromEntries(series.filter(([name]) => !/_total\b/.test(name)));
}

describe('the series of a Rebalance', () => {
  it('count nothing from the beginning, so that the first change can be seen', async () => {
    const metrics = createMetrics();
    publish(metrics, STATUS);
    const counters = Object.entries(await seriesOf(metrics)).filter(([name]) => /_total\b/.test(name));
    assert.deepEqual(Object.fromEntries(counters), {
      'counterpoise_rebalance_weight_changes_total{,direction="up"}': 0,
      'counterpoise_rebalance_weight_changes_total{,direction="down"}': 0,
      counterpoise_rebalance_weight_reversals_total: 0,
    });
    metrics.rebalances.countChange(KEY, 1, 2);
    publish(metrics, STATUS);
    const { 'counterpoise_rebalance_weight_changes_total{,direction="up"}': up } = await seriesOf(metrics);
    assert.equal(up, 1);
  });

  it('say what its status says', async () => {
    const metrics = createMetrics();
    publish(metrics, STATUS, { expectedLoadRatio: 1.25 });
    assert.deepEqual(await gaugesOf(metrics), {
      rebalancer_error: 0,
      rebalancer_healthy: 1,
      rebalancer_available: 1,
      rebalancer_desired: 20,
      rebalancer_actual: 16,
      counterpoise_rebalance_metric_value: 3000.5,
      counterpoise_rebalance_expected_load_ratio: 1.25,
      counterpoise_rebalance_interval_seconds: 60,
      counterpoise_rebalance_last_success_timestamp_seconds: NOON / 1000,
    });
  });

  const words: readonly {
    readonly condition: 'Healthy' | 'Unhealthy' | 'Error';
    readonly says: readonly number[];
  }[] = [
    { condition: 'Healthy', says: [0, 1, 1] },
    { condition: 'Unhealthy', says: [0, 0, 1] },
    { condition: 'Error', says: [1, 0, 0] },
  ];
  for (const { condition, says } of words) {
    it(`error, healthy, available are ${says.join(', ')} while it is ${condition}`, async () => {
      const metrics = createMetrics();
      publish(metrics, { condition });
      const series = await gaugesOf(metrics);
      assert.deepEqual(series, {
        rebalancer_error: says[0],
        rebalancer_healthy: says[1],
        rebalancer_available: says[2],
        counterpoise_rebalance_interval_seconds: 60,
      });
    });
  }

  it('are only the interval where the status says nothing, also when it said something before', async () => {
    const metrics = createMetrics();
    publish(metrics, STATUS);
    publish(metrics, {});
    assert.deepEqual(await gaugesOf(metrics), { counterpoise_rebalance_interval_seconds: 60 });
  });

  it('have no interval while it is suspended: no age of its last success is too old then', async () => {
    const metrics = createMetrics();
    publish(metrics, STATUS);
    publish(metrics, STATUS, { isSuspended: true });
    const series = await seriesOf(metrics);
    assert.equal(series['counterpoise_rebalance_interval_seconds'], undefined);
    assert.equal(series['rebalancer_actual'], 16);
  });

  it('keep the expected load while it is not known anew', async () => {
    const metrics = createMetrics();
    publish(metrics, STATUS, { expectedLoadRatio: 1.5 });
    publish(metrics, STATUS);
    assert.equal((await seriesOf(metrics))['counterpoise_rebalance_expected_load_ratio'], 1.5);
  });

  it('count changes by direction, and a reversal where the direction turns', async () => {
    const metrics = createMetrics();
    for (const [from, to] of [
      [1, 16],
      [16, 20],
      [20, 10],
      [10, 12],
      [12, 13],
    ] as const) {
      metrics.rebalances.countChange(KEY, from, to);
    }
    assert.deepEqual(await seriesOf(metrics), {
      'counterpoise_rebalance_weight_changes_total{,direction="up"}': 4,
      'counterpoise_rebalance_weight_changes_total{,direction="down"}': 1,
      counterpoise_rebalance_weight_reversals_total: 2,
    });
  });

  it('have those of its metrics and guards: new ones told, unknown ones as they were, others no more', async () => {
    const metrics = createMetrics();
    const named = async (): Promise<object> =>
      Object.fromEntries(
        Object.entries(await seriesOf(metrics)).filter(
          ([series]) => /metric|guard/.test(series.slice(series.indexOf('{') + 1)) && series.includes(','),
        ),
      );
    publish(metrics, {}, { numbers: NUMBERS });
    assert.deepEqual(await named(), {
      'counterpoise_rebalance_additional_metric_value{,metric="queue"}': 500,
      'counterpoise_rebalance_metric_weight{,metric="queue"}': 32,
      'counterpoise_rebalance_guard_value{,guard="errors"}': -1,
      'counterpoise_rebalance_guard_closed{,guard="errors"}': 1,
    });
    const [, asked, , closed] = NUMBERS.map((number) => ({ ...number, value: undefined }));
    assert.ok(asked !== undefined && closed !== undefined);
    publish(metrics, {}, { numbers: [asked, { ...closed, value: 0 }] });
    assert.deepEqual(await named(), {
      'counterpoise_rebalance_metric_weight{,metric="queue"}': 32,
      'counterpoise_rebalance_guard_closed{,guard="errors"}': 0,
    });
    publish(metrics, {}, { numbers: [{ ...closed, name: 'other', value: 1 }] });
    assert.deepEqual(await named(), { 'counterpoise_rebalance_guard_closed{,guard="other"}': 1 });
  });

  it('go when the object is forgotten, all of them', async () => {
    const metrics = createMetrics();
    publish(metrics, STATUS, { expectedLoadRatio: 1, numbers: NUMBERS });
    metrics.rebalances.countChange(KEY, 1, 2);
    metrics.rebalances.countChange(KEY, 2, 1);
    metrics.rebalances.forget(KEY);
    assert.deepEqual(await seriesOf(metrics), {});
  });

  it('are of 4096 objects at most: the one that was not seen for longest goes', async () => {
    const metrics = createMetrics();
    publish(metrics, STATUS);
    const forged = (count: number): void => {
      for (let index = 0; index < count; index += 1) {
        const published = { status: {}, numbers: [], intervalMs: MINUTE, isSuspended: true } as const;
        metrics.rebalances.publish(
          { namespace: 'made-up', name: `n${index}` },
          { ...published, expectedLoadRatio: undefined, nowMs: NOON },
        );
      }
    };
    forged(4_095);
    assert.notDeepEqual(await seriesOf(metrics), {});
    publish(metrics, STATUS);
    forged(4_095);
    assert.notDeepEqual(await seriesOf(metrics), {}, 'seen again, it stays');
    forged(4_095);
    metrics.rebalances.publish(
      { namespace: 'made-up', name: 'one-more' },
      {
        status: {},
        numbers: [],
        expectedLoadRatio: undefined,
        intervalMs: MINUTE,
        isSuspended: true,
        nowMs: NOON,
      },
    );
    assert.deepEqual(await seriesOf(metrics), {});
  });

  it('go when the object has not been seen for three of its intervals, not before', async () => {
    const metrics = createMetrics();
    publish(metrics, STATUS);
    metrics.rebalances.dropUnseen(NOON + 3 * MINUTE);
    assert.notDeepEqual(await seriesOf(metrics), {});
    metrics.rebalances.dropUnseen(NOON + 3 * MINUTE + 1);
    assert.deepEqual(await seriesOf(metrics), {});
  });
});

/** Words that a name may end in: base units, what is counted, or what the number is. Milliseconds and percent are none. */
const ENDINGS: Readonly<Record<'counter' | 'gauge' | 'histogram', RegExp>> = {
  counter: /_(changes|reversals|calls|throttles|requests|bugs)_total$/,
  gauge: /_(info|error|healthy|desired|actual|available|value|weight|closed|ratio|seconds)$/,
  histogram: /_(seconds|changes)$/,
};

describe('the table of metrics', () => {
  for (const [name, row] of Object.entries<MetricRow>(METRICS)) {
    it(`${name} has a sentence, a name as Prometheus wants it, and labels that the sentence tells`, () => {
      assert.match(row.help, /^[A-Z0-9].*\.$/s);
      assert.match(name, /^(counterpoise|rebalancer)(_[a-z0-9]+)+$/);
      assert.match(name, ENDINGS[row.type]);
      for (const label of row.labels) {
        assert.match(label, /^[a-z]+(_[a-z]+)*$/);
        assert.ok(!['le', 'quantile', 'job', 'instance', 'type'].includes(label), label);
        const isOfObject = label === 'name' || label === 'namespace';
        if (!isOfObject) assert.match(row.help.toLowerCase(), new RegExp(`\\b${label}s?\\b`), label);
      }
    });
  }

  it('lists every stage that the hooks measure', () => {
    const directory = new URL('../../../src/hooks/', import.meta.url);
    const files = readdirSync(directory).filter((file) => file.endsWith('.ts'));
    const laps = files.flatMap((file) =>
      [...readFileSync(new URL(file, directory), 'utf8').matchAll(/\.lap\('(\w+)'\)/g)].map(
        ([, stage = '']) => stage,
      ),
    );
    assert.ok(laps.length > 5);
    const { help } = METRICS.counterpoise_hook_stage_duration_seconds;
    for (const stage of laps) assert.match(help, new RegExp(`\\b${stage}\\b`));
  });

  it('is wholly registered', async () => {
    const exposition = await createMetrics().registry.metrics();
    for (const [name, row] of Object.entries(METRICS)) {
      assert.ok(exposition.includes(`# TYPE ${name} ${row.type}`), name);
    }
  });
});
