import type { Timer } from '../../foundation/timer.ts';

/** Route 53 counts by the second (Developer Guide, "Quotas": five requests a second in each AWS account). */
const WINDOW_MS = 1_000;

/**
 * What a request is for. First: a change, and a list that one has waited for long enough. Next: the other lists. Last: how
 * far a change has come, which nothing but a report waits for.
 */
export type Rank = 'First' | 'Next' | 'Last';

const RANKS: readonly Rank[] = ['First', 'Next', 'Last'];

/** A place in the line for one request. */
export interface Ticket {
  readonly rank: Rank;
  /** Starts the request, if it is still wanted; false leaves the turn to the next in line. */
  readonly start: () => boolean;
}

/** Who may send a request to Route 53 now: one line for each account. */
export interface Turns {
  /** Queues a request; `start` is called once, now or later, unless the answer was called, which takes it out of the line. */
  take(ticket: Ticket): () => void;
  /** Nothing starts for so long: the account was throttled. */
  pause(durationMs: number): void;
}

export interface TurnsOptions {
  readonly timer: Timer;
  /** Infinity: no limit. */
  readonly ratePerSecond: number;
  /** Told how long each request waited. */
  readonly onTurn?: (waitedMs: number) => void;
}

/**
 * When the next request may start: at once, or as soon as the one before the last `ratePerSecond` - 1 has left the
 * window. So no second, wherever it begins, has more than `ratePerSecond` starts. `startedMs`: ascending.
 */
export function nextTurnMs(startedMs: readonly number[], ratePerSecond: number, nowMs: number): number {
  const oldestMs = startedMs.at(-ratePerSecond);
  return oldestMs === undefined ? nowMs : Math.max(nowMs, oldestMs + WINDOW_MS);
}

/** A line in which the rank decides, and among equals who came first. */
export function createTurns({ timer, ratePerSecond, onTurn = () => undefined }: TurnsOptions): Turns {
  const lines: Readonly<Record<Rank, Queued[]>> = { First: [], Next: [], Last: [] };
  let startedMs: readonly number[] = [];
  let pausedUntilMs = -Infinity;
  let stopWaiting = (): void => undefined;
  let isCalling = false;

  const waitUntil = (turnMs: number): void => {
    stopWaiting();
    stopWaiting = timer.after(turnMs - timer.nowMs(), callAll);
  };
  const callAll = (): void => {
    // What starts may queue more: the loop that runs will come to it.
    if (isCalling) return;
    isCalling = true;
    while (callNext());
    isCalling = false;
  };
  /** Whether the next in line, where there is one, had its turn. */
  const callNext = (): boolean => {
    const line = RANKS.map((rank) => lines[rank]).find(({ length }) => length > 0);
    const next = line?.[0];
    if (line === undefined || next === undefined) return false;
    const nowMs = timer.nowMs();
    startedMs = startedMs.filter((ms) => ms > nowMs - WINDOW_MS);
    const turnMs = Math.max(nextTurnMs(startedMs, ratePerSecond, nowMs), pausedUntilMs);
    if (turnMs > nowMs) {
      waitUntil(turnMs);
      return false;
    }
    line.shift();
    if (next.ticket.start()) {
      startedMs = [...startedMs, nowMs];
      onTurn(nowMs - next.sinceMs);
    }
    return true;
  };

  return {
    take: (ticket) => {
      const line = lines[ticket.rank];
      const queued: Queued = { ticket, sinceMs: timer.nowMs() };
      line.push(queued);
      callAll();
      return () => {
        const place = line.indexOf(queued);
        if (place >= 0) line.splice(place, 1);
      };
    },
    pause: (durationMs) => {
      pausedUntilMs = Math.max(pausedUntilMs, timer.nowMs() + durationMs);
    },
  };
}

/** Acts when those who come together with the first have come: `gatherMs` from now, at once where that is 0. */
export function afterGathering(timer: Timer, gatherMs: number, act: () => void): void {
  if (gatherMs > 0) timer.after(gatherMs, act);
  else act();
}

interface Queued {
  readonly ticket: Ticket;
  readonly sinceMs: number;
}
