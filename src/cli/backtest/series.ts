import type { PrometheusQuery, RebalanceSpec } from '../../rebalance/spec.ts';

/** What was measured at a time; `text` is as Prometheus or a file gave it, undefined where it gave nothing. */
export interface Point {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly text: string | undefined;
}

/** A weight that was published from a time on. */
export interface PublishedWeight {
  readonly atMs: number;
  readonly weight: number;
}

/** Points ordered by time, with the weights and the other queries that stood beside them, if any did. */
export interface Series {
  readonly points: readonly Point[];
  readonly weights: readonly PublishedWeight[];
  /** What the additional metrics and guards gave at the same times, by column. */
  readonly columns: Columns;
}

/** By column, `additionalMetrics.cpu` or `guards.errors`: the text at each time, in milliseconds, that has one. */
export type Columns = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** A query of a spec beside that of spec.metrics. */
export interface Column {
  readonly name: string;
  readonly query: PrometheusQuery;
}

/** The columns that specs need, each once; where two have the same, the query of the first counts. */
export function columnsOf(specs: readonly RebalanceSpec[]): readonly Column[] {
  const all = specs.flatMap(({ additionalMetrics, guards }): readonly Column[] => [
    ...additionalMetrics.map(({ name, metric }) => ({ name: metricColumn(name), query: metric })),
    ...guards.map(({ name, query }) => ({ name: guardColumn(name), query })),
  ]);
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
}

export function metricColumn(name: string): string {
  return `additionalMetrics.${name}`;
}

export function guardColumn(name: string): string {
  return `guards.${name}`;
}

/** The points of a column at the times of others. */
export function pointsAt(columns: Columns, name: string, points: readonly Point[]): readonly Point[] {
  const texts = columns.get(name);
  return points.map(({ atMs }) => ({ atMs, text: texts?.get(atMs) }));
}

/** The texts of points, by time. */
export function textsOf(points: readonly Point[]): ReadonlyMap<number, string> {
  return new Map(points.flatMap(({ atMs, text }) => (text === undefined ? [] : [[atMs, text] as const])));
}

/**
 * The points of a grid with what is missing between two of them made visible: at each step of the grid that has no
 * point the query gave nothing, which is an evaluation without data.
 */
export function fillGaps(points: readonly Point[], stepMs: number): readonly Point[] {
  const filled: Point[] = [];
  for (const point of points) {
    const last = filled.at(-1);
    const missing = last === undefined ? 0 : Math.round((point.atMs - last.atMs) / stepMs) - 1;
    for (let index = 1; index <= missing; index += 1)
      filled.push({ atMs: (last?.atMs ?? 0) + index * stepMs, text: undefined });
    filled.push(point);
  }
  return filled;
}

/** The shortest time between two neighbours; undefined for fewer than two points. */
export function shortestStepMs(points: readonly Point[]): number | undefined {
  const steps = points.slice(1).map(({ atMs }, index) => atMs - (points[index]?.atMs ?? atMs));
  return steps.length === 0 ? undefined : steps.reduce((least, step) => Math.min(least, step));
}
