import type { Result } from '../../../src/foundation/result.ts';
import type { KubernetesEvent } from '../../../src/kubernetes/api.ts';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';

/** What discovery says of a kind. */
export interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Lower-case plural, as rules and URLs spell it: `deployments`. */
  readonly resource: string;
  /** Writes of the object leave its status alone, and the other way round. */
  readonly hasStatusSubresource: boolean;
}

export interface StoreFailure {
  /** Refused: the answer is no, whatever the reason. Unavailable: there is no answer (connection, timeout, 429, 5xx). */
  readonly reason: 'NotFound' | 'AlreadyExists' | 'Conflict' | 'Invalid' | 'Refused' | 'Unavailable';
  readonly message: string;
}

/** Of the dependents of what is deleted; default Background. */
export type Propagation = 'Background' | 'Orphan';

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ObservedObject;
  /** The object before a modification. */
  readonly previous?: ObservedObject;
}

/**
 * What the double needs of a Kubernetes API, seen by one client (its field manager is the store's). In unit tests and
 * the demo an in-memory API server stands behind it; the sync logic does not know, and a real API server takes its place in
 * test/e2e/controlplane.
 */
export interface Store {
  /** The kind behind an apiVersion and a plural, or undefined where no such kind is served. */
  discover(apiVersion: string, resource: string): Promise<Kind | undefined>;
  /** The object as it stands now. */
  get(
    of: Pick<Kind, 'apiVersion' | 'kind'>,
    namespace: string,
    name: string,
  ): Promise<Result<ObservedObject, StoreFailure>>;
  /**
   * All objects of a kind, by namespace and name; without `namespace` of all namespaces. As last seen by a watch, where
   * there is an API server to watch: Metacontroller's cache.
   */
  list(
    of: Pick<Kind, 'apiVersion' | 'kind'>,
    namespace?: string,
  ): Promise<readonly ObservedObject[]>;
  create(object: ObservedObject): Promise<Result<ObservedObject, StoreFailure>>;
  /** PUT: everything but status. A resourceVersion or uid that is not the stored one is a Conflict. */
  update(object: ObservedObject): Promise<Result<ObservedObject, StoreFailure>>;
  /** PUT of the status subresource: nothing but status. */
  updateStatus(object: ObservedObject): Promise<Result<ObservedObject, StoreFailure>>;
  /** DELETE with the object's uid as precondition; dependents follow by owner reference, or stay and lose it (Orphan). */
  remove(object: ObservedObject, propagation?: Propagation): Promise<Result<void, StoreFailure>>;
  record(event: KubernetesEvent): Promise<void>;
  /** Calls back after every change until the returned function is called. */
  watch(listener: (change: Change) => void): () => void;
}
