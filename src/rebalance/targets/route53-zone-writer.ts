import { err, ok } from '../../foundation/result.ts';
import type { Timer } from '../../foundation/timer.ts';
import type { Change } from './port.ts';
import { abortable, type Access } from './route53-access.ts';
import { CHANGE, changeRecords, type BatchEnd } from './route53-api.ts';
import { planBatch, splitRefused } from './route53-batch.ts';
import type { Outcome } from './route53-caller.ts';
import { toFailure } from './route53-failures.ts';
import { keyOfTarget, type SetKey } from './route53-listing.ts';
import {
  asCandidate,
  createPending,
  toldOf,
  type Batch,
  type Pending,
  type WriteRequest,
} from './route53-pending-change.ts';
import { retryAfter } from './route53-retry.ts';
import { afterGathering } from './route53-turns.ts';

/** The one line of a hosted zone's changes: one batch at a time, with all that came while the last was on its way. */
export interface ZoneWriter {
  write(request: WriteRequest): Outcome<Change>;
  /** Whether a change is waiting or on its way. */
  readonly isBusy: () => boolean;
}

export interface ZoneWriterOptions {
  readonly zoneId: string;
  readonly timer: Timer;
  /** For how long a batch waits for others that come together with the first. */
  readonly gatherMs: number;
  /** Changes of these sets have ended, done or not. */
  readonly onEnd: (changed: readonly SetKey[]) => void;
  /** No change is waiting or on its way any more. */
  readonly onIdle: () => void;
  /** How many changes go together. */
  readonly onBatch: (size: number) => void;
}

interface Zone extends ZoneWriterOptions {
  waiting: readonly Pending[];
  isBusy: boolean;
  /** A batch stands in line, is on its way, or pauses before it is tried again. */
  isQueued: boolean;
}

export function createZoneWriter(options: ZoneWriterOptions): ZoneWriter {
  const zone: Zone = { ...options, waiting: [], isBusy: false, isQueued: false };
  return {
    isBusy: () => zone.isBusy,
    write: (request) => {
      const pending = createPending(request, zone.timer);
      zone.waiting = [...zone.waiting, pending];
      queue(zone, zone.gatherMs);
      return pending.caller.answer;
    },
  };
}

/** The zone stands in line for its next batch; what that holds is decided when its turn comes. */
function queue(zone: Zone, gatherMs = 0): void {
  zone.waiting = zone.waiting.filter(({ caller }) => caller.isWaiting());
  const [first] = zone.waiting;
  if (zone.isQueued) return;
  if (first === undefined) {
    zone.isBusy = false;
    zone.onIdle();
    return;
  }
  zone.isBusy = true;
  zone.isQueued = true;
  const { access } = first;
  const start = (): boolean => {
    const batch = takeBatch(zone, access);
    if (batch.changes.length === 0) {
      zone.isQueued = false;
      queue(zone);
      return false;
    }
    void send(zone, access, batch);
    return true;
  };
  afterGathering(zone.timer, gatherMs, () => access.turns.take({ rank: 'First', start }));
}

/** A change is sent with the credentials of its own object, never with another's. */
function takeBatch(zone: Zone, access: Access): Batch {
  const own = zone.waiting.filter(
    (pending) => pending.caller.isWaiting() && pending.access.key === access.key,
  );
  const changes = planBatch(own.map(asCandidate)).map(({ pending }) => pending);
  const batch = { changes, abort: new AbortController() };
  zone.waiting = zone.waiting.filter((pending) => !changes.includes(pending));
  for (const pending of changes) pending.batch = batch;
  return batch;
}

async function send(zone: Zone, access: Access, batch: Batch): Promise<void> {
  const { changes, abort } = batch;
  zone.onBatch(changes.length);
  const request = {
    zoneId: zone.zoneId,
    comment: commentOf(changes),
    records: changes.flatMap(({ records }) => records),
  };
  const end = await abortable(abort.signal, changeRecords(access.client, request, abort.signal)).catch(
    (thrown: unknown): BatchEnd => ({ kind: 'Failed', thrown, isInDoubt: true }),
  );
  for (const pending of changes) pending.batch = undefined;
  zone.onEnd(changes.map(({ target }) => keyOfTarget(target)));
  if (end.kind === 'Accepted') {
    for (const { caller } of changes) caller.settle(ok(end.change));
    free(zone, 0);
  } else afterFailure(zone, access, changes, end);
}

function commentOf(changes: readonly Pending[]): string {
  const [first] = changes;
  return changes.length === 1 && first !== undefined
    ? first.comment
    : `counterpoise: ${changes.length} changes`;
}

/** The zone's next batch may go, after a pause where Route 53 asks for one. */
function free(zone: Zone, delayMs: number): void {
  const next = (): void => {
    zone.isQueued = false;
    queue(zone);
  };
  if (delayMs > 0) zone.timer.after(delayMs, next);
  else next();
}

/** What was refused for one alone is split until that one stands alone; what may pass later is sent again. */
function afterFailure(
  zone: Zone,
  access: Access,
  changes: readonly Pending[],
  { thrown, isInDoubt }: Extract<BatchEnd, { kind: 'Failed' }>,
): void {
  for (const pending of changes) pending.isInDoubt ||= isInDoubt;
  if (changes.length > 1 && isOfOneAlone(thrown)) isolate(zone, changes, thrown.message);
  else retry(zone, access, changes, thrown);
}

/**
 * Refusals of a whole batch for one of its changes: a record that cannot be so (API Reference, ChangeResourceRecordSets,
 * Errors), or that the credentials may not write where a policy allows some names alone.
 */
const OF_ONE_ALONE = new Set([
  'InvalidChangeBatch',
  'InvalidInput',
  'NoSuchHealthCheck',
  'AccessDenied',
  'AccessDeniedException',
]);

function isOfOneAlone(thrown: unknown): thrown is Error {
  return thrown instanceof Error && OF_ONE_ALONE.has(thrown.name);
}

function isolate(zone: Zone, changes: readonly Pending[], message: string): void {
  const parts = splitRefused(changes.map(asCandidate), message);
  for (const part of parts) {
    const group = Symbol('part of a refused batch');
    for (const { pending } of part) pending.group = group;
  }
  zone.waiting = [...parts.flat().map(({ pending }) => pending), ...zone.waiting];
  free(zone, 0);
}

function retry(zone: Zone, access: Access, changes: readonly Pending[], thrown: unknown): void {
  let delayMs = 0;
  for (const pending of changes) {
    pending.tries += 1;
    const failure = toFailure({ target: pending.target, action: CHANGE, thrown, isAborted: false });
    pending.lastFailure = { ...toldOf(pending, failure), outcomeUnknown: pending.isInDoubt };
    const next = retryAfter(thrown, pending.tries);
    if (next.kind === 'GiveUp') {
      pending.caller.settle(err(pending.lastFailure));
      continue;
    }
    delayMs = Math.max(delayMs, next.delayMs);
    if (next.kind === 'PauseAccount') access.turns.pause(next.delayMs);
  }
  // Who has its answer is dropped when the zone is queued.
  zone.waiting = [...changes, ...zone.waiting];
  free(zone, delayMs);
}
