import { err, ok } from '../../foundation/result.ts';
import type { Timer } from '../../foundation/timer.ts';
import { LIST } from './route53-api.ts';
import type { Outcome } from './route53-caller.ts';
import { toFailure } from './route53-failures.ts';
import { chooseScope, covers, keyOfTarget, type SetKey } from './route53-listing.ts';
import { retryAfter } from './route53-retry.ts';
import { createReader, rankOf, type Reader, type ReadRequest, type Run } from './route53-set-reader.ts';
import { afterGathering, type Rank, type Turns } from './route53-turns.ts';
import {
  isOfUse,
  readPage,
  startZoneList,
  toldBy,
  willTell,
  type SetRecords,
  type ZoneList,
} from './route53-zone-list.ts';

/** The sets of one zone as one set of credentials sees them: what is read for one is told to all who ask in time. */
export interface ZoneReader {
  read(request: ReadRequest): Outcome<SetRecords>;
  /** Changes of these sets have ended, done or not: no list that began before tells of them any more. */
  forget(changed: readonly SetKey[]): void;
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
  /** For how long a list waits for others who come together with the first. */
  readonly gatherMs: number;
  /**
   * Whether a change of the zone is waiting or on its way. No list begins then: it takes a moment, and who comes meanwhile
   * is served together.
   */
  readonly isBusy: () => boolean;
}

interface Zone extends ZoneReaderOptions {
  readonly waiting: Set<Reader>;
  readonly running: Set<Run>;
  /** The ranks in which the zone stands in line. */
  readonly queued: Set<Rank>;
  /** When each set was last asked for. */
  readonly askedMs: Map<SetKey, number>;
  kept: readonly ZoneList[];
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
    forget: (changed) => forget(zone, changed),
    resume: () => resume(zone),
    prune: () => prune(zone),
    pages: () => zone.pages,
  };
}

function read(zone: Zone, request: ReadRequest): Outcome<SetRecords> {
  const key = keyOfTarget(request.target);
  zone.askedMs.set(key, zone.timer.nowMs());
  for (const list of [...zone.running, ...zone.kept]) {
    const told = toldBy(list, { ...request, key });
    if (told !== undefined) return Promise.resolve(ok(told));
  }
  const reader = createReader(request, {
    timer: zone.timer,
    isReading: () => zone.running.size > 0,
    onUrgent: (urgent) => {
      if (zone.waiting.has(urgent)) queue(zone, 'First');
    },
    onGiveUp: (late) => leave(zone, late),
  });
  join(zone, reader);
  return reader.caller.answer;
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
  const running = [...zone.running];
  const run = running.find((list) => willTell(list, reader));
  if (run !== undefined) {
    reader.run = run;
    run.readers.add(reader);
    return;
  }
  zone.waiting.add(reader);
  if (!running.some((list) => isOfUse(list, reader))) queue(zone, rankOf(reader));
}

/** A zone stands in line once, whoever waits: what its turn is for is decided when it comes. */
function queue(zone: Zone, rank: Rank): void {
  if (zone.isBusy() || zone.queued.has(rank)) return;
  zone.queued.add(rank);
  const start = (): boolean => {
    zone.queued.delete(rank);
    return begin(zone);
  };
  const gatherMs = rank === 'First' ? 0 : zone.gatherMs;
  afterGathering(zone.timer, gatherMs, () => zone.turns.take({ rank, start }));
}

function resume(zone: Zone): void {
  for (const reader of zone.waiting) queue(zone, rankOf(reader));
}

/** Begins the list that serves the first who waits, and everybody else whom it covers. */
function begin(zone: Zone): boolean {
  if (zone.isBusy()) return false;
  const waiting = [...zone.waiting];
  const first = waiting.find((reader) => rankOf(reader) === 'First') ?? waiting[0];
  if (first === undefined) return false;
  const scope = chooseScope(first.target, countWanted(zone), zone.pages);
  const list = startZoneList(first.access.client, zone.timer.nowMs(), scope);
  const run: Run = { ...list, readers: new Set(waiting.filter(({ key }) => covers(scope, key))) };
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
      await readPage(zone.zoneId, run);
      tell(zone, run);
      if (run.listing.scope.kind === 'Zone' && run.pages >= countWanted(zone)) break;
    }
    finish(zone, run);
  } catch (thrown) {
    fail(zone, run, thrown);
  }
}

function nextTurn(zone: Zone, run: Run): Promise<void> {
  const isFirst = [...run.readers].some((reader) => rankOf(reader) === 'First');
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

function tell({ running, waiting }: Zone, run: Run): void {
  if (!running.has(run)) return;
  for (const reader of [...run.readers, ...waiting]) {
    const told = toldBy(run, reader);
    if (told === undefined) continue;
    run.readers.delete(reader);
    waiting.delete(reader);
    reader.caller.settle(ok(told));
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

function forget(zone: Zone, changed: readonly SetKey[]): void {
  for (const list of [...zone.running, ...zone.kept]) for (const key of changed) list.changed.add(key);
  for (const { readers } of zone.running) {
    const misled = [...readers].filter(({ key }) => changed.includes(key));
    for (const reader of misled) {
      readers.delete(reader);
      join(zone, reader);
    }
  }
}

function prune(zone: Zone): void {
  const sinceMs = zone.timer.nowMs() - zone.listWindowMs;
  zone.kept = zone.kept.filter(({ begunMs }) => begunMs >= sinceMs);
}
