/** Names a Rebalance in its series. */
export interface SeriesKey {
  readonly namespace: string;
  readonly name: string;
}

/** Which objects have been seen of late: those that have series. Every time is told: it has no clock. */
export interface Sightings {
  /** Seen, with an interval of its own. Returns who is forgotten for it: of too many, whoever was not seen for longest. */
  see(key: SeriesKey, intervalMs: number, nowMs: number): SeriesKey | undefined;
  /** A sync of it begins: it is seen until that ends, and at its end. What has no series gets no memory by this. */
  begin(key: SeriesKey): void;
  end(key: SeriesKey, nowMs: number): void;
  forget(key: SeriesKey): void;
  /** Whatever has not been seen for three of its intervals. */
  unseen(nowMs: number): readonly SeriesKey[];
}

interface Sighting {
  readonly key: SeriesKey;
  readonly intervalMs: number;
  readonly lastMs: number;
}

const UNSEEN_INTERVALS = 3;

/** At most `maxObjects` are remembered, and whoever has a sync running. */
export function createSightings(maxObjects: number): Sightings {
  /** Whoever was not seen for longest comes first. */
  const seen = new Map<string, Sighting>();
  /** How many syncs run, of each object of which one does. */
  const running = new Map<string, number>();
  const put = (sighting: Sighting): void => {
    seen.delete(pathOf(sighting.key));
    seen.set(pathOf(sighting.key), sighting);
  };
  return {
    see: (key, intervalMs, nowMs) => {
      put({ key, intervalMs, lastMs: nowMs });
      const [longestUnseen] = seen.values();
      if (seen.size <= maxObjects || longestUnseen === undefined) return undefined;
      seen.delete(pathOf(longestUnseen.key));
      return longestUnseen.key;
    },
    begin: (key) => {
      running.set(pathOf(key), (running.get(pathOf(key)) ?? 0) + 1);
    },
    end: (key, nowMs) => {
      const left = (running.get(pathOf(key)) ?? 1) - 1;
      if (left > 0) running.set(pathOf(key), left);
      else running.delete(pathOf(key));
      const before = seen.get(pathOf(key));
      if (before !== undefined) put({ ...before, lastMs: nowMs });
    },
    forget: (key) => {
      seen.delete(pathOf(key));
    },
    unseen: (nowMs) =>
      [...seen.values()]
        .filter(({ key, intervalMs, lastMs }) => {
          return !running.has(pathOf(key)) && nowMs - lastMs > UNSEEN_INTERVALS * intervalMs;
        })
        .map(({ key }) => key),
  };
}

/** One text for one object. */
export function pathOf({ namespace, name }: SeriesKey): string {
  return `${namespace}/${name}`;
}
