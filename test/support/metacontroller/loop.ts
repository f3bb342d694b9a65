import type { Clock } from '../../../src/foundation/clock.ts';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { sameJson } from '../json.ts';
import { controllerOf, isSelected } from './children.ts';
import { selectsParent } from './composite-controller.ts';
import { createWorkQueue, type WorkQueue } from './queue.ts';
import type { Change, Kind, Store } from './store.ts';
import { syncParent, type RunningController, type SyncOutcome } from './sync.ts';

const DEFAULT_WORKERS = 5;
const MIN_RESYNC_PERIOD_MS = 1_000;

export interface SyncReport {
  readonly controller: string;
  readonly key: string;
  readonly outcome: SyncOutcome;
}

export interface LoopOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly workers?: number;
  readonly onSync?: (report: SyncReport) => void;
}

/** One controller at work: its parents, and when each of them is synced. */
export interface Loop {
  readonly controller: RunningController;
  /** Notes a change, and queues the parents that it concerns. */
  see(change: Change): void;
  /** [workers] Starts the syncs that are due: different parents at the same time, up to the number of workers. */
  startDue(): void;
  /** Those that run. */
  running(): readonly Promise<void>[];
  /** When the next sync will be due; undefined = only after an event. */
  nextDueMs(): number | undefined;
  /** [controller-stopped] Starts nothing more, and gives up what runs. */
  stop(): Promise<void>;
}

export function createLoop(options: LoopOptions, controller: RunningController): Loop {
  const { clock } = options;
  const queue = createWorkQueue(clock);
  const parents = new Map<string, ObservedObject>();
  const running = new Set<Promise<void>>();
  const resync = createResync(clock, controller);

  function startDue(): void {
    if (controller.stopping.signal.aborted) return;
    if (resync.isDue()) for (const key of parents.keys()) queue.add(key);
    while (running.size < (options.workers ?? DEFAULT_WORKERS)) {
      const key = queue.take();
      if (key === undefined) return;
      start(key);
    }
  }

  function start(key: string): void {
    const work = syncKey(options.store, controller, parents.get(key)).then((outcome) => {
      schedule(queue, key, outcome);
      queue.done(key);
      running.delete(work);
      options.onSync?.({ controller: controller.object.metadata.name, key, outcome });
    });
    running.add(work);
  }

  return {
    controller,
    see: (change) => {
      for (const key of concernedBy(change, controller, parents)) queue.add(key);
    },
    startDue,
    running: () => [...running],
    nextDueMs: () => earliest([queue.nextDueMs(), resync.nextMs()]),
    stop: async () => {
      controller.stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Keeps `parents` (what Metacontroller calls its cache) and gives the keys of those that a change concerns. */
function concernedBy(
  change: Change,
  { parentKind, childKinds, spec }: RunningController,
  parents: Map<string, ObservedObject>,
): readonly string[] {
  const { object } = change;
  const keys: string[] = [];
  if (isOf(object, parentKind)) {
    const key = keyOf(object);
    const wasParent = parents.has(key);
    const isParent = change.type !== 'DELETED' && selectsParent(spec, object);
    if (isParent) parents.set(key, object);
    else parents.delete(key);
    const isIgnored = spec.parentResource.ignoreStatusChanges && isStatusChange(change);
    if ((isParent || wasParent) && !isIgnored) keys.push(key);
  }
  if (!childKinds.some((kind) => isOf(object, kind))) return keys;
  const owner = controllerOf(object);
  for (const [key, parent] of parents) {
    const isOwner = owner?.uid === parent.metadata.uid;
    const mayAdopt = owner === undefined && change.type !== 'DELETED' && isSelected(object, parent);
    if (isOwner || mayAdopt) keys.push(key);
  }
  return keys;
}

function keyOf(object: ObservedObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}

function isOf(object: ObservedObject, kind: Kind): boolean {
  return object.apiVersion === kind.apiVersion && object.kind === kind.kind;
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

interface Resync {
  /** Once a period. */
  isDue(): boolean;
  nextMs(): number | undefined;
}

/** [resync-period] */
function createResync(clock: Clock, { spec }: RunningController): Resync {
  const { resyncPeriodSeconds } = spec;
  if (resyncPeriodSeconds === undefined) return { isDue: () => false, nextMs: () => undefined };
  const periodMs = Math.max(resyncPeriodSeconds * 1000, MIN_RESYNC_PERIOD_MS);
  let nextMs = clock.nowMs() + periodMs;
  return {
    isDue: () => {
      if (clock.nowMs() < nextMs) return false;
      nextMs += (Math.floor((clock.nowMs() - nextMs) / periodMs) + 1) * periodMs;
      return true;
    },
    nextMs: () => nextMs,
  };
}

export function earliest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce((soonest, time) => (soonest === undefined || (time ?? Infinity) < soonest ? time : soonest));
}

async function syncKey(
  store: Store,
  controller: RunningController,
  parent: ObservedObject | undefined,
): Promise<SyncOutcome> {
  return parent === undefined ? { kind: 'ParentGone' } : syncParent(store, controller, parent);
}

/** When a key comes again after a sync, events apart. */
function schedule(queue: WorkQueue, key: string, outcome: SyncOutcome): void {
  switch (outcome.kind) {
    case 'ParentGone':
      queue.forget(key);
      return;
    case 'TooManyRequests':
      queue.addAfter(key, outcome.afterSeconds * 1000);
      return;
    case 'Unclaimed':
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
