import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { ok, type Result } from '../../../src/foundation/result.ts';
import { sameJson } from '../json.ts';
import { createLoop, type Loop, type LoopOptions } from './loop.ts';
import { createWorkQueue } from './queue.ts';
import { readController, type StartFailure, type Surroundings } from './start-controller.ts';
import type { Change, Store } from './store.ts';

const COMPOSITE_CONTROLLER = {
  apiVersion: 'metacontroller.k8s.io/v1alpha1',
  kind: 'CompositeController',
};

/** What became of a CompositeController that was created, changed or deleted. */
export interface ControllerReport {
  readonly controller: string;
  readonly failure?: StartFailure;
}

export interface FollowOptions extends LoopOptions, Surroundings {
  readonly onController?: (report: ControllerReport) => void;
}

/** The controllers at work, as the store's CompositeControllers want them. */
export interface Following {
  readonly loops: ReadonlyMap<string, Loop>;
  see(change: Change): void;
  /** Starts, stops and starts anew what is due. */
  startDue(): void;
  running(): readonly Promise<void>[];
  nextDueMs(): number | undefined;
}

export function followControllers(options: FollowOptions): Following {
  const { store } = options;
  const queue = createWorkQueue(options.clock);
  const loops = new Map<string, Loop>();
  const running = new Set<Promise<void>>();

  /** [follows-controllers] What is deleted or has another spec is stopped; what is there is started, once. */
  async function follow(name: string): Promise<Result<unknown, StartFailure>> {
    const object = (await store.list(COMPOSITE_CONTROLLER)).find(({ metadata }) => metadata.name === name);
    const loop = loops.get(name);
    if (loop !== undefined) {
      if (sameJson(object?.['spec'], loop.controller.object['spec'])) return ok(undefined);
      loops.delete(name);
      await loop.stop();
      await tell(store, loop.controller.object, 'Stopped', `Stopped controller: ${name}`);
    }
    return object === undefined ? ok(undefined) : start(name, object);
  }

  async function start(name: string, object: ObservedObject): Promise<Result<unknown, StartFailure>> {
    const controller = await readController(options, object);
    if (!controller.ok) {
      await tellFailure(store, object, controller.error);
      return controller;
    }
    const loop = createLoop(options, controller.value);
    loops.set(name, loop);
    for (const parent of await store.list(controller.value.parentKind)) {
      loop.see({ type: 'ADDED', object: parent });
    }
    await tell(store, object, 'Started', `Started controller: ${name}`);
    return ok(undefined);
  }

  function startFollowing(name: string): void {
    const work = follow(name).then((followed) => {
      // [start-retried] All but a parent kind without status may come to be.
      if (!followed.ok && followed.error.reason !== 'StatusMissing') queue.addRateLimited(name);
      else queue.forget(name);
      queue.done(name);
      running.delete(work);
      options.onController?.({ controller: name, ...(followed.ok ? {} : { failure: followed.error }) });
    });
    running.add(work);
  }

  return {
    loops,
    see: ({ object: { apiVersion, kind, metadata } }) => {
      const isOne = apiVersion === COMPOSITE_CONTROLLER.apiVersion && kind === COMPOSITE_CONTROLLER.kind;
      if (isOne) queue.add(metadata.name);
    },
    startDue: () => {
      for (let name = queue.take(); name !== undefined; name = queue.take()) startFollowing(name);
    },
    running: () => [...running],
    nextDueMs: () => queue.nextDueMs(),
  };
}

/** For `onController` where every controller is one that can start. */
export function mustStart({ controller, failure }: ControllerReport): void {
  if (failure !== undefined) throw new Error(`${controller} cannot start: ${failure.message}`);
}

async function tellFailure(store: Store, object: ObservedObject, failure: StartFailure): Promise<void> {
  if (failure.reason === 'ParentMissing') return; // it says so in its log alone
  const reason = failure.reason === 'StatusMissing' ? 'SyncError' : 'CreateError';
  await tell(store, object, reason, `Cannot create new controller: ${failure.message}`);
}

async function tell(
  store: Store,
  { apiVersion, kind, metadata: { name, uid = '' } }: ObservedObject,
  reason: 'Started' | 'Stopped' | 'CreateError' | 'SyncError',
  message: string,
): Promise<void> {
  const type = reason === 'Started' || reason === 'Stopped' ? 'Normal' : 'Warning';
  // An Event about what has no namespace is kept in `default`.
  const regarding = { apiVersion, kind, namespace: 'default', name, uid };
  await store.record({ regarding, type, reason, message });
}

/** Those that are there when everything starts. */
export async function listControllers(store: Store): Promise<readonly ObservedObject[]> {
  return store.list(COMPOSITE_CONTROLLER);
}
