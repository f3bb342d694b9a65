import type { Route53Client } from '@aws-sdk/client-route-53';
import { err, ok } from '../../foundation/result.ts';
import type { Timer } from '../../foundation/timer.ts';
import type { CallContext } from '../secrets.ts';
import type { Route53Target } from '../spec.ts';
import type { TargetFailure } from './port.ts';
import { abortable, type Access } from './route53-access.ts';
import { LIST, listPage } from './route53-api.ts';
import { UnreadableAnswer } from './unreadable-answer.ts';
import { createCaller, type Caller, type Outcome } from './route53-caller.ts';
import { outOfBudget, timedOut, toFailure } from './route53-failures.ts';
import {
  addPage,
  chooseScope,
  covers,
  keyOfTarget,
  pageSize,
  recordsOf,
  startListing,
  type Listing,
  type SetKey,
} from './route53-listing.ts';
import type { ReceivedRecord } from './route53-records.ts';
import { retryAfter } from './route53-retry.ts';
import type { Rank, Turns } from './route53-turns.ts';

/** Left of a sync's deadline for the list itself, and for a change after it. */
const RESERVE_MS = 1_500;

/** The records of one set. */
export interface SetRecords {
  readonly records: readonly ReceivedRecord[];
  /** When the list of them began, on the timer's clock. */
  readonly begunMs: number;
}

export interface ReadRequest {
  /** Of the zone reader's credentials, the same for all but for its client, which changes as they are renewed. */
  readonly access: Access;
  readonly target: Route53Target;
  readonly context: CallContext;
  /** A list that began before is of no use. */
  readonly notBeforeMs: number;
  /** First where a change waits for it. */
  readonly rank: Rank;
}

/** The sets of one zone as one set of credentials sees them: what is read for one is told to all who ask in time. */
export interface ZoneReader {
  read(request: ReadRequest): Outcome<SetRecords>;
  /** A change of the zone has ended: no list that began before is told any more. */
  forget(): void;
  /** The zone is not busy any more: who waits for a list may have one. */
  resume(): void;
  /** Drops the lists that are too old for anybody. */
  prune(): void;
  /** Calls that the whole zone takes, as far as it is known. */
  pages(): number;
}

export interface ZoneReaderOptions {
  readonly turns: Turns;
  readonly zoneId: string;
  readonly timer: Timer;
  /** For how long a list is told. */
  readonly listWindowMs: number;
  /** Whether a change of the zone is waiting or on its way: no list begins then, as it would not be told anyway. */
  readonly isBusy: () => boolean;
}

/** Who waits for a set. */
interface Reader extends ReadRequest {
  readonly key: SetKey;
  readonly caller: Caller<SetRecords>;
  tries: number;
  lastFailure: TargetFailure | undefined;
  /** The list that it waits for; undefined: it waits for a turn. */
  run: Run | undefined;
}

/** One list, under way or done. */
interface Run {
  readonly client: Route53Client;
  readonly begunMs: number;
  readonly abort: AbortController;
  readonly readers: Set<Reader>;
  listing: Listing;
  pages: number;
}

interface Zone extends ZoneReaderOptions {
  readonly waiting: Set<Reader>;
  readonly running: Set<Run>;
  /** The ranks in which the zone stands in line. */
  readonly queued: Set<Rank>;
  /** When each set was last asked for. */
  readonly askedMs: Map<SetKey, number>;
  kept: readonly Run[];
  /** As far as they were ever read in a row. */
  pages: number;
}

export function createZoneReader(options: ZoneReaderOptions): ZoneReader {
  const zone: Zone = {
    ...options,
    waiting: new Set(),
    running: new Set(),
    queued: new Set(),
    askedMs: new Map(),
    kept: [],
    pages: 1,
  };
  return {
    read: (request) => read(zone, request),
    forget: () => forget(zone),
    resume: () => resume(zone),
    prune: () => prune(zone),
    pages: () => zone.pages,
  };
}

function read(zone: Zone, request: ReadRequest): Outcome<SetRecords> {
  const key = keyOfTarget(request.target);
  zone.askedMs.set(key, zone.timer.nowMs());
  const known = [...zone.running, ...zone.kept].filter(({ begunMs }) => begunMs >= request.notBeforeMs);
  for (const { listing, begunMs } of known) {
    const records = recordsOf(listing, key);
    if (records !== undefined) return Promise.resolve(ok({ records, begunMs }));
  }
  const reader = createReader(zone, request, key);
  join(zone, reader);
  return reader.caller.answer;
}

function createReader(zone: Zone, request: ReadRequest, key: SetKey): Reader {
  const { target, context, rank } = request;
  const caller = createCaller<SetRecords>({
    deadline: context.deadline,
    timer: zone.timer,
    reserveMs: rank === 'First' ? 0 : RESERVE_MS,
    isServed: () => reader.run !== undefined,
    failure: () => {
      if (reader.run !== undefined || zone.running.size > 0) return timedOut(target, LIST);
      return reader.lastFailure ?? outOfBudget(LIST);
    },
    onGiveUp: () => leave(zone, reader),
  });
  const reader: Reader = { ...request, key, caller, tries: 0, lastFailure: undefined, run: undefined };
  return reader;
}

/** Who gave up takes nobody's turn, and a list that nobody waits for is ended. */
function leave(zone: Zone, reader: Reader): void {
  zone.waiting.delete(reader);
  reader.run?.readers.delete(reader);
  if (reader.run?.readers.size === 0) reader.run.abort.abort();
}

/**
 * Waits for a list under way that will tell of the set, else for a turn. Who may learn it of a list that reads another
 * set, as its neighbour, waits for the end of that: so whoever comes meanwhile is served together.
 */
function join(zone: Zone, reader: Reader): void {
  if (!reader.caller.isWaiting()) return;
  reader.run = undefined;
  const ofUse = [...zone.running].filter(({ begunMs }) => begunMs >= reader.notBeforeMs);
  const run = ofUse.find(({ listing }) => covers(listing.scope, reader.key));
  if (run !== undefined) {
    reader.run = run;
    run.readers.add(reader);
    return;
  }
  zone.waiting.add(reader);
  if (ofUse.length === 0) queue(zone, reader.rank);
}

/** A zone stands in line once, whoever waits: what its turn is for is decided when it comes. */
function queue(zone: Zone, rank: Rank): void {
  if (zone.isBusy() || zone.queued.has(rank)) return;
  zone.queued.add(rank);
  const start = (): boolean => {
    zone.queued.delete(rank);
    return begin(zone);
  };
  zone.turns.take({ rank, start });
}

function resume(zone: Zone): void {
  for (const { rank } of zone.waiting) queue(zone, rank);
}

/** Begins the list that serves the first who waits, and everybody else whom it covers. */
function begin(zone: Zone): boolean {
  if (zone.isBusy()) return false;
  const waiting = [...zone.waiting];
  const first = waiting.find(({ rank }) => rank === 'First') ?? waiting[0];
  if (first === undefined) return false;
  const scope = chooseScope(first.target, countWanted(zone), zone.pages);
  const run: Run = {
    client: first.access.client,
    begunMs: zone.timer.nowMs(),
    abort: new AbortController(),
    readers: new Set(waiting.filter(({ key }) => covers(scope, key))),
    listing: startListing(scope),
    pages: 0,
  };
  zone.running.add(run);
  for (const reader of run.readers) {
    zone.waiting.delete(reader);
    reader.run = run;
  }
  void walk(zone, run);
  return true;
}

/** How many sets are asked for within a window, by those who wait and those who asked a moment ago. */
function countWanted({ askedMs, waiting, timer, listWindowMs }: Zone): number {
  const sinceMs = timer.nowMs() - listWindowMs;
  for (const [key, ms] of askedMs) if (ms <= sinceMs) askedMs.delete(key);
  return new Set([...askedMs.keys(), ...[...waiting].map(({ key }) => key)]).size;
}

/** Reads page by page, each in a turn, and tells each set as soon as it is read. */
async function walk(zone: Zone, run: Run): Promise<void> {
  try {
    while (!run.listing.isOver) {
      if (run.pages > 0) await nextTurn(zone, run);
      if (!isWanted(zone, run)) break;
      await readPage(zone, run);
      tell(zone, run);
      if (run.listing.scope.kind === 'Zone' && run.pages >= countWanted(zone)) break;
    }
    finish(zone, run);
  } catch (thrown) {
    fail(zone, run, thrown);
  }
}

function nextTurn(zone: Zone, run: Run): Promise<void> {
  const isFirst = [...run.readers].some(({ rank }) => rank === 'First');
  return new Promise((resolve) => {
    const start = (): boolean => {
      resolve();
      return isWanted(zone, run);
    };
    zone.turns.take({ rank: isFirst ? 'First' : 'Next', start });
  });
}

/** A zone's pages are read on for who will ask within the window; a set only for who waits. */
function isWanted({ running }: Pick<Zone, 'running'>, run: Run): boolean {
  return running.has(run) && (run.listing.scope.kind === 'Zone' || run.readers.size > 0);
}

async function readPage({ zoneId }: Zone, run: Run): Promise<void> {
  const { scope, next } = run.listing;
  const { signal } = run.abort;
  const request = { zoneId, start: next, maxItems: pageSize(scope) };
  const listing = addPage(run.listing, await abortable(signal, listPage(run.client, request, signal)));
  if (listing === undefined) throw new UnreadableAnswer('its pages do not go on');
  run.listing = listing;
  run.pages += 1;
}

function tell({ running, waiting }: Zone, run: Run): void {
  if (!running.has(run)) return;
  const { listing, begunMs, readers } = run;
  for (const reader of [...readers, ...waiting]) {
    const records = begunMs < reader.notBeforeMs ? undefined : recordsOf(listing, reader.key);
    if (records === undefined) continue;
    readers.delete(reader);
    waiting.delete(reader);
    reader.caller.settle(ok({ records, begunMs }));
  }
}

function finish(zone: Zone, run: Run): void {
  const { isOver, scope } = run.listing;
  if (scope.kind === 'Zone') zone.pages = isOver ? run.pages : Math.max(zone.pages, run.pages + 1);
  if (!zone.running.delete(run)) return;
  if (zone.listWindowMs > 0) zone.kept = [run, ...zone.kept];
  prune(zone);
  for (const reader of run.readers) join(zone, reader);
  resume(zone);
}

function fail(zone: Zone, run: Run, thrown: unknown): void {
  if (!zone.running.delete(run)) return;
  for (const reader of run.readers) {
    const failure = toFailure({ target: reader.target, action: LIST, thrown, isAborted: false });
    reader.run = undefined;
    reader.lastFailure = failure;
    reader.tries += 1;
    const retry = retryAfter(thrown, reader.tries);
    if (retry.kind === 'GiveUp') reader.caller.settle(err(failure));
    else zone.timer.after(retry.delayMs, () => join(zone, reader));
    if (retry.kind === 'PauseAccount') zone.turns.pause(retry.delayMs);
  }
  resume(zone);
}

function forget(zone: Zone): void {
  const stale = [...zone.running];
  zone.running.clear();
  zone.kept = [];
  for (const { readers } of stale) for (const reader of readers) join(zone, reader);
}

function prune(zone: Zone): void {
  const sinceMs = zone.timer.nowMs() - zone.listWindowMs;
  zone.kept = zone.kept.filter(({ begunMs }) => begunMs >= sinceMs);
}
