/**
 * Two exponential filters in time over the demand estimate: a slow one that noise does not move, and a fast one that
 * takes over while the demand really changes. Both always run; neither is ever overwritten by the other.
 */
export interface DemandFilter {
  readonly fast: number;
  readonly slow: number;
  /** The fast filter is believed. */
  readonly catchingUp: boolean;
  /** Milliseconds since the epoch of the estimate that last moved the filters. */
  readonly atMs: number;
}

/** Half-lives in intervals. */
const FAST_HALF_LIFE = 1;
const SLOW_HALF_LIFE = 6;
/** Relative to the larger of slow estimate and target: the filters differ so much that demand must have changed. */
const CATCH_UP_ABOVE = 0.2;
/** They agree again. */
const CAUGHT_UP_BELOW = 0.02;

export interface DemandEstimate {
  /** metric / share seen, clamped to what the bounds can answer. */
  readonly demand: number;
  readonly target: number;
  readonly intervalMs: number;
  readonly nowMs: number;
}

/**
 * The filters after one more estimate. The first estimate sets both. One less than half an interval after the last leaves
 * them alone: a doubled evaluation says nothing new.
 */
export function filterDemand(previous: DemandFilter | undefined, estimate: DemandEstimate): DemandFilter {
  const { demand, target, intervalMs, nowMs } = estimate;
  if (previous === undefined) return { fast: demand, slow: demand, catchingUp: false, atMs: nowMs };
  const elapsedMs = nowMs - previous.atMs;
  if (elapsedMs < intervalMs / 2) return previous;
  const towards = (from: number, halfLife: number): number =>
    demand + (from - demand) * 2 ** (-elapsedMs / (halfLife * intervalMs));
  const fast = towards(previous.fast, FAST_HALF_LIFE);
  const slow = towards(previous.slow, SLOW_HALF_LIFE);
  const apart = Math.abs(fast - slow) / Math.max(slow, target);
  const catchingUp = apart > CATCH_UP_ABOVE || (previous.catchingUp && apart > CAUGHT_UP_BELOW);
  return { fast, slow, catchingUp, atMs: nowMs };
}

/** The demand to act on. */
export function filteredDemand(filter: DemandFilter): number {
  return filter.catchingUp ? filter.fast : filter.slow;
}
