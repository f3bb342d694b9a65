import { isRecord } from '../foundation/record.ts';
import type { Result } from '../foundation/result.ts';
import { type Condition, readConditions } from '../kubernetes/conditions.ts';
import { childKindKey, type SyncRequest } from '../kubernetes/metacontroller.ts';
import type { ObjectReference, ObservedObject } from '../kubernetes/objects.ts';
import { isNamedBy } from '../kubernetes/reference.ts';
import { resourceIdIn } from './identity.ts';
import type { BalancerProblem } from './problem.ts';
import { isResourceId } from './resource-id.ts';
import type { BalancerSettings } from './settings.ts';
import type { BalancerSpec } from './spec.ts';

/** A Balancer's spec as read, or what is wrong with it. */
export type ReadSpec = Result<
  { readonly spec: BalancerSpec; readonly unknownFields: readonly string[] },
  readonly BalancerProblem[]
>;

/** Everything that one sync knows. */
export interface Observation {
  readonly parent: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly generation: number;
  };
  readonly spec: ReadSpec;
  readonly previous: PreviousStatus;
  readonly children: readonly ObservedObject[];
  /** False in the variant that is installed without Certificate among the controller's child kinds. */
  readonly managesCertificates: boolean;
  readonly settings: BalancerSettings;
  readonly nowMs: number;
}

/** What an earlier sync left in status, as far as it can be used. */
export interface PreviousStatus {
  /** Status's own, else the one that the children bear: a status that was lost renames nothing. */
  readonly resourceId: string | undefined;
  readonly conditions: readonly Condition[];
}

/** What a request says, with the spec as read: nothing is judged yet. */
export function observeBalancer(
  request: SyncRequest,
  spec: ReadSpec,
  settings: BalancerSettings,
  nowMs: number,
): Observation {
  const { name, namespace, uid, generation } = request.parent.metadata;
  return {
    parent: { name, namespace, uid, generation },
    spec,
    previous: readPreviousStatus(request),
    children: request.children,
    managesCertificates: managesCertificates(request.managedKinds),
    settings,
    nowMs,
  };
}

/** The observed child that a reference names. */
export function findChild(
  children: readonly ObservedObject[],
  reference: ObjectReference,
): ObservedObject | undefined {
  return children.find((child) => isNamedBy(child, reference));
}

/** Metacontroller sends a key for every kind that it manages; a body by curl that has none at all says nothing. */
function managesCertificates(managedKinds: ReadonlySet<string>): boolean {
  return managedKinds.size === 0 || managedKinds.has(childKindKey('cert-manager.io/v1', 'Certificate'));
}

/** A status is ours, but anybody may have written it: what cannot be used counts as absent. */
function readPreviousStatus({ parent: { status }, children }: SyncRequest): PreviousStatus {
  const { resourceId, conditions } = isRecord(status) ? status : {};
  return {
    resourceId: isResourceId(resourceId) ? resourceId : idOfChildren(children),
    conditions: readConditions(conditions),
  };
}

/** The Deployment's before the Service's: where both are observed and differ, pods hang on the former. */
function idOfChildren(children: readonly ObservedObject[]): string | undefined {
  const staying = children.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const named = ['Deployment', 'Service'].flatMap((kind) => staying.filter((child) => child.kind === kind));
  return named.map(({ metadata }) => resourceIdIn(metadata.name)).find((id) => id !== undefined);
}
