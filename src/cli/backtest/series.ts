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

/** Points ordered by time, with the weights that stood beside them, if any did. */
export interface Series {
  readonly points: readonly Point[];
  readonly weights: readonly PublishedWeight[];
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
