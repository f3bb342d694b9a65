import { isThrottled } from '../aws/failures.ts';

/** How often a request is sent before its failure counts; each time is a turn of its own. */
const MAX_TRIES = 3;

/** A second empties Route 53's count of an account's requests. */
const THROTTLED_MS = 1_000;
/** Another change of the zone is being made, by somebody else: ours are never sent two at a time. */
const ZONE_BUSY_MS = 500;
const TRANSIENT_MS = 100;

/** Connection failures that may be over soon. */
const CONNECTION_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const TRANSIENT_STATUS = new Set([500, 502, 503, 504]);

/** What to do after a request that failed. */
export type Retry =
  | { readonly kind: 'GiveUp' }
  /** Nothing of the account may be sent for so long. */
  | { readonly kind: 'PauseAccount'; readonly delayMs: number }
  | { readonly kind: 'Again'; readonly delayMs: number };

/**
 * Whether a request that failed for the `tries`-th time is worth another one, and when: each pause is twice the one
 * before. Retries of the SDK would know nothing of the account's rate, so its clients make none.
 */
export function retryAfter(thrown: unknown, tries: number): Retry {
  if (tries >= MAX_TRIES) return { kind: 'GiveUp' };
  const factor = 2 ** (tries - 1);
  const { name, code, $metadata } = (thrown ?? {}) as {
    readonly name?: unknown;
    readonly code?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: unknown; readonly clockSkewCorrected?: unknown };
  };
  if (isThrottled(thrown)) return { kind: 'PauseAccount', delayMs: THROTTLED_MS * factor };
  if (name === 'PriorRequestNotComplete') return { kind: 'Again', delayMs: ZONE_BUSY_MS * factor };
  const isTransient =
    CONNECTION_CODES.has(String(code)) ||
    TRANSIENT_STATUS.has(Number($metadata?.httpStatusCode)) ||
    // The SDK has just learnt how far the clocks are apart, and signs the next request right.
    $metadata?.clockSkewCorrected === true;
  return isTransient ? { kind: 'Again', delayMs: TRANSIENT_MS * factor } : { kind: 'GiveUp' };
}
