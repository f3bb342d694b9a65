import { parseRfc3339 } from '../foundation/clock.ts';
import { oneLine } from '../foundation/one-line.ts';
import type { Result } from '../foundation/result.ts';
import type { ApiFailure } from '../kubernetes/api.ts';
import { CONTROLLER_UID_LABEL } from '../kubernetes/labels.ts';
import type { DesiredObject, ObjectReference, ObservedObject } from '../kubernetes/objects.ts';
import { isRecord } from '../foundation/record.ts';
import { findChild, type Observation } from './observe.ts';

/** How long Metacontroller gets to create a child before the API is asked, and after which it is looked for again. */
export const CREATE_SECONDS = 10;

/** What the API said about a missing child; undefined where it was not asked: not yet, or there is no access to it. */
export type LookUp = Result<ObservedObject, ApiFailure> | undefined;

/** Why a child that was asked for is not observed. */
export interface Verdict {
  readonly reason: 'Creating' | 'NameTaken' | 'CreateFailed' | 'Missing';
  readonly message: string;
}

/** The wanted children that were not observed. */
export function findMissing(
  wanted: readonly DesiredObject[],
  observed: readonly ObservedObject[],
): readonly ObjectReference[] {
  return wanted
    .map(({ apiVersion, kind, metadata: { name, namespace } }) => ({ apiVersion, kind, namespace, name }))
    .filter((reference) => findChild(observed, reference) === undefined);
}

/**
 * Whether children were missing 10 seconds ago already. A time further ahead than that is no time of ours (a clock that
 * was set, a status written by hand) and counts as long past: it must not silence the question.
 */
export function isLookUpDue({ previous, nowMs }: Observation): boolean {
  const before = previous.conditions.find(({ type }) => type === 'ChildrenObserved');
  if (before?.status !== 'False') return false;
  const sinceMs = parseRfc3339(before.lastTransitionTime);
  return sinceMs !== undefined && Math.abs(nowMs - sinceMs) >= CREATE_SECONDS * 1000;
}

/** A child that was asked for only just now. */
export function stillCreating(reference: ObjectReference): Verdict {
  return { reason: 'Creating', message: `${describe(reference)} is not observed yet` };
}

/** A child that has been missing for 10 seconds or more. */
export function judgeMissing(reference: ObjectReference, parentUid: string, lookUp: LookUp): Verdict {
  const missing = `${describe(reference)} is not observed`;
  const look = `look with: ${kubectl(reference, 'get', '--show-labels')}`;
  if (lookUp === undefined) return { reason: 'Missing', message: `${missing}; ${look}` };
  if (lookUp.ok) return judgeFound(reference, parentUid, lookUp.value);
  if (lookUp.error.kind === 'NotFound')
    return {
      reason: 'CreateFailed',
      message: `${describe(reference)} was asked for and does not exist; the events of the Balancer and Metacontroller's log say why`,
    };
  const why = oneLine(lookUp.error.message);
  return { reason: 'Missing', message: `${missing}, and the API did not say why (${why}); ${look}` };
}

/** The object exists. Ours is about to be observed; any other keeps the name until somebody hands it over. */
function judgeFound(reference: ObjectReference, parentUid: string, found: ObservedObject): Verdict {
  const controller = found.metadata.ownerReferences?.find((owner) => owner.controller === true);
  const claimedBy = controller?.uid ?? found.metadata.labels?.[CONTROLLER_UID_LABEL];
  if (claimedBy === parentUid) return stillCreating(reference);
  const exists = `${describe(reference)} exists and`;
  const makeAnew = `free its name with: ${kubectl(reference, 'delete')}`;
  if (controller !== undefined) {
    const owner = oneLine(`${controller.kind} ${controller.name}`);
    return { reason: 'NameTaken', message: `${exists} belongs to ${owner}; ${makeAnew}` };
  }
  const obstacle = obstacleToAdoption(found, parentUid);
  if (obstacle !== undefined) return { reason: 'NameTaken', message: `${exists} ${obstacle}; ${makeAnew}` };
  const label = kubectl(reference, 'label', `--overwrite ${CONTROLLER_UID_LABEL}=${parentUid}`);
  return {
    reason: 'NameTaken',
    message: `${exists} is not this Balancer's; hand it over with: ${label}`,
  };
}

/**
 * Why a Service cannot become ours: an address is immutable; and Metacontroller merges what it adopts, so a stranger's
 * ports (by number) and selector stay beside ours: two ports named alike are refused, two selectors select no pod.
 */
function obstacleToAdoption({ kind, metadata, spec }: ObservedObject, parentUid: string): string | undefined {
  if (kind !== 'Service') return undefined;
  if (isRecord(spec) && spec['clusterIP'] !== 'None') return 'has an address, which cannot be taken from it';
  const isOurs = metadata.ownerReferences?.some(({ uid }) => uid === parentUid) === true;
  return isOurs ? undefined : "is not this Balancer's, and its selector and ports would stay beside ours";
}

function describe({ kind, namespace, name }: ObjectReference): string {
  return `${kind} ${namespace}/${name}`;
}

/** The command that does `verb` to one object: `kubectl -n ns get deployment.apps/name`. */
function kubectl({ apiVersion, kind, namespace, name }: ObjectReference, verb: string, rest = ''): string {
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [];
  const type = [kind.toLowerCase(), group].filter((part) => part !== '').join('.');
  return `kubectl -n ${namespace} ${verb} ${type} ${name} ${rest}`.trimEnd();
}
