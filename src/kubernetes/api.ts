import type { Deadline } from '../foundation/deadline.ts';
import type { Result } from '../foundation/result.ts';
import type { ObjectReference, ObservedObject } from './objects.ts';

/** Why a call to the Kubernetes API gave nothing, in kinds that callers tell apart. */
export type ApiFailure =
  | { readonly kind: 'NotFound'; readonly message: string }
  | { readonly kind: 'Forbidden'; readonly message: string }
  /** A precondition does not hold: the object is another, or has changed since it was read. Nothing was written. */
  | { readonly kind: 'Conflict'; readonly message: string }
  /** Refused connection, timeout, 5xx, 429: the answer is unknown, ask again later. */
  | { readonly kind: 'Unavailable'; readonly message: string };

/** Says what happened to one object, for `kubectl describe`; reasons are CamelCase constants. */
export interface KubernetesEvent {
  readonly regarding: ObjectReference & { readonly uid: string };
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** The object as it was read: a write that meets another one, or a later state of it, is refused. */
export interface Precondition {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** What the hooks need of the Kubernetes API, and no more (the ClusterRole in metacontroller/base says the same). */
export interface KubernetesApi {
  /** One object by name, never from a cache. */
  get(reference: ObjectReference, deadline: Deadline): Promise<Result<ObservedObject, ApiFailure>>;
  /**
   * All objects of a kind, of every namespace, read from etcd and not from a cache; in pages, and refused (Unavailable)
   * where there are more than anybody means to have.
   */
  list(
    kind: Pick<ObjectReference, 'apiVersion' | 'kind'>,
    deadline: Deadline,
  ): Promise<Result<readonly ObservedObject[], ApiFailure>>;
  /** One Secret by name, its values decoded from base64. Never listed, never watched, never cached. */
  getSecret(
    namespace: string,
    name: string,
    deadline: Deadline,
  ): Promise<Result<ReadonlyMap<string, string>, ApiFailure>>;
  /** Adds one label to an object, or changes it; nothing else of the object is touched. */
  label(
    reference: ObjectReference,
    label: { readonly key: string; readonly value: string },
    precondition: Precondition,
    deadline: Deadline,
  ): Promise<Result<undefined, ApiFailure>>;
  /** Deletes one object and leaves what it owns, without an owner (propagation Orphan). Again is the same. */
  deleteAlone(
    reference: ObjectReference,
    precondition: Precondition,
    deadline: Deadline,
  ): Promise<Result<undefined, ApiFailure>>;
  /** Records an Event. A lost Event loses nothing else: failures are logged by the adapter, not returned. */
  record(event: KubernetesEvent): void;
}
