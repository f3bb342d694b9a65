/**
 * The one deadline of a request, passed down to every outside call. What does not fit is aborted by `signal`
 * and reported as a timeout of the stage that was running.
 */
export interface Deadline {
  /** Aborts when the deadline has passed. */
  readonly signal: AbortSignal;
  /** When the request arrived, on the monotonic clock (`performance.now`). */
  readonly beganMs: number;
  /** Milliseconds left, never negative. */
  remainingMs(): number;
}

/**
 * Starts a deadline `budgetMs` from now, on the monotonic clock: a wall clock that is set does not move it. The signal is
 * made when it is first asked for: most syncs call nobody, and a timer with its signal outlives its sync by the budget.
 */
export function startDeadline(budgetMs: number): Deadline {
  const beganMs = performance.now();
  const endMs = beganMs + budgetMs;
  const remainingMs = (): number => Math.max(0, endMs - performance.now());
  // whole milliseconds only: a fraction is rounded up, so that the signal never precedes the end
  return withSignal(beganMs, remainingMs, () => AbortSignal.timeout(Math.ceil(remainingMs())));
}

/** A deadline inside `outer`: at most `limitMs` from now, and never later than `outer`. */
export function withinDeadline(outer: Deadline, limitMs: number): Deadline {
  const inner = startDeadline(Math.max(0, Math.min(limitMs, outer.remainingMs())));
  return withSignal(
    outer.beganMs,
    () => Math.min(outer.remainingMs(), inner.remainingMs()),
    () => AbortSignal.any([outer.signal, inner.signal]),
  );
}

/** What `work` comes to, or `late` once the deadline has passed, whether or not the work heeds its signal. */
export async function beforeDeadline<T>({ signal }: Deadline, work: Promise<T>, late: T): Promise<T> {
  const { promise: passed, resolve } = Promise.withResolvers<T>();
  const end = (): void => resolve(late);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, passed]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

function withSignal(beganMs: number, remainingMs: () => number, makeSignal: () => AbortSignal): Deadline {
  let signal: AbortSignal | undefined;
  return {
    beganMs,
    get signal() {
      return (signal ??= makeSignal());
    },
    remainingMs,
  };
}
