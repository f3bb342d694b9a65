/**
 * The one deadline of a request, passed down to every outside call. What does not fit is aborted by `signal`
 * and reported as a timeout of the stage that was running.
 */
export interface Deadline {
  /** Aborts when the deadline has passed. */
  readonly signal: AbortSignal;
  /** Milliseconds left, never negative. */
  remainingMs(): number;
}

/** Starts a deadline `budgetMs` from now, on the monotonic clock: a wall clock that is set does not move it. */
export function startDeadline(budgetMs: number): Deadline {
  const endMs = performance.now() + budgetMs;
  return {
    // whole milliseconds only: a fraction is rounded up, so that the signal never precedes the end
    signal: AbortSignal.timeout(Math.ceil(budgetMs)),
    remainingMs: () => Math.max(0, endMs - performance.now()),
  };
}

/** A deadline inside `outer`: at most `limitMs` from now, and never later than `outer`. */
export function withinDeadline(outer: Deadline, limitMs: number): Deadline {
  const inner = startDeadline(Math.max(0, Math.min(limitMs, outer.remainingMs())));
  return {
    signal: AbortSignal.any([outer.signal, inner.signal]),
    remainingMs: () => Math.min(outer.remainingMs(), inner.remainingMs()),
  };
}
