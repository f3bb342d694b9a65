import type { Clock } from '../../../src/foundation/clock.ts';
import { err, ok, type Result } from '../../../src/foundation/result.ts';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { sameJson } from '../json.ts';
import { controllerOf, isSelected, type ChildKind } from './children.ts';
import { parseController } from './composite-controller.ts';
import { createWorkQueue, type WorkQueue } from './queue.ts';
import type { Change, Kind, Store } from './store.ts';
import { syncParent, type RunningController, type SyncOutcome } from './sync.ts';

const DEFAULT_WORKERS = 5;
const MIN_RESYNC_PERIOD_MS = 1_000;
/** More syncs than that in a row at one moment, and it is a loop: a status or child that differs at every sync. */
const HOT_LOOP = 100;

export interface SyncReport {
  readonly controller: string;
  readonly key: string;
  readonly outcome: SyncOutcome;
}

export interface MetacontrollerOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** CompositeControllers as the API server has them. */
  readonly controllers: readonly ObservedObject[];
  /** Where a hook's URL really leads; cluster DNS knows, a test says. Default: where it says. */
  readonly dial?: (url: string) => string;
  readonly workers?: number;
  readonly onSync?: (report: SyncReport) => void;
}

/** A double of Metacontroller: the rules are in the files beside this one, each marked by its name in brackets. */
export interface Metacontroller {
  /** Runs all syncs that are due now and what they cause, until nothing is due. Throws on a hot loop. */
  settle(): Promise<readonly SyncReport[]>;
  /** Starts the syncs that are due now, as far as there are workers for them; `onSync` hears of their ends. */
  startDue(): void;
  /** Waits for the syncs that run. */
  idle(): Promise<void>;
  /** When the next sync will be due; undefined = only after an event. */
  nextDueMs(): number | undefined;
  stop(): void;
}

interface Loop {
  readonly controller: RunningController;
  readonly queue: WorkQueue;
  /** The parents as watched, by key: what Metacontroller calls its cache. */
  readonly parents: Map<string, ObservedObject>;
  readonly running: Set<Promise<void>>;
  /** [resync-period] undefined = none. */
  readonly resyncPeriodMs: number | undefined;
  nextResyncMs: number;
}

/** Starts the controllers, or says why one cannot start. */
export async function startMetacontroller(
  options: MetacontrollerOptions,
): Promise<Result<Metacontroller, string>> {
  const loops: Loop[] = [];
  for (const object of options.controllers) {
    const controller = await startController(options, object);
    if (!controller.ok) return controller;
    loops.push(createLoop(options.clock, controller.value));
  }
  const stopWatching = options.store.watch((change) => {
    for (const loop of loops) onChange(loop, change);
  });
  for (const loop of loops) {
    for (const object of await options.store.list(loop.controller.parentKind)) {
      onChange(loop, { type: 'ADDED', object });
    }
  }
  return ok({
    settle: () => settle(options, loops),
    startDue: () => startDue(options, loops),
    idle: async () => {
      await Promise.all(loops.flatMap(({ running }) => [...running]));
    },
    nextDueMs: () => earliest(loops.flatMap((loop) => [loop.queue.nextDueMs(), nextResync(loop)])),
    stop: stopWatching,
  });
}

async function startController(
  { store, dial = (url) => url }: MetacontrollerOptions,
  object: ObservedObject,
): Promise<Result<RunningController, string>> {
  const spec = parseController(object);
  if (!spec.ok) return spec;
  const { parentResource, childResources } = spec.value;
  const parentKind = await store.discover(parentResource.apiVersion, parentResource.resource);
  if (parentKind === undefined) return err(notServed(parentResource));
  // [parent-needs-status]
  if (!parentKind.hasStatusSubresource) return err(`${parentKind.resource} have no status subresource`);
  const childKinds: ChildKind[] = [];
  for (const rule of childResources) {
    const kind = await store.discover(rule.apiVersion, rule.resource);
    // [missing-kind] One kind that is not served stops the whole controller.
    if (kind === undefined) return err(notServed(rule));
    // [on-delete] is the default: a child is then never updated.
    childKinds.push({ ...kind, method: rule.updateStrategy?.method ?? 'OnDelete' });
  }
  return ok({ object, spec: spec.value, parentKind, childKinds, dial });
}

function notServed({ apiVersion, resource }: Pick<Kind, 'apiVersion' | 'resource'>): string {
  return `${resource} of ${apiVersion} is not served: install its CRD`;
}

function createLoop(clock: Clock, controller: RunningController): Loop {
  const { resyncPeriodSeconds } = controller.spec;
  const resyncPeriodMs =
    resyncPeriodSeconds === undefined ? undefined : Math.max(resyncPeriodSeconds * 1000, MIN_RESYNC_PERIOD_MS);
  return {
    controller,
    queue: createWorkQueue(clock),
    parents: new Map(),
    running: new Set(),
    resyncPeriodMs,
    nextResyncMs: clock.nowMs() + (resyncPeriodMs ?? 0),
  };
}

function keyOf(object: ObservedObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}

function isOf(object: ObservedObject, kind: Kind): boolean {
  return object.apiVersion === kind.apiVersion && object.kind === kind.kind;
}

/** Notes a change, and queues the parents that it concerns. */
function onChange({ controller, queue, parents }: Loop, change: Change): void {
  const { object } = change;
  const { parentKind, childKinds, spec } = controller;
  if (isOf(object, parentKind)) {
    if (change.type === 'DELETED') parents.delete(keyOf(object));
    else parents.set(keyOf(object), object);
    if (!(spec.parentResource.ignoreStatusChanges && isStatusChange(change))) queue.add(keyOf(object));
  }
  if (!childKinds.some((kind) => isOf(object, kind))) return;
  const owner = controllerOf(object);
  for (const [key, parent] of parents) {
    const isOwner = owner?.uid === parent.metadata.uid;
    const mayAdopt = owner === undefined && change.type !== 'DELETED' && isSelected(object, parent);
    if (isOwner || mayAdopt) queue.add(key);
  }
}

/** [status-triggers-sync] [ignore-status-changes] Nothing changed that could be told from outside the status. */
function isStatusChange({ object, previous }: Change): boolean {
  return (
    previous !== undefined &&
    object.metadata.generation === previous.metadata.generation &&
    sameJson(object.metadata.labels, previous.metadata.labels) &&
    sameJson(object.metadata.annotations, previous.metadata.annotations) &&
    object.metadata.deletionTimestamp === undefined
  );
}

function nextResync(loop: Loop): number | undefined {
  return loop.resyncPeriodMs === undefined ? undefined : loop.nextResyncMs;
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce((soonest, time) => (soonest === undefined || (time ?? Infinity) < soonest ? time : soonest));
}

async function settle(
  options: MetacontrollerOptions,
  loops: readonly Loop[],
): Promise<readonly SyncReport[]> {
  const reports: SyncReport[] = [];
  const onSync = (report: SyncReport): void => {
    reports.push(report);
    options.onSync?.(report);
  };
  for (;;) {
    startDue({ ...options, onSync }, loops);
    const running = loops.flatMap((loop) => [...loop.running]);
    if (running.length === 0) return reports;
    await Promise.race(running);
    if (reports.length > HOT_LOOP) throw new Error(`a hot loop: ${reports.at(-1)?.key ?? ''} is synced for ever`);
  }
}

function startDue(options: MetacontrollerOptions, loops: readonly Loop[]): void {
  for (const loop of loops) {
    queueResyncs(options.clock, loop);
    startWorkers(options, loop);
  }
}

function queueResyncs(clock: Clock, loop: Loop): void {
  const { resyncPeriodMs } = loop;
  if (resyncPeriodMs === undefined || clock.nowMs() < loop.nextResyncMs) return;
  const missed = Math.floor((clock.nowMs() - loop.nextResyncMs) / resyncPeriodMs);
  loop.nextResyncMs += (missed + 1) * resyncPeriodMs;
  for (const key of loop.parents.keys()) loop.queue.add(key);
}

/** [workers] Different parents at the same time, up to the number of workers. */
function startWorkers(options: MetacontrollerOptions, loop: Loop): void {
  while (loop.running.size < (options.workers ?? DEFAULT_WORKERS)) {
    const key = loop.queue.take();
    if (key === undefined) return;
    const work = syncKey(options.store, loop, key).then((report) => {
      schedule(loop.queue, report);
      loop.queue.done(key);
      loop.running.delete(work);
      options.onSync?.(report);
    });
    loop.running.add(work);
  }
}

async function syncKey(store: Store, { controller, parents }: Loop, key: string): Promise<SyncReport> {
  const parent = parents.get(key);
  const outcome: SyncOutcome =
    parent === undefined ? { kind: 'ParentGone' } : await syncParent(store, controller, parent);
  return { controller: controller.object.metadata.name, key, outcome };
}

/** When a key comes again after a sync, events apart. */
function schedule(queue: WorkQueue, { key, outcome }: SyncReport): void {
  switch (outcome.kind) {
    case 'ParentGone':
      queue.forget(key);
      return;
    case 'TooManyRequests':
      queue.addAfter(key, outcome.afterSeconds * 1000);
      return;
    case 'Failed':
      queue.addRateLimited(key);
      return;
    case 'Synced':
      // [resync-after]
      if (outcome.answer.resyncAfterSeconds > 0) queue.addAfter(key, outcome.answer.resyncAfterSeconds * 1000);
      if (outcome.failures.length > 0) queue.addRateLimited(key);
      else queue.forget(key);
  }
}
