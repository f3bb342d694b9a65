/** JSON as it arrives; the core reads it through narrow functions, never by a cast to a whole API type. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean | undefined;
  readonly blockOwnerDeletion?: boolean | undefined;
}

/** The part of meta/v1 ObjectMeta that the hooks read. */
export interface ObservedMetadata {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly generation?: number | undefined;
  readonly creationTimestamp?: string | undefined;
  readonly deletionTimestamp?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly ownerReferences?: readonly OwnerReference[] | undefined;
}

/** A Kubernetes object as observed: whatever else it carries is kept, unread. */
export interface ObservedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObservedMetadata;
  readonly [key: string]: unknown;
}

/** An object that a hook asks for: only what we mean, nothing null, no status, no ownerReferences. */
export interface DesiredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [key: string]: unknown;
}

/** A part of an object that is asked for. */
export type Fields = Readonly<Record<string, unknown>>;

/** Names one object through the API. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}
