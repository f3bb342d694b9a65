import { isRecord } from '../foundation/record.ts';
import type { Precondition } from '../kubernetes/api.ts';
import { CONTROLLER_UID_LABEL } from '../kubernetes/labels.ts';
import type { ObjectReference, ObservedObject } from '../kubernetes/objects.ts';
import { controllerOf, isOwnedBy } from '../kubernetes/owner.ts';

/**
 * The one step of a takeover: the label that lets Metacontroller adopt an object, which turns the owner reference that is
 * there into the controlling one. Nothing else of the object changes.
 */
export interface LabelStep extends Precondition {
  readonly kind: 'Label';
  readonly object: ObjectReference;
}

/**
 * The step that takes over what an orchestratord made for this Balancer: an object with an owner reference to it that
 * nobody controls and nobody has labelled. undefined: there is nothing to take, or nothing that may be taken.
 */
export function planAdoption(
  object: ObjectReference,
  found: ObservedObject,
  parentUid: string,
): LabelStep | undefined {
  const { uid, resourceVersion, labels, deletionTimestamp } = found.metadata;
  if (uid === undefined || resourceVersion === undefined || deletionTimestamp !== undefined) return undefined;
  const isFree = controllerOf(found) === undefined && labels?.[CONTROLLER_UID_LABEL] === undefined;
  if (!isFree || !isOwnedBy(found, parentUid)) return undefined;
  if (obstacleToAdoption(found, parentUid) !== undefined) return undefined;
  return { kind: 'Label', object, uid, resourceVersion };
}

/**
 * Why a Service cannot become ours: an address is immutable; and Metacontroller merges what it adopts, so a stranger's
 * ports (by number) and selector stay beside ours: two ports named alike are refused, two selectors select no pod.
 */
export function obstacleToAdoption(found: ObservedObject, parentUid: string): string | undefined {
  const { kind, spec } = found;
  if (kind !== 'Service') return undefined;
  if (isRecord(spec) && spec['clusterIP'] !== 'None') return 'has an address, which cannot be taken from it';
  return isOwnedBy(found, parentUid)
    ? undefined
    : "is not this Balancer's, and its selector and ports would stay beside ours";
}
