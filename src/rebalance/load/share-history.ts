import { certain } from '../../foundation/certain.ts';

/**
 * What share of the clients still sees which weights. A change in DNS reaches a metric late: resolvers keep the old
 * answer for up to a TTL, and a range query averages over its window. The history of the reference's share, as read at
 * each evaluation, is turned into the share that the metric of this moment answered to.
 */

/** From `atMs` on, the reference record had `share` of its set. */
export interface ShareEntry {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** Reference weight over the sum of the set, 0..1; 1/n where all n weights are 0. */
  readonly share: number;
  /** The TTL of the set at that time; 60 s for alias records. */
  readonly ttlMs: number;
}

/** Entries are kept for as long as they are looked at, and one more; never more than this many. */
export const MAX_SHARES = 64;

/**
 * The part of a change that a metric shows `elapsedMs` after it: DNS caches expire evenly over the TTL, the query
 * averages evenly over its window; the convolution of both ramps. 0 before the change, 1 after TTL + window.
 */
export function seenFraction(elapsedMs: number, ttlMs: number, windowMs: number): number {
  if (ttlMs === 0 && windowMs === 0) return elapsedMs > 0 ? 1 : 0;
  if (ttlMs === 0 || windowMs === 0) return Math.min(1, Math.max(0, elapsedMs / (ttlMs + windowMs)));
  const half = (x: number): number => Math.max(0, x) ** 2 / 2;
  return (
    (half(elapsedMs) -
      half(elapsedMs - ttlMs) -
      half(elapsedMs - windowMs) +
      half(elapsedMs - ttlMs - windowMs)) /
    (ttlMs * windowMs)
  );
}

/** The largest TTL that an answer still cached now may have been given with. */
export function ttlInForceMs(history: readonly ShareEntry[], nowMs: number): number {
  const current = history.at(-1);
  if (current === undefined) return 0;
  return history.reduce((largest, entry, index) => {
    const endedAtMs = history[index + 1]?.atMs ?? nowMs;
    return endedAtMs + entry.ttlMs > nowMs ? Math.max(largest, entry.ttlMs) : largest;
  }, current.ttlMs);
}

/**
 * The share of the reference that the metric of `nowMs` answered to: every share of the past, weighted by the part of
 * the metric that still, or already, shows it. The oldest entry takes what is left. `history` is ordered by time and
 * not empty.
 */
export function seenShare(history: readonly ShareEntry[], nowMs: number, windowMs: number): number {
  const ttlMs = ttlInForceMs(history, nowMs);
  let seen = 0;
  let shownByNewer = 0;
  for (const [age, entry] of history.toReversed().entries()) {
    const isOldest = age === history.length - 1;
    const shown = isOldest ? 1 : seenFraction(nowMs - entry.atMs, ttlMs, windowMs);
    seen += entry.share * (shown - shownByNewer);
    shownByNewer = shown;
  }
  return seen;
}

/**
 * By which part a load / share seen may be wrong because resolvers, scrapes and name servers do not keep to the interval
 * what TTL and window say: by as much as the share seen of one interval earlier would give. 0 once TTL, window and an
 * interval have passed since the last change. The share seen is above 0.
 */
export function doubtOfSeenShare(
  history: readonly ShareEntry[],
  nowMs: number,
  windowMs: number,
  intervalMs: number,
): number {
  const seen = seenShare(history, nowMs, windowMs);
  const before = seenShare(history, nowMs - intervalMs, windowMs);
  return Math.abs(1 - seen / before);
}

/**
 * The history with what was just read: appended only where share or TTL differ from the newest entry. What ended longer
 * ago than a TTL and `reachMs` is dropped but for one entry; beyond the limit the two oldest become one, at the time of
 * the older.
 */
export function appendShare(
  history: readonly ShareEntry[],
  entry: ShareEntry,
  nowMs: number,
  reachMs: number,
): readonly ShareEntry[] {
  const newest = history.at(-1);
  const unchanged = newest?.share === entry.share && newest.ttlMs === entry.ttlMs;
  // A change cannot be older than the one before it, whatever clocks say.
  const dated = { ...entry, atMs: Math.max(entry.atMs, newest?.atMs ?? entry.atMs) };
  const all = unchanged ? history : [...history, dated];
  const horizonMs = nowMs - ttlInForceMs(all, nowMs) - reachMs;
  const firstNeeded = all.findLastIndex((known) => known.atMs <= horizonMs);
  const needed = firstNeeded <= 0 ? all : all.slice(firstNeeded);
  return needed.length <= MAX_SHARES ? needed : mergeOldest(needed);
}

function mergeOldest(history: readonly ShareEntry[]): readonly ShareEntry[] {
  const [oldest, next, ...rest] = history;
  const first = certain(oldest, 'an entry of a history beyond its limit');
  const second = certain(next, 'a second entry of it');
  const third = certain(rest[0], 'a third entry of it');
  const total = third.atMs - first.atMs;
  const firstPart = total === 0 ? 0 : (second.atMs - first.atMs) / total;
  const merged: ShareEntry = {
    atMs: first.atMs,
    share: first.share * firstPart + second.share * (1 - firstPart),
    ttlMs: Math.max(first.ttlMs, second.ttlMs),
  };
  return [merged, ...rest];
}
