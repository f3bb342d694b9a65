/**
 * Exponential filters in time over the demand estimate: a slow one that noise does not move, a fast one that takes over
 * while the demand jumps, and the drift, by which the slow one lags behind a demand that keeps going one way. All always
 * run; none is ever overwritten by another. docs/adr/0008 has what each is worth.
 */
export interface DemandFilter {
  readonly fast: number;
  readonly slow: number;
  /** How far the estimates have been above the slow filter of late; negative: below. */
  readonly drift: number;
  /** The fast filter is believed. */
  readonly catchingUp: boolean;
  /** The drift is believed. */
  readonly drifting: boolean;
  /** Milliseconds since the epoch of the estimate that last moved the filters. */
  readonly atMs: number;
}

/** Half-lives in intervals; the drift has the slow one, with which it makes up for the whole lag behind a ramp. */
const FAST_HALF_LIFE = 1;
const SLOW_HALF_LIFE = 6;
/** Relative to the larger of slow estimate and target: the filters differ so much that demand must have changed. */
const CATCH_UP_ABOVE = 0.2;
/** The drift is more than noise makes. */
const DRIFT_ABOVE = 0.05;
/** They agree again; there is no drift any more. */
const AGREE_BELOW = 0.02;
/** The noise of a sample, relative: an estimate whose doubt is as large counts half. */
const NOISE = 0.1;

/** What one sample says of the demand. */
export interface DemandEstimate {
  /** metric / share seen, clamped to what the bounds can answer. */
  readonly demand: number;
  /** By which part it may be wrong because the share seen is changing, and nobody knows to the interval when. */
  readonly doubt: number;
  readonly target: number;
  readonly intervalMs: number;
  readonly nowMs: number;
}

/**
 * The filters after one more estimate. The first estimate sets both. One less than half an interval after the last leaves
 * them alone: a doubled evaluation says nothing new. One in doubt moves them as little as if less time had passed, so
 * that the wake of our own change is not taken for demand; only a jump that is already being followed is followed on.
 */
export function filterDemand(previous: DemandFilter | undefined, estimate: DemandEstimate): DemandFilter {
  const { demand, doubt, target, intervalMs, nowMs } = estimate;
  if (previous === undefined)
    return { fast: demand, slow: demand, drift: 0, catchingUp: false, drifting: false, atMs: nowMs };
  const elapsed = (nowMs - previous.atMs) / intervalMs;
  if (elapsed < 1 / 2) return previous;
  const counted = elapsed / (1 + (doubt / NOISE) ** 2);
  const fast = approach(previous.fast, demand, (previous.catchingUp ? elapsed : counted) / FAST_HALF_LIFE);
  const slow = approach(previous.slow, demand, counted / SLOW_HALF_LIFE);
  const part = (difference: number): number => Math.abs(difference) / Math.max(slow, target);
  const stays = (isSet: boolean, difference: number, above: number): boolean =>
    part(difference) > above || (isSet && part(difference) > AGREE_BELOW);

  const catchingUp = stays(previous.catchingUp, fast - slow, CATCH_UP_ABOVE);
  const hasCaughtUp = previous.catchingUp && !catchingUp;
  // What was caught up with is drift no more.
  const drift = hasCaughtUp ? 0 : approach(previous.drift, demand - slow, counted / SLOW_HALF_LIFE);
  const drifting = !catchingUp && stays(previous.drifting, drift, DRIFT_ABOVE);
  return { fast, slow, drift, catchingUp, drifting, atMs: nowMs };
}

/** The demand to act on. */
export function filteredDemand({ fast, slow, drift, catchingUp, drifting }: DemandFilter): number {
  if (catchingUp) return fast;
  return drifting ? Math.max(0, slow + drift) : slow;
}

/** What is left of the way is halved with each half-life. */
function approach(from: number, to: number, halfLives: number): number {
  return to + (from - to) * 2 ** -halfLives;
}
