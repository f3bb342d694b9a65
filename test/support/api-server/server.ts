import { rfc3339, type Clock } from '../../../src/foundation/clock.ts';
import { err, ok, type Result } from '../../../src/foundation/result.ts';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { omit, overTheWire, sameJson } from '../json.ts';
import type { Change, Kind, Propagation, Store, StoreFailure } from '../metacontroller/store.ts';
import { BUILTIN_KINDS } from './builtin-kinds.ts';
import type { KindRules } from './kinds.ts';
import {
  generationAfter,
  identityOf,
  isFinalized,
  isOutdated,
  keyOf,
  nameOf,
  replaceContent,
  withMetadata,
} from './metadata.ts';
import { managedFieldsAfter, type Write } from './managed-fields.ts';

type Written = Result<ObservedObject, StoreFailure>;
type Verb = 'create' | 'update' | 'updateStatus' | 'delete';

/** A write as it arrived, whether or not it changed anything. */
export interface WriteRequest {
  readonly manager: string;
  readonly verb: Verb;
  readonly kind: string;
  readonly name: string;
}

/** An API server in memory: what kube-apiserver and the garbage collector do, as far as hooks and children see it. */
export interface ApiServer {
  /** The API as one client sees it; its name becomes the field manager. */
  as(manager: string): Store;
  /** Puts an object there exactly as given, unseen by watches: the past of a test. */
  seed(object: ObservedObject): void;
  readonly writes: readonly WriteRequest[];
}

export function createApiServer(clock: Clock, customKinds: readonly KindRules[] = []): ApiServer {
  const kinds = [...BUILTIN_KINDS, ...customKinds];
  const objects = new Map<string, ObservedObject>();
  const listeners = new Set<(change: Change) => void>();
  const writes: WriteRequest[] = [];
  let counter = 1000;

  function rulesOf(of: Pick<Kind, 'apiVersion' | 'kind'>): KindRules | undefined {
    return kinds.find(({ apiVersion, kind }) => apiVersion === of.apiVersion && kind === of.kind);
  }

  function listOf(of: Pick<Kind, 'apiVersion' | 'kind'>): readonly ObservedObject[] {
    const all = [...objects.values()].filter(
      ({ apiVersion, kind }) => apiVersion === of.apiVersion && kind === of.kind,
    );
    return all.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  function commit(object: ObservedObject, previous: ObservedObject | undefined): ObservedObject {
    counter += 1;
    const stored = withMetadata(object, { resourceVersion: String(counter) });
    objects.set(keyOf(stored), stored);
    notify(
      previous === undefined
        ? { type: 'ADDED', object: stored }
        : { type: 'MODIFIED', object: stored, previous },
    );
    return stored;
  }

  function notify(change: Change): void {
    for (const listener of listeners) listener(change);
  }

  function get(named: ObservedObject): Written {
    const stored = objects.get(keyOf(named));
    return stored === undefined ? notFound(named) : ok(stored);
  }

  function nextUid(): string {
    counter += 1;
    return `00000000-0000-4000-8000-${String(counter).padStart(12, '0')}`;
  }

  function create(manager: string, sent: ObservedObject): Written {
    const rules = rulesOf(sent);
    if (rules === undefined) return notFound(sent);
    if (objects.has(keyOf(sent))) return fail('AlreadyExists', `${nameOf(sent)} already exists`);
    // [status-subresource]
    const content = { ...omit(sent, 'status'), ...identityOf(sent) };
    const admitted = rules.admit(rules.hasStatusSubresource ? content : sent);
    const time = rfc3339(clock.nowMs());
    const object = withMetadata(admitted, {
      uid: nextUid(),
      creationTimestamp: time,
      ...(rules.bumpsGeneration === undefined ? {} : { generation: 1 }),
    });
    return ok(commit(managed(undefined, object, { manager, subresource: undefined, time }), undefined));
  }

  function update(manager: string, sent: ObservedObject, subresource: 'status' | undefined): Written {
    const [rules, before] = [rulesOf(sent), objects.get(keyOf(sent))];
    if (rules === undefined || before === undefined) return notFound(sent);
    if (isOutdated(sent, before)) return fail('Conflict', `${nameOf(sent)} has been modified`);
    const admitted = rules.admit(
      subresource === 'status' ? { ...before, status: sent['status'] } : replaceContent(rules, before, sent),
    );
    const refusal = rules.refuseUpdate?.(before, admitted);
    if (refusal !== undefined) return fail('Invalid', refusal);
    // [no-op-write] Nothing changed: no new resourceVersion, no event.
    if (sameJson(admitted, before)) return ok(before);
    const generation = generationAfter(rules, before, admitted);
    const object = withMetadata(admitted, generation === undefined ? {} : { generation });
    const write = { manager, subresource, time: rfc3339(clock.nowMs()) };
    const after = commit(managed(before, object, write), before);
    if (isFinalized(after)) drop(after);
    return ok(after);
  }

  function remove(sent: ObservedObject, propagation: Propagation): Result<void, StoreFailure> {
    const stored = objects.get(keyOf(sent));
    if (stored === undefined) return notFound(sent);
    if (stored.metadata.uid !== sent.metadata.uid) {
      return fail('Conflict', `${nameOf(sent)} has another uid`);
    }
    if (propagation === 'Orphan') release(stored);
    const { deletionTimestamp = rfc3339(clock.nowMs()), generation } = stored.metadata;
    const marked = withMetadata(stored, {
      deletionTimestamp,
      ...(generation === undefined ? {} : { generation: generation + 1 }),
    });
    if (isFinalized(marked)) drop(stored);
    else if (stored.metadata.deletionTimestamp === undefined) commit(marked, stored);
    return ok(undefined);
  }

  /** [orphan-propagation] What it owns is its no more. */
  function release(owner: ObservedObject): void {
    for (const dependent of [...objects.values()]) {
      const owners = dependent.metadata.ownerReferences ?? [];
      const others = owners.filter(({ uid }) => uid !== owner.metadata.uid);
      if (others.length < owners.length)
        commit(withMetadata(dependent, { ownerReferences: others }), dependent);
    }
  }

  /** [garbage-collection] What is owned by nobody else goes with its owner. */
  function drop(object: ObservedObject): void {
    objects.delete(keyOf(object));
    notify({ type: 'DELETED', object });
    for (const dependent of [...objects.values()]) {
      const owners = dependent.metadata.ownerReferences ?? [];
      if (!owners.some(({ uid }) => uid === object.metadata.uid)) continue;
      const uids = new Set([...objects.values()].map(({ metadata }) => metadata.uid));
      if (!owners.some(({ uid }) => uids.has(uid))) remove(dependent, 'Background');
    }
  }

  function clientOf(manager: string): Store {
    const log = (verb: Verb, { kind, metadata }: ObservedObject): void => {
      writes.push({ manager, verb, kind, name: metadata.name });
    };
    return {
      discover: (apiVersion, resource) =>
        Promise.resolve(kinds.find((kind) => kind.apiVersion === apiVersion && kind.resource === resource)),
      get: ({ apiVersion, kind }, namespace, name) =>
        Promise.resolve(get({ apiVersion, kind, metadata: { namespace, name } })),
      list: (of, namespace) =>
        Promise.resolve(
          listOf(of).filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace),
        ),
      create: (object) => {
        log('create', object);
        return Promise.resolve(create(manager, overTheWire(object)));
      },
      update: (object) => {
        log('update', object);
        return Promise.resolve(update(manager, overTheWire(object), undefined));
      },
      updateStatus: (object) => {
        log('updateStatus', object);
        return Promise.resolve(update(manager, overTheWire(object), 'status'));
      },
      remove: (object, propagation = 'Background') => {
        log('delete', object);
        return Promise.resolve(remove(object, propagation));
      },
      record: ({ regarding, type, reason, message }) => {
        counter += 1;
        const { namespace, name } = regarding;
        const metadata = { namespace, name: `${name}.${counter}` };
        create(manager, {
          apiVersion: 'v1',
          kind: 'Event',
          metadata,
          involvedObject: regarding,
          type,
          reason,
          message,
          source: { component: manager },
        });
        return Promise.resolve();
      },
      watch: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
  }

  return {
    as: clientOf,
    seed: (object) => void objects.set(keyOf(object), object),
    writes,
  };
}

function managed(before: ObservedObject | undefined, after: ObservedObject, write: Write): ObservedObject {
  return withMetadata(after, { managedFields: managedFieldsAfter(before, after, write) });
}

function fail(
  reason: StoreFailure['reason'],
  message: string,
): { readonly ok: false; readonly error: StoreFailure } {
  return err({ reason, message });
}

function notFound(object: ObservedObject): { readonly ok: false; readonly error: StoreFailure } {
  return fail('NotFound', `${nameOf(object)} not found`);
}
