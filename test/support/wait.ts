import { setTimeout as sleep } from 'node:timers/promises';

/** What one look found: the state waited for; something else, in words; or something after which waiting is useless. */
export type Look<T> =
  | { readonly kind: 'Arrived'; readonly value: T }
  | { readonly kind: 'NotYet'; readonly seen: string }
  | { readonly kind: 'Hopeless'; readonly seen: string };

export function arrived<T>(value: T): Look<T> {
  return { kind: 'Arrived', value };
}

export function notYet(seen: string): Look<never> {
  return { kind: 'NotYet', seen };
}

export function hopeless(seen: string): Look<never> {
  return { kind: 'Hopeless', seen };
}

export interface WaitLimits {
  readonly deadlineMs: number;
  /** Pause between two looks; default 100. */
  readonly everyMs?: number;
}

/**
 * Looks until the state has arrived. Throws when `deadlineMs` has passed or the case is hopeless, saying what was
 * awaited and what was seen last. A look that throws has seen an error, and may be luckier next time.
 */
export async function waitFor<T>(
  what: string,
  { deadlineMs, everyMs = 100 }: WaitLimits,
  look: () => Promise<Look<T>> | Look<T>,
): Promise<T> {
  const endMs = performance.now() + deadlineMs;
  for (;;) {
    const found = await lookOnce(look);
    if (found.kind === 'Arrived') return found.value;
    if (found.kind === 'Hopeless') throw new Error(`no use waiting for ${what}: ${found.seen}`);
    if (performance.now() > endMs) {
      throw new Error(`waited ${deadlineMs / 1000} s for ${what}; last seen: ${found.seen}`);
    }
    await sleep(everyMs);
  }
}

/** A look at a URL: arrived when it answers 2xx. */
export async function answersOk(url: string): Promise<Look<undefined>> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2000) });
  return answer.ok ? arrived(undefined) : notYet(`${answer.status} ${await answer.text()}`);
}

async function lookOnce<T>(look: () => Promise<Look<T>> | Look<T>): Promise<Look<T>> {
  try {
    return await look();
  } catch (error) {
    return notYet(describe(error));
  }
}

/** fetch says "fetch failed" and hides the reason (ECONNREFUSED ...) in `cause`. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
