import type { Clock } from '../../foundation/clock.ts';
import { beforeDeadline, type Deadline } from '../../foundation/deadline.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import { timedOut } from './failures.ts';
import type { AwsCredentials, CredentialFailure, CredentialSet } from './port.ts';
import { isSame } from './renewal.ts';

/** Credentials as they were got. */
export interface Loaded {
  readonly credentials: AwsCredentials;
  /** undefined: they do not say, as keys of a file. */
  readonly expiresAtMs: number | undefined;
}

/** Gets credentials; ends with the deadline, by `timedOut` when it has passed. */
export type Load = (deadline: Deadline) => Promise<Result<Loaded, CredentialFailure>>;

interface Kept {
  readonly credentials: AwsCredentials;
  /** From then on newer ones are got, while these are still used. */
  readonly renewFromMs: number;
  /** From then on they are not used. */
  readonly goodUntilMs: number;
}

/** As the AWS SDKs do: room for several attempts, and for a clock that is a little off. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** Longer than a call with its retries takes. */
const UNUSED_BEFORE_MS = 30_000;
/** Keys without an end may be exchanged at any time: a file that changed is seen after so long, or once AWS refuses them. */
const ENDLESS_KEPT_MS = 60_000;

/**
 * A set whose credentials are kept while they are good. All who need them at once share one load; near the end of their
 * life they are renewed beside the work, so that neither a slow nor a failing source delays it until they are really gone.
 */
export function keepSet(key: string, load: Load, clock: Clock): CredentialSet {
  let kept: Kept | undefined;
  let loading: Promise<Result<AwsCredentials, CredentialFailure>> | undefined;

  const loadOnce = async (deadline: Deadline): Promise<Result<AwsCredentials, CredentialFailure>> => {
    try {
      const loaded = await load(deadline);
      if (!loaded.ok) return loaded;
      kept = keep(loaded.value, clock.nowMs());
      return ok(kept.credentials);
    } finally {
      loading = undefined;
    }
  };
  const begin = (deadline: Deadline) => (loading ??= loadOnce(deadline));

  return {
    key,
    current: async (deadline) => {
      const nowMs = clock.nowMs();
      if (kept !== undefined && nowMs < kept.goodUntilMs) {
        if (nowMs >= kept.renewFromMs) void begin(deadline);
        return ok(kept.credentials);
      }
      // Whoever began a load had less time: what it could not wait for is tried again in our own.
      while (!deadline.signal.aborted) {
        const result = await beforeDeadline(deadline, begin(deadline), err(timedOut()));
        if (result.ok || result.error.reason !== 'CredentialsTimeout') return result;
      }
      return err(timedOut());
    },
    forget: (credentials) => {
      if (kept !== undefined && isSame(kept.credentials, credentials)) kept = undefined;
    },
  };
}

/** Credentials of a short life are renewed in its second half, not at each call. */
function keep({ credentials, expiresAtMs }: Loaded, nowMs: number): Kept {
  if (expiresAtMs === undefined)
    return { credentials, renewFromMs: nowMs + ENDLESS_KEPT_MS, goodUntilMs: nowMs + ENDLESS_KEPT_MS };
  const lifeMs = expiresAtMs - nowMs;
  return {
    credentials,
    renewFromMs: expiresAtMs - Math.min(RENEW_BEFORE_MS, lifeMs / 2),
    goodUntilMs: expiresAtMs - UNUSED_BEFORE_MS,
  };
}
