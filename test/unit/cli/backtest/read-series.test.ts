import assert from 'node:assert/strict';
import { readSeries, readWeights } from '../../../../src/cli/backtest/read-series.ts';
import { fillGaps } from '../../../../src/cli/backtest/series.ts';
import { readTimeOrAgo } from '../../../../src/cli/backtest/time.ts';

const T = 1_772_409_600;
const MS = T * 1000;

function matrix(...series: readonly (readonly [number, string])[][]): string {
  return JSON.stringify({
    status: 'success',
    data: { resultType: 'matrix', result: series.map((values) => ({ values })) },
  });
}

describe('a file of measurements', () => {
  const rows: readonly {
    readonly name: string;
    readonly text: string;
    readonly points: readonly (readonly [number, string | undefined])[];
  }[] = [
    {
      name: 'CSV without names is time,value',
      text: `${T},1.5\n${T + 60},2`,
      points: [
        [MS, '1.5'],
        [MS + 60_000, '2'],
      ],
    },
    {
      name: 'CSV with names in any order, and in any case',
      text: `Value,Time\n3,${T}\n`,
      points: [[MS, '3']],
    },
    {
      name: 'CSV with quotes and RFC 3339 times',
      text: '"time","value"\r\n"2026-03-02T00:00:00Z","7"\r\n',
      points: [[MS, '7']],
    },
    {
      name: 'CSV in the order of time, whatever the order of its lines',
      text: `${T + 60},2\n${T},1`,
      points: [
        [MS, '1'],
        [MS + 60_000, '2'],
      ],
    },
    {
      name: 'an empty value as an evaluation without data, NaN and Inf as they are',
      text: `${T},\n${T + 60},NaN\n${T + 120},+Inf`,
      points: [
        [MS, undefined],
        [MS + 60_000, 'NaN'],
        [MS + 120_000, '+Inf'],
      ],
    },
    {
      name: 'the answer of a range query, gaps made visible',
      text: matrix([
        [T, '1'],
        [T + 60, '2'],
        [T + 180, '3'],
      ]),
      points: [
        [MS, '1'],
        [MS + 60_000, '2'],
        [MS + 120_000, undefined],
        [MS + 180_000, '3'],
      ],
    },
  ];
  for (const { name, text, points } of rows) {
    it(`reads ${name}`, () => {
      const series = readSeries(text);
      assert.ok(series.ok, JSON.stringify(series));
      assert.deepEqual(
        series.value.points.map(({ atMs, text: value }) => [atMs, value]),
        points,
      );
    });
  }

  const refusals: readonly { readonly name: string; readonly text: string; readonly says: string }[] = [
    { name: 'nothing', text: '', says: 'expected a column "time", found ' },
    { name: 'names alone', text: 'time,value\n', says: 'it has no points' },
    { name: 'no times', text: 'when,value\nx,1', says: 'expected a column "time", found when, value' },
    {
      name: 'a time that is none',
      text: `${T},1\nsoon,2`,
      says: 'line 2: expected an RFC 3339 time or Unix seconds, found "soon"',
    },
    {
      name: 'a value that is no number',
      text: `${T},1.2 K`,
      says: 'line 1: expected a number as value, found "1.2 K"',
    },
    { name: 'two rows for a time', text: `${T},1\n${T},2`, says: 'line 2: expected one row for each time' },
    {
      name: 'a weight that is none',
      text: `${T},1,256`,
      says: 'line 1: expected an integer from 0 to 255 as weight, found "256"',
    },
    {
      name: 'several series',
      text: matrix([[T, '1']], [[T, '2']]),
      says: 'the result has 2 series, expected one; aggregate them, for example with sum(...)',
    },
    { name: 'an empty result', text: matrix(), says: 'it has no points' },
    { name: 'other JSON', text: '{"a":1}', says: "expected the answer of Prometheus' /api/v1/query_range" },
    { name: 'half a JSON', text: '{"a":', says: 'it is not JSON' },
    {
      name: 'a partial result',
      text: JSON.stringify({ data: { resultType: 'matrix', result: [] }, warnings: ['a store is away'] }),
      says: 'Prometheus warns that the result is incomplete: a store is away',
    },
  ];
  for (const { name, text, says } of refusals) {
    it(`is refused with ${name}`, () => assert.deepEqual(readSeries(text), { ok: false, error: says }));
  }

  it('may carry the weights that were published', () => {
    const series = readSeries(`${T},1,0\n${T + 60},2,\n${T + 120},3,16`);
    assert.ok(series.ok);
    assert.deepEqual(series.value.weights, [
      { atMs: MS, weight: 0 },
      { atMs: MS + 120_000, weight: 16 },
    ]);
  });

  it('of weights alone is CSV or the answer of a range query', () => {
    const weights = { ok: true, value: [{ atMs: MS, weight: 9 }] };
    assert.deepEqual(readWeights(`time,weight\n${T},9`), weights);
    assert.deepEqual(readWeights(matrix([[T, '9']])), weights);
    assert.deepEqual(readWeights(matrix([[T, '9.5']])), {
      ok: false,
      error: 'line 0: expected an integer from 0 to 255 as weight, found "9.5"',
    });
    assert.equal(readWeights('{}').ok, false);
    assert.equal(readWeights('a,b').ok, false);
  });
});

describe('the gaps of a range', () => {
  it('are evaluations without data; a jitter of less than half a step is none', () => {
    const points = [0, 60_000, 118_000, 300_000].map((atMs) => ({ atMs, text: 'x' }));
    assert.deepEqual(
      fillGaps(points, 60_000).map(({ atMs, text }) => [atMs, text]),
      [
        [0, 'x'],
        [60_000, 'x'],
        [118_000, 'x'],
        [178_000, undefined],
        [238_000, undefined],
        [300_000, 'x'],
      ],
    );
  });
});

describe('a time on the line', () => {
  const rows: readonly { readonly text: string; readonly atMs: number | undefined }[] = [
    { text: 'now', atMs: MS },
    { text: '1h', atMs: MS - 3_600_000 },
    { text: '2026-03-02T00:00:00+01:00', atMs: MS - 3_600_000 },
    { text: String(T), atMs: MS },
    { text: 'yesterday', atMs: undefined },
  ];
  for (const { text, atMs } of rows) {
    it(`"${text}" is ${atMs === undefined ? 'none' : 'understood'}`, () =>
      assert.equal(readTimeOrAgo(text, MS), atMs));
  }
});

describe('the columns of additional metrics and guards', () => {
  const names = ['additionalMetrics.cpu', 'guards.errors'];

  it('are read by their names, an empty cell as none', () => {
    const text = `time,value,guards.errors,additionalMetrics.cpu\n${T},1,0.5,\n${T + 60},2,NaN,7\n`;
    const series = readSeries(text, names);
    assert.ok(series.ok);
    assert.deepEqual(
      [...series.value.columns].map(([name, texts]) => [name, ...texts]),
      [
        ['additionalMetrics.cpu', [MS + 60_000, '7']],
        ['guards.errors', [MS, '0.5'], [MS + 60_000, 'NaN']],
      ],
    );
  });
  it('must be there, with numbers, and are not in JSON', () => {
    const errorOf = (text: string) => {
      const series = readSeries(text, names);
      return series.ok ? undefined : series.error;
    };
    assert.equal(errorOf(`time,value\n${T},1\n`), 'expected a column "additionalMetrics.cpu" with values');
    assert.equal(
      errorOf(`time,value,additionalMetrics.cpu,guards.errors\n${T},1,x,1\n`),
      'line 2: expected a number as additionalMetrics.cpu, found "x"',
    );
    assert.equal(
      errorOf(matrix([[T, '1']])),
      'JSON holds one query; expected CSV with the columns time, value, additionalMetrics.cpu, guards.errors',
    );
  });
});
