import type { Clock } from '../../../src/foundation/clock.ts';

const FIRST_BACKOFF_MS = 5;
const LONGEST_BACKOFF_MS = 1_000_000;

/** Keys to be worked on, in the manner of client-go's work queue. It has no timers: its owner asks when something is due. */
export interface WorkQueue {
  /** Due now. A key that waits already is not doubled; one that is being worked on comes once more afterwards. */
  add(key: string): void;
  /** Due once more after a time; of several pending times for a key the earliest stands, and `add` cancels none. */
  addAfter(key: string, delayMs: number): void;
  /** Due after a backoff that doubles with each call until `forget`. */
  addRateLimited(key: string): void;
  forget(key: string): void;
  /** The next key that is due, now marked as being worked on until `done`. */
  take(): string | undefined;
  done(key: string): void;
  /** When `take` will next give something; undefined = never, unless something is added. */
  nextDueMs(): number | undefined;
}

export function createWorkQueue(clock: Clock): WorkQueue {
  const due = new Set<string>();
  const working = new Set<string>();
  const again = new Set<string>();
  const waiting = new Map<string, number>();
  const failures = new Map<string, number>();

  function add(key: string): void {
    // [one-at-a-time]
    (working.has(key) ? again : due).add(key);
  }

  function addAfter(key: string, delayMs: number): void {
    if (delayMs <= 0) {
      add(key);
      return;
    }
    waiting.set(key, Math.min(waiting.get(key) ?? Infinity, clock.nowMs() + delayMs));
  }

  function promoteWaiting(): void {
    for (const [key, dueMs] of [...waiting].sort(([, a], [, b]) => a - b)) {
      if (dueMs > clock.nowMs()) return;
      waiting.delete(key);
      add(key);
    }
  }

  return {
    add,
    addAfter,
    addRateLimited(key) {
      // [backoff]
      const count = failures.get(key) ?? 0;
      failures.set(key, count + 1);
      addAfter(key, Math.min(FIRST_BACKOFF_MS * 2 ** count, LONGEST_BACKOFF_MS));
    },
    forget: (key) => void failures.delete(key),
    take() {
      promoteWaiting();
      const [key] = due;
      if (key === undefined) return undefined;
      due.delete(key);
      working.add(key);
      return key;
    },
    done(key) {
      working.delete(key);
      if (again.delete(key)) due.add(key);
    },
    nextDueMs() {
      if (due.size > 0) return clock.nowMs();
      const [earliest] = [...waiting.values()].sort((a, b) => a - b);
      return earliest;
    },
  };
}
