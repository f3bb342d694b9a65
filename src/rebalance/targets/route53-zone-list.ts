import type { Route53Client } from '@aws-sdk/client-route-53';
import { abortable } from './route53-access.ts';
import { listPage } from './route53-api.ts';
import {
  addPage,
  covers,
  pageSize,
  recordsOf,
  startListing,
  type Listing,
  type Scope,
  type SetKey,
} from './route53-listing.ts';
import type { ReceivedRecord } from './route53-records.ts';
import { UnreadableAnswer } from './unreadable-answer.ts';

/** One list of a zone, under way or done. */
export interface ZoneList {
  readonly client: Route53Client;
  /** On the timer's clock. */
  readonly begunMs: number;
  readonly abort: AbortController;
  /** Sets that were changed since it began: it does not tell of them. */
  readonly changed: Set<SetKey>;
  listing: Listing;
  pages: number;
}

/** The records of one set. */
export interface SetRecords {
  readonly records: readonly ReceivedRecord[];
  /** When the list of them began, on the timer's clock. */
  readonly begunMs: number;
}

/** A set, for somebody to whom a list that began before `notBeforeMs` is of no use. */
export interface Wish {
  readonly key: SetKey;
  readonly notBeforeMs: number;
}

export function startZoneList(client: Route53Client, begunMs: number, scope: Scope): ZoneList {
  return {
    client,
    begunMs,
    abort: new AbortController(),
    changed: new Set(),
    listing: startListing(scope),
    pages: 0,
  };
}

/** What the list tells now; undefined: nothing of use, or not yet. */
export function toldBy(list: ZoneList, wish: Wish): SetRecords | undefined {
  if (!isOfUse(list, wish)) return undefined;
  const records = recordsOf(list.listing, wish.key);
  return records === undefined ? undefined : { records, begunMs: list.begunMs };
}

/** Whether the list tells of the set once it is over. */
export function willTell(list: ZoneList, wish: Wish): boolean {
  return isOfUse(list, wish) && covers(list.listing.scope, wish.key);
}

/** Whether what the list may have read of the set, as of a neighbour of its own, could be told. */
export function isOfUse({ begunMs, changed }: ZoneList, { key, notBeforeMs }: Wish): boolean {
  return begunMs >= notBeforeMs && !changed.has(key);
}

/** One request. Throws what the SDK throws, and UnreadableAnswer where the pages do not follow each other. */
export async function readPage(zoneId: string, list: ZoneList): Promise<void> {
  const { scope, next } = list.listing;
  const { signal } = list.abort;
  const request = { zoneId, start: next, maxItems: pageSize(scope) };
  const listing = addPage(list.listing, await abortable(signal, listPage(list.client, request, signal)));
  if (listing === undefined) throw new UnreadableAnswer('its pages do not go on');
  list.listing = listing;
  list.pages += 1;
}
