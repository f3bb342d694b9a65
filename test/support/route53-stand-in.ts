import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { systemClock, type Clock } from '../../src/foundation/clock.ts';
import { listen } from './listen.ts';
import { document, element, errorDocument, readChanges, textElement, writeRecord } from './route53-wire.ts';
import {
  applyChanges,
  canonicalName,
  comparePositions,
  positionOf,
  putRecord,
  type Position,
  type Zone,
  type ZoneRecord,
} from './route53-zone.ts';
import { parseXml } from './xml.ts';

/**
 * A Route 53 of one account on loopback: real HTTP and REST-XML for the three calls that counterpoise makes. What the
 * emulator moto does not show (order, escapes, NextRecordIdentifier, PENDING, refusals) is here, from AWS' documentation.
 */
export interface Route53StandIn {
  readonly url: string;
  /** A zone with its SOA and NS records; `id` is bare. */
  createZone(id: string, name: string): void;
  /** Puts a record in without any check, over one of the same name, type and identifier. */
  putRecord(zoneId: string, record: ZoneRecord): void;
  /** All records of a zone, in the order of the list, with names as the API spells them. */
  records(zoneId: string): readonly ZoneRecord[];
  /** The record of one name, type and identifier. */
  record(zoneId: string, name: string, type: string, identifier?: string): ZoneRecord | undefined;
  /** From now on nobody may change the records of this name and type. */
  protect(zoneId: string, name: string, type: string, comment: string): void;
  /** The next `times` calls of `operation` end like this instead. */
  fail(operation: Operation | 'Any', fault: Route53Fault, times?: number): void;
  /** Calls signed with this key end like this from now on. */
  refuse(accessKeyId: string, fault: Route53Fault): void;
  /** Forgets every fault that was set. */
  heal(): void;
  /** Every call so far, oldest first; the SDK's retries count. */
  readonly calls: readonly Route53Call[];
  /** How often `operation` was called. */
  count(operation: Operation): number;
  /** TCP connections accepted so far. */
  connections(): number;
  stop(): Promise<void>;
}

export type Operation = 'ListResourceRecordSets' | 'ChangeResourceRecordSets' | 'GetChange';

export interface Route53Call {
  readonly operation: Operation;
  /** Bare id of the zone, or of the change. */
  readonly id: string;
  readonly parameters: URLSearchParams;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

export type Route53Fault =
  | { readonly kind: 'Error'; readonly httpStatus: number; readonly code: string; readonly message: string }
  | { readonly kind: 'Raw'; readonly httpStatus: number; readonly contentType: string; readonly body: string }
  /** Accepts the call and never answers; nothing is changed. */
  | { readonly kind: 'Hang' }
  /** Closes the connection; nothing is changed. */
  | { readonly kind: 'Reset' }
  /** Does what was asked, then closes the connection without an answer. */
  | { readonly kind: 'AnswerLost' }
  /** Does what was asked, and closes the connection in the middle of the answer. */
  | { readonly kind: 'HalfAnswered' };

function fault(httpStatus: number, code: string, message: string): Route53Fault {
  return { kind: 'Error', httpStatus, code, message };
}

/** Refusals as AWS sends them (APIReference, "Common Error Types" and the errors of each call). */
export const faults = {
  throttling: fault(400, 'Throttling', 'Rate exceeded'),
  priorRequestNotComplete: fault(
    400,
    'PriorRequestNotComplete',
    'The request was rejected because Route 53 was still processing a prior request.',
  ),
  accessDenied: fault(
    403,
    'AccessDenied',
    'User: arn:aws:iam::123456789012:user/dns is not authorized to perform this action because no identity-based policy allows it',
  ),
  invalidClientTokenId: fault(
    403,
    'InvalidClientTokenId',
    'The security token included in the request is invalid.',
  ),
  signatureDoesNotMatch: fault(
    403,
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided.',
  ),
  expiredToken: fault(403, 'ExpiredToken', 'The security token included in the request is expired'),
  internalFailure: fault(500, 'InternalFailure', 'We encountered an internal error. Please try again.'),
  serviceUnavailable: fault(
    503,
    'ServiceUnavailable',
    'The service is unavailable. Please try again shortly.',
  ),
  webPage: {
    kind: 'Raw',
    httpStatus: 502,
    contentType: 'text/html',
    body: '<html><h1>Bad Gateway</h1></html>',
  },
  hang: { kind: 'Hang' },
  reset: { kind: 'Reset' },
  answerLost: { kind: 'AnswerLost' },
  halfAnswered: { kind: 'HalfAnswered' },
} as const satisfies Record<string, Route53Fault>;

export interface Route53StandInOptions {
  readonly port?: number;
  /** Most records of a page, whatever MaxItems asks for; AWS' own limit is 300. */
  readonly pageLimit?: number;
  /** How many times GetChange says PENDING before INSYNC; default 1. */
  readonly pendingPolls?: number;
  /** How long a change stays PENDING on `clock`, besides; default 0. */
  readonly pendingMs?: number;
  readonly clock?: Clock;
}

export async function startRoute53StandIn(options: Route53StandInOptions = {}): Promise<Route53StandIn> {
  const { answer, ...zones } = createAccount(options);
  const calls: Route53Call[] = [];
  let pending: { operation: Operation | 'Any'; fault: Route53Fault; times: number }[] = [];

  const refused = new Map<string, Route53Fault>();

  const nextFault = ({ operation, headers }: Route53Call): Route53Fault | undefined => {
    const refusal = refused.get(signerOf(headers));
    if (refusal !== undefined) return refusal;
    const found = pending.find((entry) => entry.operation === operation || entry.operation === 'Any');
    if (found === undefined) return undefined;
    found.times -= 1;
    pending = pending.filter(({ times }) => times > 0);
    return found.fault;
  };

  const server = createServer((request, response) => {
    void readCall(request).then((call) => {
      if (call === undefined) {
        send(response, {
          httpStatus: 404,
          body: errorDocument('UnknownOperationException', 'no such operation'),
        });
        return;
      }
      calls.push(call);
      respond(response, nextFault(call), () => answer(call));
    });
  });
  const listening = await listen(server, options.port === undefined ? {} : { port: options.port });

  return {
    ...listening,
    ...zones,
    calls,
    count: (operation) => calls.filter((call) => call.operation === operation).length,
    refuse: (accessKeyId, fault) => void refused.set(accessKeyId, fault),
    fail: (operation, fault, times = 1) => pending.push({ operation, fault, times }),
    heal: () => {
      pending = [];
      refused.clear();
    },
  };
}

/** The access key id that a request is signed with; empty where it has none. */
export function signerOf(headers: IncomingHttpHeaders): string {
  return /Credential=([^/]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
}

export interface Answer {
  readonly httpStatus: number;
  readonly body: string;
}

export function refuse(httpStatus: number, code: string, message: string): Answer {
  return { httpStatus, body: errorDocument(code, message) };
}

interface StoredChange {
  readonly id: string;
  readonly submittedMs: number;
  polls: number;
}

/** Zones and changes of one account, and what the three calls answer. */
export function createAccount(options: Omit<Route53StandInOptions, 'port'>): {
  readonly answer: (call: Route53Call) => Answer;
} & Pick<Route53StandIn, 'createZone' | 'putRecord' | 'records' | 'record' | 'protect'> {
  const { pageLimit = 300, pendingPolls = 1, pendingMs = 0, clock = systemClock } = options;
  const zones = new Map<string, Zone>();
  const changes = new Map<string, StoredChange>();

  const zoneOf = (id: string): Zone => {
    const zone = zones.get(id);
    if (zone === undefined) throw new Error(`the stand-in has no zone ${id}`);
    return zone;
  };
  const changeInfo = (root: string, change: StoredChange): Answer => {
    const isPending = change.polls <= pendingPolls || clock.nowMs() - change.submittedMs < pendingMs;
    return {
      httpStatus: 200,
      body: document(
        root,
        element(
          'ChangeInfo',
          textElement('Id', `/change/${change.id}`),
          textElement('Status', isPending ? 'PENDING' : 'INSYNC'),
          textElement('SubmittedAt', new Date(change.submittedMs).toISOString()),
        ),
      ),
    };
  };

  const changeRecords = (zone: Zone, body: string): Answer => {
    const requested = readChanges(parseXml(body));
    const invalid = requested.find(({ action, record }) => !isValidInput(action, record));
    if (requested.length === 0 || invalid !== undefined)
      return refuse(
        400,
        'InvalidInput',
        'Invalid XML: a change needs an Action, a Type and a Weight within 0..255',
      );
    const result = applyChanges(zone, requested);
    if ('problems' in result) return refuse(400, 'InvalidChangeBatch', `[${result.problems.join(', ')}]`);
    zones.set(zone.id, result.zone);
    const change = {
      id: `C${String(changes.size + 1).padStart(13, '0')}`,
      submittedMs: clock.nowMs(),
      polls: 0,
    };
    changes.set(change.id, change);
    return changeInfo('ChangeResourceRecordSetsResponse', change);
  };

  const getChange = (id: string): Answer => {
    const change = changes.get(id);
    if (change === undefined) return refuse(404, 'NoSuchChange', `No change found with ID: ${id}`);
    change.polls += 1;
    return changeInfo('GetChangeResponse', change);
  };

  return {
    answer: ({ operation, id, parameters, body }) => {
      if (operation === 'GetChange') return getChange(id);
      const zone = zones.get(id);
      if (zone === undefined) return refuse(404, 'NoSuchHostedZone', `No hosted zone found with ID: ${id}`);
      return operation === 'ListResourceRecordSets'
        ? listRecords(zone, parameters, pageLimit)
        : changeRecords(zone, body);
    },
    createZone: (id, name) => {
      const apex = canonicalName(name);
      const empty: Zone = { id, name: apex, records: [], protections: [] };
      const withNs = putRecord(empty, simple(apex, 'NS', 172_800, 'ns-1.awsdns-00.com.'));
      zones.set(
        id,
        putRecord(
          withNs,
          simple(apex, 'SOA', 900, 'ns-1.awsdns-00.com. hostmaster. 1 7200 900 1209600 86400'),
        ),
      );
    },
    putRecord: (zoneId, record) => zones.set(zoneId, putRecord(zoneOf(zoneId), record)),
    records: (zoneId) => zoneOf(zoneId).records,
    record: (zoneId, name, type, identifier) =>
      zoneOf(zoneId).records.find(
        (record) =>
          record.Name === canonicalName(name) && record.Type === type && record.SetIdentifier === identifier,
      ),
    protect: (zoneId, name, type, comment) => {
      const zone = zoneOf(zoneId);
      const protection = { name: canonicalName(name), type, comment };
      zones.set(zoneId, { ...zone, protections: [...zone.protections, protection] });
    },
  };
}

/** What the XML schema of the call refuses before any record is looked at. */
function isValidInput(action: string, { Name, Type, Weight }: ZoneRecord): boolean {
  const hasKey = ['CREATE', 'UPSERT', 'DELETE'].includes(action) && Boolean(Name) && Boolean(Type);
  return hasKey && (Weight === undefined || (Number.isInteger(Weight) && Weight >= 0 && Weight <= 255));
}

function simple(name: string, type: string, ttl: number, value: string): ZoneRecord {
  return { Name: name, Type: type, TTL: ttl, ResourceRecords: [{ Value: value }] };
}

/** APIReference/API_ListResourceRecordSets.html: where a page starts, how long it is, and what comes next. */
function listRecords(zone: Zone, parameters: URLSearchParams, pageLimit: number): Answer {
  const name = parameters.get('name');
  const type = parameters.get('type');
  const identifier = parameters.get('identifier');
  if (name === null && type !== null) return refuse(400, 'InvalidInput', 'Type without Name');
  if (identifier !== null && type === null) return refuse(400, 'InvalidInput', 'Identifier without Type');
  const asked = Number(parameters.get('maxitems') ?? 300);
  const start: Position | undefined =
    name === null ? undefined : { name, type: type ?? undefined, identifier: identifier ?? undefined };
  const rest = zone.records.filter(
    (record) => start === undefined || comparePositions(positionOf(record), start) >= 0,
  );
  const page = rest.slice(0, Math.min(asked, pageLimit, 300));
  const next = rest[page.length];
  return {
    httpStatus: 200,
    body: document(
      'ListResourceRecordSetsResponse',
      element('ResourceRecordSets', ...page.map(writeRecord)),
      textElement('IsTruncated', next !== undefined),
      textElement('NextRecordName', next?.Name),
      textElement('NextRecordType', next?.Type),
      textElement('NextRecordIdentifier', isInsideSet(page.at(-1), next) ? next?.SetIdentifier : undefined),
      textElement('MaxItems', asked),
    ),
  };
}

/** NextRecordIdentifier comes only when the page ends within the records of one name and type. */
function isInsideSet(last: ZoneRecord | undefined, next: ZoneRecord | undefined): boolean {
  return last !== undefined && last.Name === next?.Name && last.Type === next.Type;
}

async function readCall(request: IncomingMessage): Promise<Route53Call | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = 'GET', headers } = request;
  const url = new URL(request.url ?? '/', 'http://route53');
  return toCall({ method, url, body: Buffer.concat(chunks).toString(), headers });
}

/** What an HTTP request asks for; undefined: none of the three calls. */
export function toCall(request: {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}): Route53Call | undefined {
  const { method, url, body, headers } = request;
  const [, resource, id = ''] =
    /^\/2013-04-01\/(change|hostedzone)\/([^/]+)(?:\/rrset\/?)?$/.exec(url.pathname) ?? [];
  if (resource === undefined) return undefined;
  const onZone = method === 'POST' ? 'ChangeResourceRecordSets' : 'ListResourceRecordSets';
  const operation = resource === 'change' ? 'GetChange' : onZone;
  return { operation, id, parameters: url.searchParams, body, headers };
}

function respond(response: ServerResponse, fault: Route53Fault | undefined, act: () => Answer): void {
  switch (fault?.kind) {
    case undefined:
      send(response, act());
      return;
    case 'Error':
      send(response, refuse(fault.httpStatus, fault.code, fault.message));
      return;
    case 'Raw':
      response.writeHead(fault.httpStatus, { 'content-type': fault.contentType }).end(fault.body);
      return;
    case 'Hang':
      return;
    case 'Reset':
      response.socket?.resetAndDestroy();
      return;
    case 'AnswerLost':
      act();
      response.socket?.resetAndDestroy();
      return;
    case 'HalfAnswered':
      sendHalf(response, act());
      return;
  }
}

function sendHalf(response: ServerResponse, { httpStatus, body }: Answer): void {
  response.writeHead(httpStatus, { 'content-type': 'text/xml', 'content-length': Buffer.byteLength(body) });
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}

function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.httpStatus, { 'content-type': 'text/xml' }).end(answer.body);
}
