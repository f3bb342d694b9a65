import type { WeightedRecord, WeightedSet } from './targets/port.ts';

/** Route 53 answers alias records with this TTL: Route 53 Developer Guide, choosing between alias and non-alias records. */
const ALIAS_TTL_MS = 60_000;

/** Ours and the others. */
export function recordsOf({ own, others }: WeightedSet): readonly WeightedRecord[] {
  return [...own.records, ...others];
}

/** The largest TTL of the set: Route 53 wants equal ones, but alias records among others have their own. */
export function ttlOf(set: WeightedSet): number {
  const ttls = recordsOf(set).map(({ ttlSeconds }) => ttlSeconds);
  return Math.max(...ttls.map((seconds) => (seconds === undefined ? ALIAS_TTL_MS : seconds * 1000)));
}
