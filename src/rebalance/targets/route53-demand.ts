import type { Timer } from '../../foundation/timer.ts';
import { shortestIntervalMs, type Supply } from './route53-pace.ts';

/** Who reads an account's zones, and how often. */
export interface Demand {
  /** A sync reads a set of a zone, as it does every `intervalMs`. */
  note(asker: Asker): void;
  /** The shortest interval at which everybody can be served; 0: any. */
  shortestIntervalMs(): number;
}

export interface Asker {
  readonly zoneId: string;
  /** Tells those who read one zone apart. */
  readonly id: string;
  readonly intervalMs: number;
}

export interface DemandOptions extends Supply {
  readonly timer: Timer;
  readonly pagesOf: (zoneId: string) => number;
}

/** Who has not come for so many of its intervals does not count any more. */
const MISSED_INTERVALS = 3;
/** It is worked out anew so often at most. */
const FRESH_MS = 1_000;

interface Seen extends Asker {
  readonly atMs: number;
}

/** Learned from who comes: after a restart it begins with nobody, and knows all after one round. */
export function createDemand({ timer, pagesOf, ...supply }: DemandOptions): Demand {
  const seen = new Map<string, Seen>();
  let currentMs = 0;
  let workedOutMs = -Infinity;

  const workOut = (nowMs: number): number => {
    for (const [key, { atMs, intervalMs }] of seen) {
      if (nowMs - atMs > MISSED_INTERVALS * Math.max(intervalMs, currentMs)) seen.delete(key);
    }
    const zones = [...Map.groupBy(seen.values(), ({ zoneId }) => zoneId)].map(([zoneId, askers]) => ({
      intervalsMs: askers.map(({ intervalMs }) => intervalMs),
      pages: pagesOf(zoneId),
    }));
    return shortestIntervalMs(zones, supply, currentMs);
  };

  return {
    note: (asker) => {
      seen.set(JSON.stringify([asker.zoneId, asker.id]), { ...asker, atMs: timer.nowMs() });
    },
    shortestIntervalMs: () => {
      const nowMs = timer.nowMs();
      if (nowMs - workedOutMs >= FRESH_MS) {
        currentMs = workOut(nowMs);
        workedOutMs = nowMs;
      }
      return currentMs;
    },
  };
}
