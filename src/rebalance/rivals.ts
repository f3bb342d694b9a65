import type { Attempt } from './decision.ts';
import type { RebalanceSpec, Route53Target } from './spec.ts';
import { plainName } from './targets/route53-names.ts';

/** One Rebalance of the cluster, as far as the right of others to its records depends on it. */
export interface Rival {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** metadata.creationTimestamp; Infinity where it cannot be read, which is younger than all. */
  readonly createdAtMs: number;
  readonly target: Route53Target;
}

/** Who steers which record: the keys are private to this file. */
export type Holders = ReadonlyMap<string, Rival>;

/** An object that writes nothing by its own spec holds nobody back. */
export function mayWrite({ suspend, dryRun }: Pick<RebalanceSpec, 'suspend' | 'dryRun'>): boolean {
  return !suspend && !dryRun;
}

/**
 * Gives each record to the oldest who steers it. Who finds one of its records taken steers none of them, and so keeps
 * nobody from the others.
 */
export function holdersOf(rivals: readonly Rival[]): Holders {
  const holders = new Map<string, Rival>();
  for (const rival of rivals.toSorted(byAge)) {
    const keys = keysOf(rival.target);
    if (keys.every((key) => !holders.has(key))) for (const key of keys) holders.set(key, rival);
  }
  return holders;
}

/** The older one that steers a record of `own`, if there is any; `own` may have been listed itself, with an earlier spec. */
export function olderHolder(own: Rival, holders: Holders): Rival | undefined {
  return keysOf(own.target)
    .flatMap((key) => holders.get(key) ?? [])
    .find((holder) => holder.uid !== own.uid && byAge(holder, own) < 0);
}

/** The attempt of one whose record an older one steers. */
export function conflict({ namespace, name, target }: Rival): Attempt {
  const message = `Rebalance ${namespace}/${name}, which is older, steers the same record of zone ${target.hostedZoneId}: delete one of the two, or let it steer another record`;
  return { kind: 'Withheld', reason: 'Conflict', message };
}

/** The attempt of one that could not learn of the others. */
export function rivalsUnknown(because: string): Attempt {
  const message = `cannot list the Rebalances of the cluster, of which an older one may steer the same record: ${because}`;
  return { kind: 'Withheld', reason: 'RivalsUnknown', message };
}

/** creationTimestamp has whole seconds: of two of the same one the uid decides, so that both agree. */
function byAge(a: Rival, b: Rival): number {
  if (a.createdAtMs !== b.createdAtMs) return a.createdAtMs < b.createdAtMs ? -1 : 1;
  return a.uid < b.uid ? -1 : 1;
}

function keysOf({ hostedZoneId, name, type, records }: Route53Target): readonly string[] {
  return records.map(({ identifier }) => JSON.stringify([hostedZoneId, plainName(name), type, identifier]));
}
