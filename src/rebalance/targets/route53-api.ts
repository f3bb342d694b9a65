import {
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  ListResourceRecordSetsCommand,
  type ChangeAction,
  type ChangeInfo,
  type ListResourceRecordSetsCommandOutput,
  type Route53Client,
  type RRType,
} from '@aws-sdk/client-route-53';
import type { Change } from './port.ts';
import { observe, recordsIn, sendRecords } from './route53-exchange.ts';
import type { ReceivedRecord } from './route53-records.ts';
import { UnreadableAnswer } from './unreadable-answer.ts';

/** IAM's names of the calls. */
export const LIST = 'route53:ListResourceRecordSets';
export const CHANGE = 'route53:ChangeResourceRecordSets';
export const GET_CHANGE = 'route53:GetChange';

/** Where a page starts; undefined: with the zone's first record. */
export interface Position {
  readonly name: string;
  readonly type: string;
  /** undefined: with the first record of the set. */
  readonly identifier: string | undefined;
}

export interface Page {
  readonly records: readonly ReceivedRecord[];
  /** undefined: this was the last. */
  readonly next: Position | undefined;
}

export interface PageRequest {
  readonly zoneId: string;
  readonly start: Position | undefined;
  /** At most 300 (API Reference, ListResourceRecordSets). */
  readonly maxItems: number;
}

/** One request for one page of records. */
export async function listPage(
  client: Route53Client,
  { zoneId, start, maxItems }: PageRequest,
  abortSignal: AbortSignal,
): Promise<Page> {
  const command = new ListResourceRecordSetsCommand({
    HostedZoneId: zoneId,
    ...(start === undefined ? {} : { StartRecordName: start.name, StartRecordType: start.type as RRType }),
    ...(start?.identifier === undefined ? {} : { StartRecordIdentifier: start.identifier }),
    MaxItems: maxItems,
  });
  const exchange = observe(command);
  const answer = await client.send(command, { abortSignal });
  return readPage(answer, recordsIn(exchange.body()));
}

function readPage(answer: ListResourceRecordSetsCommandOutput, elements: readonly string[]): Page {
  // An answer that is not Route 53's has no records at all, whatever the SDK's types promise.
  const parsed = answer.ResourceRecordSets ?? [];
  if (answer.IsTruncated === undefined || parsed.length !== elements.length) throw new UnreadableAnswer();
  const records = parsed.map((record, index) => ({ record, xml: elements[index] ?? '' }));
  const { NextRecordName: name, NextRecordType: type, NextRecordIdentifier: identifier } = answer;
  if (!answer.IsTruncated || name === undefined || type === undefined) return { records, next: undefined };
  return { records, next: { name, type, identifier } };
}

/** A record as it shall be: for the SDK, and word for word. */
export interface RecordChange extends ReceivedRecord {
  /** The record as read, which must still be so; undefined: whatever stands there is replaced. */
  readonly expected: ReceivedRecord | undefined;
}

export interface BatchRequest {
  readonly zoneId: string;
  readonly comment: string;
  readonly records: readonly RecordChange[];
}

/** How one request for a change ended. */
export type BatchEnd =
  | { readonly kind: 'Accepted'; readonly change: Change }
  /** `isInDoubt`: it may have been done all the same. */
  | { readonly kind: 'Failed'; readonly thrown: unknown; readonly isInDoubt: boolean };

/** At most so many characters (API Reference, ChangeBatch). */
const MAX_COMMENT = 256;

/**
 * What a change is to Route 53: an UPSERT, or DELETE of exactly what was read and CREATE of what shall be, which is refused
 * where the record is another by then (API Reference, ChangeResourceRecordSets: DELETE needs all values to match).
 */
function actionsOf({
  expected,
  ...record
}: RecordChange): readonly (ReceivedRecord & { Action: ChangeAction })[] {
  return expected === undefined
    ? [{ Action: 'UPSERT', ...record }]
    : [
        { Action: 'DELETE', ...expected },
        { Action: 'CREATE', ...record },
      ];
}

/** One request that replaces each record by itself, word for word: all of them or none. */
export async function changeRecords(
  client: Route53Client,
  { zoneId, comment, records }: BatchRequest,
  abortSignal: AbortSignal,
): Promise<BatchEnd> {
  const actions = records.flatMap(actionsOf);
  const command = new ChangeResourceRecordSetsCommand({
    HostedZoneId: zoneId,
    ChangeBatch: {
      Comment: comment.slice(0, MAX_COMMENT),
      Changes: actions.map(({ Action, record }) => ({ Action, ResourceRecordSet: record })),
    },
  });
  sendRecords(
    command,
    actions.map(({ xml }) => xml),
  );
  const exchange = observe(command);
  try {
    const answer = await client.send(command, { abortSignal });
    return { kind: 'Accepted', change: toChange(answer.ChangeInfo) };
  } catch (thrown) {
    const isInDoubt = exchange.isInDoubt() || thrown instanceof UnreadableAnswer;
    return { kind: 'Failed', thrown, isInDoubt };
  }
}

/** One request for how far a change has come. */
export async function getChange(
  client: Route53Client,
  changeId: string,
  abortSignal: AbortSignal,
): Promise<Change> {
  const answer = await client.send(new GetChangeCommand({ Id: changeId }), { abortSignal });
  return toChange(answer.ChangeInfo);
}

/** The id comes as `/change/C123`; kept bare, as the zone's. */
function toChange(info: ChangeInfo | undefined): Change {
  if (info?.Id === undefined || info.Status === undefined) throw new UnreadableAnswer();
  return { id: info.Id.replace(/^\/change\//, ''), status: info.Status };
}
