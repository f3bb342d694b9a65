import { parseJson } from '../../foundation/json.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import { asWeight } from '../../rebalance/weight.ts';
import { readCsv, type Row } from './csv.ts';
import { readRangeAnswer } from './prometheus-json.ts';
import {
  fillGaps,
  shortestStepMs,
  type Columns,
  type Point,
  type PublishedWeight,
  type Series,
} from './series.ts';

/**
 * Reads a file of measurements: the answer of Prometheus' range query as JSON, or CSV with the columns time, value and,
 * where the published weights are known, weight; CSV also has the `columns` asked for. An empty value is an evaluation
 * without data. The error is one line.
 */
export function readSeries(text: string, columns: readonly string[] = []): Result<Series, string> {
  if (isJson(text) && columns.length > 0)
    return err(
      `JSON holds one query; expected CSV with the columns ${['time', 'value', ...columns].join(', ')}`,
    );
  const series = isJson(text) ? readJson(text) : readColumns(text, columns);
  if (!series.ok) return series;
  return series.value.points.length === 0 ? err('it has no points') : series;
}

/** Reads published weights: as `readSeries`, but CSV has the columns time and weight. */
export function readWeights(text: string): Result<readonly PublishedWeight[], string> {
  if (!isJson(text)) {
    const rows = readCsv(text, ['time', 'weight']);
    return rows.ok ? weightsOf(rows.value) : rows;
  }
  const series = readJson(text);
  if (!series.ok) return series;
  const rows = series.value.points.map(({ atMs, text: weight = '' }, line): Row => ({
    line,
    atMs,
    cells: { weight },
  }));
  return weightsOf(rows);
}

function isJson(text: string): boolean {
  return text.trimStart().startsWith('{');
}

function readJson(text: string): Result<Series, string> {
  const body = parseJson(text);
  if (body === undefined) return err('it is not JSON');
  const points = readRangeAnswer(body);
  if (points === undefined) return err("expected the answer of Prometheus' /api/v1/query_range");
  if (!points.ok) return points;
  return ok({
    points: fillGaps(points.value, shortestStepMs(points.value) ?? 1),
    weights: [],
    columns: new Map(),
  });
}

function readColumns(text: string, names: readonly string[]): Result<Series, string> {
  const rows = readCsv(text, ['time', 'value', 'weight']);
  if (!rows.ok) return rows;
  const points: Point[] = [];
  for (const { line, atMs, cells } of rows.value) {
    const value = cells['value'];
    if (value !== undefined && !isNumber(value))
      return err(`line ${line}: expected a number as value, found "${value}"`);
    if (points.at(-1)?.atMs === atMs) return err(`line ${line}: expected one row for each time`);
    points.push({ atMs, text: value });
  }
  const columns = columnsFrom(rows.value, names);
  if (!columns.ok) return columns;
  const weights = weightsOf(rows.value.filter(({ cells }) => cells['weight'] !== undefined));
  return weights.ok ? ok({ points, weights: weights.value, columns: columns.value }) : weights;
}

/** Names of columns are compared in lower case, as `readCsv` gives them. */
function columnsFrom(rows: readonly Row[], names: readonly string[]): Result<Columns, string> {
  const columns = new Map<string, ReadonlyMap<number, string>>();
  for (const name of names) {
    const texts = new Map<number, string>();
    for (const { line, atMs, cells } of rows) {
      const text = cells[name.toLowerCase()];
      if (text === undefined) continue;
      if (!isNumber(text)) return err(`line ${line}: expected a number as ${name}, found "${text}"`);
      texts.set(atMs, text);
    }
    if (texts.size === 0) return err(`expected a column "${name}" with values`);
    columns.set(name, texts);
  }
  return ok(columns);
}

function isNumber(text: string): boolean {
  return !Number.isNaN(Number(text)) || /^(NaN|[+-]Inf)$/.test(text);
}

function weightsOf(rows: readonly Row[]): Result<readonly PublishedWeight[], string> {
  const weights: PublishedWeight[] = [];
  for (const { line, atMs, cells } of rows) {
    const text = cells['weight'] ?? '';
    const weight = text === '' ? undefined : asWeight(Number(text));
    if (weight === undefined)
      return err(`line ${line}: expected an integer from 0 to 255 as weight, found "${text}"`);
    weights.push({ atMs, weight });
  }
  return ok(weights);
}
