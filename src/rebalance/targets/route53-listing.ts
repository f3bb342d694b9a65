import type { Route53Target } from '../spec.ts';
import type { Page, Position } from './route53-api.ts';
import { plainName } from './route53-names.ts';
import type { ReceivedRecord } from './route53-records.ts';

/** One name and type, as a key. */
export type SetKey = string;

function setKey(name: string, type: string): SetKey {
  return `${plainName(name)} ${type}`;
}

export function keyOfTarget({ name, type }: Route53Target): SetKey {
  return setKey(name, type);
}

/** What a list reads: the records of one name and type, or the zone from its start. */
export type Scope =
  | { readonly kind: 'Set'; readonly key: SetKey; readonly name: string; readonly type: string }
  | { readonly kind: 'Zone' };

/**
 * The cheaper way to read `wanted` sets of a zone that has `pages` pages (at least, where not all of them were read yet):
 * one call for each set, or one for each page. At a tie the sets, whose answers are shorter.
 */
export function chooseScope(first: Route53Target, wanted: number, pages: number): Scope {
  const { name, type } = first;
  return wanted > pages
    ? { kind: 'Zone' }
    : { kind: 'Set', key: keyOfTarget(first), name: plainName(name), type };
}

/**
 * As many records as may have one name and type (Developer Guide, "Quotas on records"): a set is read by one call,
 * unless Route 53 makes a page shorter.
 */
const SET_PAGE = 100;
/** The longest page (API Reference, ListResourceRecordSets). */
const ZONE_PAGE = 300;

export function pageSize({ kind }: Scope): number {
  return kind === 'Set' ? SET_PAGE : ZONE_PAGE;
}

/** What was read of a scope so far. */
export interface Listing {
  readonly scope: Scope;
  /** The sets that were read to their end: of the scope, and of what stood on its pages besides. */
  readonly sets: ReadonlyMap<SetKey, readonly ReceivedRecord[]>;
  /** Of the set in which the last page ended. */
  readonly unfinished: readonly ReceivedRecord[];
  /** Where the next page starts; undefined: with the zone's first record. */
  readonly next: Position | undefined;
  /** The scope is read to its end: a set of it that is not here does not exist. */
  readonly isOver: boolean;
}

export function startListing(scope: Scope): Listing {
  return { scope, sets: new Map(), unfinished: [], next: startOf(scope), isOver: false };
}

/** Where the first page of a scope starts. */
function startOf(scope: Scope): Position | undefined {
  return scope.kind === 'Zone' ? undefined : { name: scope.name, type: scope.type, identifier: undefined };
}

/** The listing with one more page; undefined: the page ends inside a set and does not say where that goes on. */
export function addPage(listing: Listing, { records, next }: Page): Listing | undefined {
  const { scope } = listing;
  const sets = new Map([...listing.sets, ...groupBySet([...listing.unfinished, ...records])]);
  const nextKey = next === undefined ? undefined : setKey(next.name, next.type);
  const unfinished = nextKey === undefined ? [] : (sets.get(nextKey) ?? []);
  if (nextKey !== undefined) sets.delete(nextKey);
  const isOver = nextKey === undefined || (scope.kind === 'Set' && nextKey !== scope.key);
  if (!isOver && unfinished.length > 0 && !goesOn(unfinished, next)) return undefined;
  return { scope, sets, unfinished, next, isOver };
}

function groupBySet(records: readonly ReceivedRecord[]): ReadonlyMap<SetKey, readonly ReceivedRecord[]> {
  return Map.groupBy(records, ({ record: { Name = '', Type = '' } }) => setKey(Name, Type));
}

function goesOn(read: readonly ReceivedRecord[], next: Position | undefined): boolean {
  const identifier = next?.identifier;
  return identifier !== undefined && !read.some(({ record }) => record.SetIdentifier === identifier);
}

/** The records of a set, none where it does not exist; undefined: the listing does not tell (yet). */
export function recordsOf(
  { scope, sets, isOver }: Listing,
  key: SetKey,
): readonly ReceivedRecord[] | undefined {
  return sets.get(key) ?? (isOver && covers(scope, key) ? [] : undefined);
}

/** Whether a list of the scope tells of the set, once it is over. */
export function covers(scope: Scope, key: SetKey): boolean {
  return scope.kind === 'Zone' || scope.key === key;
}
