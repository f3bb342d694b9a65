import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import type { Kind } from '../metacontroller/store.ts';

/** How the in-memory API server treats objects of one kind. */
export interface KindRules extends Kind {
  /** undefined = the kind has no generation at all (Service, Secret). */
  readonly bumpsGeneration: ((before: ObservedObject, after: ObservedObject) => boolean) | undefined;
  /** What is stored of an object that was sent: pruned, defaulted, in canonical form. */
  readonly admit: (object: ObservedObject) => ObservedObject;
  /** The first of the 422 messages of an update, or undefined where it is valid. */
  readonly refuseUpdate?: (before: ObservedObject, after: ObservedObject) => string | undefined;
}
