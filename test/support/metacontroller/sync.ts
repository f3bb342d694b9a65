import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { childKindKey } from '../../../src/kubernetes/metacontroller.ts';
import { sameJson } from '../json.ts';
import {
  claimChildren,
  completeChildren,
  describe,
  manageChildren,
  type ChildKind,
  type ChildMap,
} from './children.ts';
import { controllerInBody, hookTimeoutMs, hookUrl, type ControllerSpec } from './composite-controller.ts';
import type { Connection } from './connection.ts';
import type { Kind, Store, StoreFailure } from './store.ts';
import { callHook, type HookAnswer, type HookOutcome } from './webhook.ts';

/** client-go's DefaultBackoff; its pauses, 10 to 250 ms, are left out. */
const STATUS_ATTEMPTS = 4;

/** A controller that has started: its rule, and the kinds that discovery gave for it. */
export interface RunningController {
  readonly object: ObservedObject;
  readonly spec: ControllerSpec;
  readonly parentKind: Kind;
  readonly childKinds: readonly ChildKind[];
  readonly connection: Connection;
  /** Stands in for cluster DNS: where a hook's URL really leads. */
  readonly dial: (url: string) => string;
  /** Aborted when the controller is deleted or changed. */
  readonly stopping: AbortController;
}

/** [five-fields] What a sync hook is sent. */
export interface SyncBody {
  readonly controller: ObservedObject;
  readonly parent: ObservedObject;
  readonly children: Readonly<Record<string, Readonly<Record<string, ObservedObject>>>>;
  readonly related: Readonly<Record<string, never>>;
  readonly finalizing: false;
}

export type SyncOutcome =
  | { readonly kind: 'ParentGone' }
  /** A child could not be adopted or let go; the hook was not asked. */
  | { readonly kind: 'Unclaimed'; readonly message: string }
  | { readonly kind: 'TooManyRequests'; readonly afterSeconds: number; readonly body: SyncBody }
  | { readonly kind: 'Failed'; readonly message: string; readonly body: SyncBody }
  | {
      readonly kind: 'Synced';
      readonly body: SyncBody;
      readonly answer: HookAnswer;
      /** What could not be applied; the rest was. */
      readonly failures: readonly string[];
    };

/** One sync of one parent: observe, ask the hook, apply what it answers. */
export async function syncParent(
  store: Store,
  controller: RunningController,
  parent: ObservedObject,
): Promise<SyncOutcome> {
  const claimed = await claimChildren(store, parent, controller.childKinds);
  if (!claimed.ok) {
    // [adoption-refused]
    await recordSyncError(store, parent, claimed.error);
    return { kind: 'Unclaimed', message: claimed.error };
  }
  const observed = claimed.value;
  const body = makeBody(controller, parent, observed);
  const asked = await askHook(controller, body);
  if (asked.kind === 'TooManyRequests') return { ...asked, body };
  if (asked.kind === 'Failed') {
    // [nothing-touched] [sync-error]
    const message = `sync hook failed for ${describe(parent)}: ${asked.message}`;
    await recordSyncError(store, parent, message);
    return { kind: 'Failed', message, body };
  }
  const failures = await apply(store, parent, observed, asked.answer);
  if (failures.length > 0) await recordSyncError(store, parent, failures.join('; '));
  return { kind: 'Synced', body, answer: asked.answer, failures };
}

function makeBody(controller: RunningController, parent: ObservedObject, observed: ChildMap): SyncBody {
  return {
    controller: controllerInBody(controller.object, controller.spec),
    // [whole-objects]
    parent,
    // [managed-kinds]
    children: Object.fromEntries(
      [...observed].map(([kind, children]) => [
        childKindKey(kind.apiVersion, kind.kind),
        Object.fromEntries(children.map((child) => [child.metadata.name, child])),
      ]),
    ),
    related: {},
    finalizing: false,
  };
}

function askHook(controller: RunningController, body: SyncBody): Promise<HookOutcome> {
  const { spec, connection, dial, stopping } = controller;
  return callHook(
    {
      url: dial(hookUrl(spec)),
      timeoutMs: hookTimeoutMs(spec),
      mode: spec.hooks.sync.webhook.responseUnMarshallMode,
      stopping: stopping.signal,
      connection,
    },
    body,
  );
}

/** Applies an answer: children first, then the status, whatever became of the children. Returns what failed. */
async function apply(
  store: Store,
  parent: ObservedObject,
  observed: ChildMap,
  answer: HookAnswer,
): Promise<readonly string[]> {
  const children = completeChildren(answer.children, parent);
  if (!children.ok) return [children.error];
  // [deleting-parent] Without a finalize hook the children of a parent on its way out are left to the garbage collector.
  const isAlive = parent.metadata.deletionTimestamp === undefined;
  const failures = isAlive ? await manageChildren(store, parent, observed, children.value) : [];
  const written = await writeStatus(store, parent, answer.status);
  switch (written.kind) {
    case 'Done':
      return failures;
    case 'Ignored':
      return [];
    case 'Failed':
      return [written.message];
  }
}

type StatusWrite =
  | { readonly kind: 'Done' }
  /** The parent is gone, or is written by others faster than we can. What failed before is then not told either. */
  | { readonly kind: 'Ignored' }
  | { readonly kind: 'Failed'; readonly message: string };

/** [status-replaced] [status-compared] [stale-parent] The live object gets the status, if it differs and is still the same object. */
async function writeStatus(
  store: Store,
  parent: ObservedObject,
  answered: HookAnswer['status'],
): Promise<StatusWrite> {
  // [observed-generation] That of the parent as posted.
  const status = { ...answered, observedGeneration: parent.metadata.generation };
  // [status-retried] Where somebody wrote in between, the object is read again.
  for (let attempt = 1; attempt <= STATUS_ATTEMPTS; attempt += 1) {
    const live = await store.get(parent, parent.metadata.namespace ?? '', parent.metadata.name);
    if (!live.ok) return afterFailure(live.error);
    if (live.value.metadata.uid !== parent.metadata.uid) return { kind: 'Ignored' };
    if (sameJson(live.value['status'], status)) return { kind: 'Done' };
    const written = await store.updateStatus({ ...live.value, status });
    if (written.ok) return { kind: 'Done' };
    if (written.error.reason !== 'Conflict') return afterFailure(written.error);
  }
  return { kind: 'Ignored' };
}

function afterFailure({ reason, message }: StoreFailure): StatusWrite {
  return reason === 'NotFound' ? { kind: 'Ignored' } : { kind: 'Failed', message };
}

async function recordSyncError(store: Store, parent: ObservedObject, message: string): Promise<void> {
  const { namespace = '', name, uid = '' } = parent.metadata;
  await store.record({
    regarding: { apiVersion: parent.apiVersion, kind: parent.kind, namespace, name, uid },
    type: 'Warning',
    reason: 'SyncError',
    message: `Sync error: ${message}`,
  });
}
