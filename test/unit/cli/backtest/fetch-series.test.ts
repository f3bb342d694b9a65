import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { chunksOf, fetchPoints } from '../../../../src/cli/backtest/fetch-series.ts';
import { readMeasurements } from '../../../../src/cli/backtest/measurements.ts';
import { columnsOf } from '../../../../src/cli/backtest/series.ts';
import { ok } from '../../../../src/foundation/result.ts';
import { createPrometheus } from '../../../../src/rebalance/metrics/prometheus.ts';
import type { SecretReader } from '../../../../src/rebalance/secrets.ts';
import { listen } from '../../../support/listen.ts';
import { MINUTE, NOON, specOf } from '../../../support/rebalance.ts';

const NO_SECRETS: SecretReader = { read: () => assert.fail('no Secret is named') };

describe('the chunks of a range', () => {
  it('have at most 11,000 points each, and together are the grid of the whole', () => {
    const chunks = chunksOf({ fromMs: 0, toMs: 25_000 * MINUTE, stepMs: MINUTE });
    const grids = chunks.map(({ fromMs, toMs }) => Math.floor((toMs - fromMs) / MINUTE) + 1);
    assert.deepEqual(grids, [11_000, 11_000, 3_001]);
    assert.deepEqual(
      chunks.map(({ fromMs }) => fromMs / MINUTE),
      [0, 11_000, 22_000],
    );
  });
});

describe('a range of Prometheus', () => {
  /** Fetches two hours at one minute of whatever is answered; `asked`: the parameters of each request. */
  async function fetchFrom(status: number, answer: (url: URL) => unknown) {
    const asked: string[] = [];
    const prometheus = await listen(
      createServer((request, response) => {
        const url = new URL(request.url ?? '', 'http://prometheus');
        asked.push(
          `${url.pathname}?${['query', 'start', 'end', 'step'].map((name) => url.searchParams.get(name)).join('&')}`,
        );
        response.writeHead(status, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(answer(url)));
      }),
    );
    try {
      const { metric } = specOf();
      const range = { fromMs: NOON, toMs: NOON + 2 * MINUTE, stepMs: MINUTE };
      const points = await fetchPoints(
        { ...metric, address: prometheus.url },
        range,
        { prometheus: createPrometheus(), secrets: NO_SECRETS },
        () => undefined,
      );
      return { points, asked };
    } finally {
      await prometheus.stop();
    }
  }
  const result = (resultType: string, values: unknown) => ({
    status: 'success',
    data: { resultType, result: values },
  });

  it("is asked for by the spec's query, in seconds", async () => {
    const seconds = NOON / 1000;
    const { points, asked } = await fetchFrom(200, () =>
      result('matrix', [
        {
          values: [
            [seconds, '1'],
            [seconds + 120, '3'],
          ],
        },
      ]),
    );
    assert.deepEqual(asked, [`/api/v1/query_range?scalar(load)&${seconds}&${seconds + 120}&60`]);
    assert.deepEqual(points, {
      ok: true,
      value: [
        { atMs: NOON, text: '1' },
        { atMs: NOON + MINUTE, text: undefined },
        { atMs: NOON + 2 * MINUTE, text: '3' },
      ],
    });
  });

  const QUERY = 'spec.metrics.prometheus.query';
  const rows: readonly {
    readonly name: string;
    readonly status?: number;
    readonly answer: unknown;
    readonly says: string;
  }[] = [
    { name: 'no points', answer: result('matrix', []), says: `${QUERY}: the range has no points` },
    {
      name: 'several series',
      answer: result('matrix', [{ values: [] }, { values: [] }]),
      says: `${QUERY}: the result has 2 series, expected one; aggregate them, for example with sum(...)`,
    },
    { name: 'an instant', answer: result('scalar', [1, '1']), says: `${QUERY}: the answer is no range` },
    {
      name: "Prometheus' own words",
      status: 400,
      answer: { status: 'error', errorType: 'bad_data', error: 'parse error' },
      says: `${QUERY}: Prometheus answered HTTP 400, bad_data: parse error`,
    },
    {
      name: 'a wrong path',
      status: 404,
      answer: {},
      says: '--prometheus: HTTP 404, no Prometheus API at this path; check the path prefix',
    },
  ];
  for (const { name, status = 200, answer, says } of rows) {
    it(`that answers ${name} is refused in one line`, async () => {
      const { points } = await fetchFrom(status, () => answer);
      assert.deepEqual(points, { ok: false, error: says });
    });
  }
});

describe('the measurements of a spec with several queries', () => {
  const query = (text: string) => ({ address: 'http://elsewhere:9090', query: text });
  const spec = specOf(
    {},
    {
      additionalMetrics: [{ name: 'cpu', targetValue: 1, prometheus: query('cpu') }],
      guards: [{ name: 'errors', stops: 'Both', prometheus: query('errors') }],
    },
  );

  /** What is measured where each query answers so many points, and in what order they were asked. */
  async function measure(pointsOf: (query: string) => number) {
    const asked: string[] = [];
    const prometheus = await listen(
      createServer((request, response) => {
        const text = new URL(request.url ?? '', 'http://p').searchParams.get('query') ?? '';
        asked.push(text);
        const values = Array.from({ length: pointsOf(text) }, (_, index) => [
          NOON / 1000 + index * 60,
          text.length.toString(),
        ]);
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(
          JSON.stringify({ status: 'success', data: { resultType: 'matrix', result: [{ values }] } }),
        );
      }),
    );
    try {
      const options = {
        prometheus: prometheus.url,
        from: '2026-03-04T12:00:00Z',
        to: '2026-03-04T12:02:00Z',
      };
      const series = await readMeasurements(options, {
        metric: spec.metric,
        columns: columnsOf([spec]),
        intervalMs: MINUTE,
        nowMs: NOON,
        source: () => Promise.resolve(ok({ prometheus: createPrometheus(), secrets: NO_SECRETS })),
        onChunk: () => undefined,
      });
      return { series, asked };
    } finally {
      await prometheus.stop();
    }
  }

  it('come from the Prometheus of the line, each query by its column', async () => {
    const { series, asked } = await measure(() => 3);
    assert.ok(series.ok, series.ok ? '' : series.error);
    assert.deepEqual(asked, ['scalar(load)', 'cpu', 'errors']);
    assert.equal(series.value.points.length, 3);
    assert.deepEqual(
      [...series.value.columns].map(([name, texts]) => [name, texts.size, texts.get(NOON)]),
      [
        ['additionalMetrics.cpu', 3, '3'],
        ['guards.errors', 3, '6'],
      ],
    );
  });

  it('are an error that names the query which gave none', async () => {
    const { series } = await measure((text) => (text === 'errors' ? 0 : 3));
    assert.deepEqual(series, {
      ok: false,
      error: 'spec.guards[0].prometheus.query: the range has no points',
    });
  });
});
