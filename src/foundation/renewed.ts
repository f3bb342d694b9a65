import type { Clock } from './clock.ts';
import { beforeDeadline, type Deadline } from './deadline.ts';
import { err, ok, type Result } from './result.ts';

/** Something that is good for a while, as it was got. */
export interface Lasting<T> {
  readonly value: T;
  /** undefined: it does not say, as keys of a file. */
  readonly expiresAtMs: number | undefined;
}

/** Gets it; ends with the deadline, by a failure that is late when it has passed. */
export type LoadLasting<T, F> = (deadline: Deadline) => Promise<Result<Lasting<T>, F>>;

export interface Renewed<T, F> {
  /** The current one; what is asked for it ends with the deadline. */
  current(deadline: Deadline): Promise<Result<T, F>>;
  /** It is refused: the next call gets a newer one. Of no effect once it has been replaced. */
  forget(value: T): void;
}

export interface Renewal<T, F> {
  readonly load: LoadLasting<T, F>;
  readonly clock: Clock;
  readonly isSame: (one: T, other: T) => boolean;
  /** What to say when the deadline has passed. */
  readonly late: () => F;
  readonly isLate: (failure: F) => boolean;
}

interface Kept<T> {
  readonly value: T;
  /** From then on a newer one is got, while this is still used. */
  readonly renewFromMs: number;
  /** From then on it is not used. */
  readonly goodUntilMs: number;
}

/** As the AWS SDKs do: room for several attempts, and for a clock that is a little off. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** Longer than a call with its retries takes. */
const UNUSED_BEFORE_MS = 30_000;
/** What has no end may be exchanged at any time: that is seen after so long, or once it is refused. */
const ENDLESS_KEPT_MS = 60_000;

/**
 * Keeps what is good for a while. All who need it at once share one load; near the end of its life it is renewed beside the
 * work, so that neither a slow nor a failing source delays that until it is really gone.
 */
export function keepRenewed<T, F>({ load, clock, isSame, late, isLate }: Renewal<T, F>): Renewed<T, F> {
  let kept: Kept<T> | undefined;
  let loading: Promise<Result<T, F>> | undefined;

  const loadOnce = async (deadline: Deadline): Promise<Result<T, F>> => {
    try {
      const loaded = await load(deadline);
      if (!loaded.ok) return loaded;
      kept = keep(loaded.value, clock.nowMs());
      return ok(kept.value);
    } finally {
      loading = undefined;
    }
  };
  const begin = (deadline: Deadline) => (loading ??= loadOnce(deadline));

  return {
    current: async (deadline) => {
      const nowMs = clock.nowMs();
      if (kept !== undefined && nowMs < kept.goodUntilMs) {
        if (nowMs >= kept.renewFromMs) void begin(deadline);
        return ok(kept.value);
      }
      // Whoever began a load had less time: what it could not wait for is tried again in our own.
      while (!deadline.signal.aborted) {
        const result = await beforeDeadline(deadline, begin(deadline), err(late()));
        if (result.ok || !isLate(result.error)) return result;
      }
      return err(late());
    },
    forget: (value) => {
      if (kept !== undefined && isSame(kept.value, value)) kept = undefined;
    },
  };
}

/** What has a short life is renewed in its second half, not at each call. */
function keep<T>({ value, expiresAtMs }: Lasting<T>, nowMs: number): Kept<T> {
  if (expiresAtMs === undefined)
    return { value, renewFromMs: nowMs + ENDLESS_KEPT_MS, goodUntilMs: nowMs + ENDLESS_KEPT_MS };
  const lifeMs = expiresAtMs - nowMs;
  return {
    value,
    renewFromMs: expiresAtMs - Math.min(RENEW_BEFORE_MS, lifeMs / 2),
    goodUntilMs: expiresAtMs - UNUSED_BEFORE_MS,
  };
}
