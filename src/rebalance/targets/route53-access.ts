import type { Route53Client } from '@aws-sdk/client-route-53';
import type { Turns } from './route53-turns.ts';

/** One set of credentials as it is now. */
export interface Access {
  /** Tells sets apart; no secret. Answers are shared, and changes combined, only within one. */
  readonly key: string;
  /** Who shares AWS' quota. */
  readonly account: string;
  readonly client: Route53Client;
  /** The line that the requests of its account stand in. */
  readonly turns: Turns;
}

/** Ends with the signal at the latest: the SDK heeds it while it calls, not while it looks for credentials. */
export async function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    signal.throwIfAborted();
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
