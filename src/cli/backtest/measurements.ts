import { err, ok, type Result } from '../../foundation/result.ts';
import type { QueryRange } from '../../rebalance/metrics/prometheus-request.ts';
import type { PrometheusQuery } from '../../rebalance/spec.ts';
import { readText } from '../manifest.ts';
import { fetchPoints, type RangeSource } from './fetch-series.ts';
import { readSeries, readWeights } from './read-series.ts';
import { textsOf, type Column, type Point, type PublishedWeight, type Series } from './series.ts';
import { readTimeOrAgo } from './time.ts';

/** Where measurements come from, as the line says it. */
export interface SourceOptions {
  readonly file?: string;
  readonly prometheus?: string;
  readonly from: string;
  readonly to: string;
  /** Milliseconds; the interval in use where absent. */
  readonly step?: number;
  readonly weights?: string;
}

/** How to ask a Prometheus. */
export interface Asking {
  readonly metric: PrometheusQuery;
  /** The other queries that are needed. */
  readonly columns: readonly Column[];
  readonly intervalMs: number;
  readonly nowMs: number;
  readonly source: () => Promise<Result<RangeSource, string>>;
  readonly onChunk: (done: number, all: number) => void;
}

/** What was measured, from the one source that the line names, and the weights published then. */
export async function readMeasurements(
  options: SourceOptions,
  asking: Asking,
): Promise<Result<Series, string>> {
  const { file, prometheus } = options;
  if ((file === undefined) === (prometheus === undefined))
    return err('--file or --prometheus: expected one of them, as the source of the metric');
  const measured =
    file !== undefined
      ? readBy('--file', file, (text) =>
          readSeries(
            text,
            asking.columns.map(({ name }) => name),
          ),
        )
      : await ask(asking, prometheus ?? '', options);
  if (!measured.ok || options.weights === undefined) return measured;
  const weights = readBy('--weights', options.weights, readWeights);
  return weights.ok ? ok({ ...measured.value, weights: weights.value }) : weights;
}

function readBy<T>(flag: string, path: string, read: (text: string) => Result<T, string>): Result<T, string> {
  const text = readText(path);
  const value = text.ok ? read(text.value) : text;
  return value.ok ? value : err(`${flag} ${path}: ${value.error}`);
}

async function ask(asking: Asking, address: string, options: SourceOptions): Promise<Result<Series, string>> {
  const range = rangeOf(options, asking);
  if (!range.ok) return range;
  const source = await asking.source();
  if (!source.ok) return source;
  const fetch = (query: PrometheusQuery): Promise<Result<readonly Point[], string>> =>
    fetchPoints({ ...query, address }, range.value, source.value, asking.onChunk);
  const points = await fetch(asking.metric);
  if (!points.ok) return points;
  const columns = new Map<string, ReadonlyMap<number, string>>();
  for (const { name, query } of asking.columns) {
    const column = await fetch(query);
    if (!column.ok) return column;
    columns.set(name, textsOf(column.value));
  }
  return ok({ points: points.value, weights: NONE, columns });
}

const NONE: readonly PublishedWeight[] = [];

function rangeOf(options: SourceOptions, { nowMs, intervalMs }: Asking): Result<QueryRange, string> {
  const [fromMs, toMs] = [readTimeOrAgo(options.from, nowMs), readTimeOrAgo(options.to, nowMs)];
  const expected = 'expected an RFC 3339 time, Unix seconds, now, or a duration ago such as 168h';
  if (fromMs === undefined) return err(`--from "${options.from}": ${expected}`);
  if (toMs === undefined) return err(`--to "${options.to}": ${expected}`);
  if (fromMs >= toMs) return err('--from: expected a time before --to');
  return ok({ fromMs, toMs, stepMs: options.step ?? intervalMs });
}
