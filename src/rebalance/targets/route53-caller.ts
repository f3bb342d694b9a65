import type { Deadline } from '../../foundation/deadline.ts';
import { err, type Result } from '../../foundation/result.ts';
import type { Timer } from '../../foundation/timer.ts';
import type { TargetFailure } from './port.ts';

export type Outcome<T> = Promise<Result<T, TargetFailure>>;

/** Somebody who waits for an answer that may be shared with others, each with a deadline of its own. */
export interface Caller<T> {
  /** Whether it still waits: who has its answer, or gave up, needs no request any more. */
  readonly isWaiting: () => boolean;
  /** Answers it; only the first answer counts. */
  readonly settle: (result: Result<T, TargetFailure>) => void;
  readonly answer: Outcome<T>;
}

/** What a sync keeps of its deadline for the request that it waits to send, and for what it wants after it. */
export const FOR_THE_REST_MS = 1_500;

export interface CallerOptions {
  readonly deadline: Deadline;
  readonly timer: Timer;
  /** It gives up waiting for a turn when no more than this is left of its deadline. */
  readonly reserveMs: number;
  /** Whether a request of its own is on the way, so that it waits for the deadline itself. */
  readonly isServed: () => boolean;
  /** What to say when it gives up. */
  readonly failure: () => TargetFailure;
  readonly onGiveUp: () => void;
}

export function createCaller<T>({ deadline, timer, ...options }: CallerOptions): Caller<T> {
  const { promise: answer, resolve } = Promise.withResolvers<Result<T, TargetFailure>>();
  let isWaiting = true;
  const settle = (result: Result<T, TargetFailure>): void => {
    if (!isWaiting) return;
    isWaiting = false;
    stop();
    deadline.signal.removeEventListener('abort', giveUp);
    resolve(result);
  };
  const giveUp = (): void => {
    if (!isWaiting) return;
    settle(err(options.failure()));
    options.onGiveUp();
  };
  const patienceMs = Math.max(0, deadline.remainingMs() - options.reserveMs);
  const stop = timer.after(patienceMs, () => {
    if (!options.isServed()) giveUp();
  });
  deadline.signal.addEventListener('abort', giveUp);
  if (deadline.signal.aborted) giveUp();
  return { isWaiting: () => isWaiting, settle, answer };
}
