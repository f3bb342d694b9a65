import { isDeepStrictEqual } from 'node:util';
import { covers } from '../foundation/covers.ts';
import { isRecord } from '../foundation/record.ts';
import type { Precondition } from '../kubernetes/api.ts';
import { holdChild } from '../kubernetes/hold.ts';
import { CONTROLLER_UID_LABEL } from '../kubernetes/labels.ts';
import type { DesiredObject, ObjectReference, ObservedObject } from '../kubernetes/objects.ts';
import { controllerOf } from '../kubernetes/owner.ts';
import type { Blueprint } from './blueprint.ts';
import { deploymentReference } from './identity.ts';
import { selectorLabels } from './labels.ts';
import type { Observation } from './observe.ts';
import type { SelectorChoice } from './selector.ts';

/**
 * How far a Deployment with an older selector has come. A selector is immutable, so the Deployment is made anew around its
 * pods. Each sync reads from what is observed alone which step is next; a step that was lost is taken again, and one that
 * was taken is not seen again:
 * the pods get the labels of the new selector -> every pod has them -> the Deployment is deleted without its pods ->
 * it is gone, and the new one, whose selector is ours, adopts them (then there is nothing to migrate).
 */
export type Migration =
  | { readonly kind: 'None' }
  /** The pod template waits for its next change (see pod-metadata.ts), and the migration with it: it would roll the pods. */
  | { readonly kind: 'AwaitTemplate' }
  /** What is answered, or its rollout, has not arrived at every pod. */
  | { readonly kind: 'AwaitRollout' }
  | OrphanStep
  /** It is being deleted; Metacontroller leaves such a one alone. */
  | { readonly kind: 'AwaitRemoval' };

/** Deletes the Deployment, as it was observed, and leaves ReplicaSets and pods. */
export interface OrphanStep extends Precondition {
  readonly kind: 'Orphan';
  readonly deployment: ObjectReference;
}

/** What the Deployment is now, and what is answered for it in this sync. */
export interface Migrating {
  readonly deployment: ObservedObject | undefined;
  readonly selector: SelectorChoice;
  readonly answered: DesiredObject;
  readonly isTemplateDeferred: boolean;
}

/**
 * The next step. While the Deployment is there its answer keeps the old selector, so the sync that deletes it writes
 * nothing else; one that this Balancer does not control is none of ours to delete.
 */
export function planMigration(
  { deployment, selector, answered, isTemplateDeferred }: Migrating,
  { identity }: Blueprint,
  parent: Observation['parent'],
): Migration {
  if (deployment === undefined || selector.kind !== 'Kept') return { kind: 'None' };
  const { uid, resourceVersion, deletionTimestamp } = deployment.metadata;
  if (uid === undefined || resourceVersion === undefined || controllerOf(deployment)?.uid !== parent.uid)
    return { kind: 'None' };
  if (deletionTimestamp !== undefined) return { kind: 'AwaitRemoval' };
  if (isTemplateDeferred) return { kind: 'AwaitTemplate' };
  const hasArrived =
    isAskedFor(deployment, answered, parent) &&
    covers(deployment['spec'], { template: { metadata: { labels: selectorLabels(identity) } } }) &&
    isRolledOut(deployment);
  return hasArrived
    ? { kind: 'Orphan', deployment: deploymentReference(identity), uid, resourceVersion }
    : { kind: 'AwaitRollout' };
}

/** Whether the answer is Metacontroller's last word already: then answering it writes nothing. */
function isAskedFor(
  deployment: ObservedObject,
  answered: DesiredObject,
  parent: Observation['parent'],
): boolean {
  return isDeepStrictEqual(labelledFor(holdChild(deployment, parent), parent), labelledFor(answered, parent));
}

/** With the label that Metacontroller adds to what it is asked for. */
function labelledFor(object: DesiredObject, { uid }: Observation['parent']): DesiredObject {
  const labels = { ...object.metadata.labels, [CONTROLLER_UID_LABEL]: uid };
  return { ...object, metadata: { ...object.metadata, labels } };
}

/** Whether its controller has seen this Deployment, and every pod is of the newest template and available. */
function isRolledOut({ metadata, spec, status }: ObservedObject): boolean {
  if (!isRecord(status)) return false;
  const { observedGeneration, replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  return (
    observedGeneration === metadata.generation &&
    [replicas, updatedReplicas, availableReplicas].every((count) => covers(spec, { replicas: count }))
  );
}
