import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { err, ok, type Result } from '../../../src/foundation/result.ts';
import type { ChildKind } from './children.ts';
import { parseController } from './composite-controller.ts';
import { readConnection } from './connection.ts';
import type { Kind, Store } from './store.ts';
import type { RunningController } from './sync.ts';

/** Why a CompositeController cannot start. */
export interface StartFailure {
  readonly reason: 'NotPlayed' | 'ParentMissing' | 'StatusMissing' | 'ChildMissing' | 'ConnectionUnread';
  readonly message: string;
}

export interface Surroundings {
  readonly store: Store;
  /** Where a hook's URL really leads; cluster DNS knows, a test says. Default: where it says. */
  readonly dial?: (url: string) => string;
}

/** What a CompositeController asks for, with the kinds that discovery gives for it. */
export async function readController(
  { store, dial = (url) => url }: Surroundings,
  object: ObservedObject,
): Promise<Result<RunningController, StartFailure>> {
  const spec = parseController(object);
  if (!spec.ok) return err({ reason: 'NotPlayed', message: spec.error });
  const { parentResource, childResources } = spec.value;
  const parentKind = await store.discover(parentResource.apiVersion, parentResource.resource);
  if (parentKind === undefined) return err({ reason: 'ParentMissing', message: notServed(parentResource) });
  // [parent-needs-status]
  if (!parentKind.hasStatusSubresource) {
    return err({ reason: 'StatusMissing', message: `${parentKind.resource} have no status subresource` });
  }
  const childKinds: ChildKind[] = [];
  for (const rule of childResources) {
    const kind = await store.discover(rule.apiVersion, rule.resource);
    // [missing-kind] One kind that is not served stops the whole controller.
    if (kind === undefined) return err({ reason: 'ChildMissing', message: notServed(rule) });
    // [on-delete] is the default: a child is then never updated.
    childKinds.push({ ...kind, method: rule.updateStrategy?.method ?? 'OnDelete' });
  }
  const connection = await readConnection(store, spec.value.hooks.sync.webhook);
  if (!connection.ok) return err({ reason: 'ConnectionUnread', message: connection.error });
  return ok({
    object,
    spec: spec.value,
    parentKind,
    childKinds,
    connection: connection.value,
    dial,
    stopping: new AbortController(),
  });
}

function notServed({ apiVersion, resource }: Pick<Kind, 'apiVersion' | 'resource'>): string {
  return `${resource} of ${apiVersion} is not served: install its CRD`;
}
