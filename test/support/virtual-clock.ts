import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../src/foundation/clock.ts';
import type { Deadline } from '../../src/foundation/deadline.ts';
import type { Timer } from '../../src/foundation/timer.ts';

/** A clock that stands still until it is told otherwise. */
export interface VirtualClock extends Clock {
  set(nowMs: number): void;
  advance(ms: number): void;
}

export function createVirtualClock(start = '2026-01-01T00:00:00Z'): VirtualClock {
  let nowMs = Date.parse(start);
  return {
    nowMs: () => nowMs,
    set(to) {
      nowMs = to;
    },
    advance(ms) {
      nowMs += ms;
    },
  };
}

/** Virtual time that runs as fast as what happens in it: it moves on when nobody has anything to do. */
export interface VirtualTime extends Timer {
  /** Runs until so long from now. */
  run(durationMs: number): Promise<void>;
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
  /** As `startDeadline`, in this time. */
  deadline(budgetMs: number): Deadline;
}

/** Turns of the event loop that what was woken gets, to come as far as it can; nothing in this time does real I/O. */
const SETTLE_TURNS = 6;

export function createVirtualTime(start = '2026-01-01T00:00:00Z'): VirtualTime {
  let nowMs = Date.parse(start);
  let last = 0;
  const alarms = new Map<number, { readonly atMs: number; readonly act: () => void }>();

  const after = (delayMs: number, act: () => void): (() => void) => {
    const id = (last += 1);
    alarms.set(id, { atMs: nowMs + Math.max(0, delayMs), act });
    return () => void alarms.delete(id);
  };
  const settle = async (): Promise<void> => {
    for (let count = 0; count < SETTLE_TURNS; count += 1) await turn();
  };
  /** Those that are due first; in the order in which they were set. */
  const takeNext = (untilMs: number): readonly (() => void)[] => {
    const atMs = Math.min(...[...alarms.values()].map((alarm) => alarm.atMs));
    if (atMs > untilMs) return [];
    nowMs = atMs;
    const due = [...alarms].filter(([, alarm]) => alarm.atMs === atMs);
    for (const [id] of due) alarms.delete(id);
    return due.map(([, { act }]) => act);
  };

  return {
    nowMs: () => nowMs,
    after,
    run: async (durationMs) => {
      const untilMs = nowMs + durationMs;
      await settle();
      for (let due = takeNext(untilMs); due.length > 0; due = takeNext(untilMs)) {
        for (const act of due) act();
        await settle();
      }
      nowMs = untilMs;
    },
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        const abort = (): void => {
          stop();
          reject(signal?.reason as Error);
        };
        const stop = after(durationMs, () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        });
        signal?.addEventListener('abort', abort);
        if (signal?.aborted === true) abort();
      }),
    deadline: (budgetMs) => {
      const beganMs = nowMs;
      const abort = new AbortController();
      after(budgetMs, () => abort.abort());
      return {
        beganMs,
        signal: abort.signal,
        remainingMs: () => Math.max(0, beganMs + budgetMs - nowMs),
      };
    },
  };
}
