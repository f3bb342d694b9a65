import { err, ok, type Result } from '../../../src/foundation/result.ts';
import type { ObservedObject, OwnerReference } from '../../../src/kubernetes/objects.ts';
import { sameJson } from '../json.ts';
import { applyUpdate, withLastApplied } from './merge.ts';
import type { Kind, Store, StoreFailure } from './store.ts';

const CONTROLLER_UID = 'controller-uid';

export interface ChildKind extends Kind {
  readonly method: 'OnDelete' | 'InPlace';
}

/** The children of one parent by kind; a managed kind without children has an empty list. */
export type ChildMap = ReadonlyMap<ChildKind, readonly ObservedObject[]>;

export function controllerOf(object: ObservedObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true);
}

/** [controller-uid-label] A child is selected by the label that names the uid of its parent. */
export function isSelected(object: ObservedObject, parent: ObservedObject): boolean {
  return object.metadata.labels?.[CONTROLLER_UID] === parent.metadata.uid;
}

function controllerReference(parent: ObservedObject): OwnerReference {
  return {
    apiVersion: parent.apiVersion,
    kind: parent.kind,
    name: parent.metadata.name,
    uid: parent.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** What a parent does with an object of a child kind. */
type Claim = 'Mine' | 'Adopt' | 'Release' | 'Ignore';

/**
 * Ours and selected: mine. [adoption] Nobody's and selected: adopted. [release] Ours and no longer selected: let go. A
 * parent that is being deleted neither adopts nor lets go.
 */
function claimOn(object: ObservedObject, parent: ObservedObject): Claim {
  const owner = controllerOf(object);
  const selected = isSelected(object, parent);
  const isParentAlive = parent.metadata.deletionTimestamp === undefined;
  if (owner?.uid === parent.metadata.uid) {
    if (selected) return 'Mine';
    return isParentAlive ? 'Release' : 'Ignore';
  }
  const isFree = owner === undefined && object.metadata.deletionTimestamp === undefined;
  return isFree && selected && isParentAlive ? 'Adopt' : 'Ignore';
}

/** The children that the hook will see, or which of them could not be adopted or let go. */
export async function claimChildren(
  store: Store,
  parent: ObservedObject,
  kinds: readonly ChildKind[],
): Promise<Result<ChildMap, string>> {
  const claimed = new Map<ChildKind, readonly ObservedObject[]>();
  for (const kind of kinds) {
    const mine: ObservedObject[] = [];
    for (const object of await store.list(kind, parent.metadata.namespace)) {
      const claim = claimOn(object, parent);
      const others = withoutOwner(object, parent);
      if (claim === 'Adopt') {
        const adopted = await setOwners(store, object, [...others, controllerReference(parent)]);
        if (!adopted.ok) return err(`can't claim ${kind.kind} children: ${adopted.error}`);
      }
      if (claim === 'Release') {
        const released = await setOwners(store, object, others);
        if (!released.ok) return err(`can't claim ${kind.kind} children: ${released.error}`);
      }
      // An adopted one as it was observed: the hook sees its new owner at the next sync.
      if (claim === 'Mine' || claim === 'Adopt') mine.push(object);
    }
    claimed.set(kind, mine);
  }
  return ok(claimed);
}

function withoutOwner(object: ObservedObject, parent: ObservedObject): readonly OwnerReference[] {
  return (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== parent.metadata.uid);
}

async function setOwners(
  store: Store,
  object: ObservedObject,
  ownerReferences: readonly OwnerReference[],
): Promise<Result<unknown, string>> {
  const written = await store.update({ ...object, metadata: { ...object.metadata, ownerReferences } });
  // One that is gone need not be claimed; one that changed meanwhile brings the next sync.
  return swallow(written, ['NotFound', 'Conflict']);
}

/** The hook's children with what Metacontroller adds, or why one of them cannot be this parent's. */
export function completeChildren(
  answered: readonly ObservedObject[],
  parent: ObservedObject,
): Result<readonly ObservedObject[], string> {
  const complete = answered.map((child) => {
    // [namespace-default]
    const namespace = child.metadata.namespace ?? parent.metadata.namespace;
    const labels = { [CONTROLLER_UID]: parent.metadata.uid ?? '', ...child.metadata.labels };
    return { ...child, metadata: { ...child.metadata, namespace, labels } };
  });
  // [foreign-controller-uid]
  const foreign = complete.find((child) => !isSelected(child, parent));
  return foreign === undefined
    ? ok(complete)
    : err(`labels of the desired child ${describe(foreign)} do not match the parent's selector`);
}

/** Makes the children as desired; what fails does not keep the others from being made. Returns what failed. */
export async function manageChildren(
  store: Store,
  parent: ObservedObject,
  observed: ChildMap,
  desired: readonly ObservedObject[],
): Promise<readonly string[]> {
  const failures: string[] = [];
  const note = (outcome: Result<unknown, string>): void => {
    if (!outcome.ok) failures.push(outcome.error);
  };
  for (const child of [...observed.values()].flat()) {
    // [omitted-is-deleted]
    if (desired.some((wanted) => isSame(wanted, child))) continue;
    if (child.metadata.deletionTimestamp === undefined) note(swallow(await store.remove(child), ['NotFound']));
  }
  const methods = new Map([...observed.keys()].map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind.method]));
  for (const wanted of desired) {
    const found = [...observed.values()].flat().find((child) => isSame(wanted, child));
    note(
      found === undefined
        ? await createChild(store, parent, wanted)
        : await updateChild(store, found, wanted, methods.get(`${wanted.apiVersion} ${wanted.kind}`)),
    );
  }
  return failures;
}

/** [name-taken] Silence where the name is taken: no error, no event. */
async function createChild(
  store: Store,
  parent: ObservedObject,
  desired: ObservedObject,
): Promise<Result<unknown, string>> {
  // The annotation remembers what was asked for; the owner reference comes on top of it.
  const annotated = withLastApplied(desired, desired);
  const owned = {
    ...annotated,
    metadata: { ...annotated.metadata, ownerReferences: [controllerReference(parent)] },
  };
  return swallow(await store.create(owned), ['AlreadyExists']);
}

/** [in-place] [on-delete] */
async function updateChild(
  store: Store,
  observed: ObservedObject,
  desired: ObservedObject,
  method: ChildKind['method'] | undefined,
): Promise<Result<unknown, string>> {
  const updated = applyUpdate(observed, desired);
  if (!updated.ok) return updated;
  const isSettled = sameJson(updated.value, observed);
  if (isSettled || observed.metadata.deletionTimestamp !== undefined || method !== 'InPlace') return ok(undefined);
  // A Conflict means that it changed meanwhile: that change brings the next sync.
  return swallow(await store.update(updated.value), ['NotFound', 'Conflict']);
}

function swallow(
  outcome: Result<unknown, StoreFailure>,
  harmless: readonly StoreFailure['reason'][],
): Result<unknown, string> {
  if (outcome.ok || harmless.includes(outcome.error.reason)) return ok(undefined);
  return err(outcome.error.message);
}

function isSame(left: ObservedObject, right: ObservedObject): boolean {
  return (
    left.apiVersion === right.apiVersion &&
    left.kind === right.kind &&
    left.metadata.namespace === right.metadata.namespace &&
    left.metadata.name === right.metadata.name
  );
}

export function describe(object: ObservedObject): string {
  return `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}
