import type { Clock } from '../../src/foundation/clock.ts';

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
