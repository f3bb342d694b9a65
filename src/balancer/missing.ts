import { parseRfc3339 } from '../foundation/clock.ts';
import { oneLine } from '../foundation/one-line.ts';
import type { Result } from '../foundation/result.ts';
import type { ApiFailure } from '../kubernetes/api.ts';
import { describeObject, kubectl } from '../kubernetes/kubectl.ts';
import { CONTROLLER_UID_LABEL } from '../kubernetes/labels.ts';
import type { DesiredObject, ObjectReference, ObservedObject } from '../kubernetes/objects.ts';
import { controllerOf } from '../kubernetes/owner.ts';
import { referenceTo } from '../kubernetes/reference.ts';
import { obstacleToAdoption } from './adoption.ts';
import { findChild, type Observation } from './observe.ts';

/** How long Metacontroller gets to create a child before the API is asked, and after which it is looked for again. */
export const CREATE_SECONDS = 10;

/** What the API said about a missing child; undefined where it was not asked: not yet, or there is no access to it. */
export type LookUp = Result<ObservedObject, ApiFailure> | undefined;

/** What came of labelling an object for its takeover; undefined where there was nothing to label. */
export type Labelling = Result<undefined, ApiFailure> | undefined;

/** What the API was asked about one missing child, and what came of it. */
export interface Inquiry {
  readonly lookUp: LookUp;
  readonly labelling?: Labelling;
}

/** Why a child that was asked for is not observed. */
export interface Verdict {
  readonly reason: 'Creating' | 'Adopting' | 'AdoptionFailed' | 'NameTaken' | 'CreateFailed' | 'Missing';
  readonly message: string;
}

/** The wanted children that were not observed. */
export function findMissing(
  wanted: readonly DesiredObject[],
  observed: readonly ObservedObject[],
): readonly ObjectReference[] {
  return wanted.map(referenceTo).filter((reference) => findChild(observed, reference) === undefined);
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
  return { reason: 'Creating', message: `${describeObject(reference)} is not observed yet` };
}

/** A child that has been missing for 10 seconds or more. */
export function judgeMissing(
  reference: ObjectReference,
  parentUid: string,
  { lookUp, labelling }: Inquiry,
): Verdict {
  if (labelling !== undefined) return judgeLabelling(reference, parentUid, labelling);
  const missing = `${describeObject(reference)} is not observed`;
  const look = `look with: ${kubectl(reference, 'get', '--show-labels')}`;
  if (lookUp === undefined)
    return {
      reason: 'Missing',
      message: `${missing}; ${look}; if it was made for this Balancer, hand it over with: ${handOver(reference, parentUid)}`,
    };
  if (lookUp.ok) return judgeFound(reference, parentUid, lookUp.value);
  if (lookUp.error.kind === 'NotFound')
    return {
      reason: 'CreateFailed',
      message: `${describeObject(reference)} was asked for and does not exist; the events of the Balancer and Metacontroller's log say why`,
    };
  const why = oneLine(lookUp.error.message);
  return { reason: 'Missing', message: `${missing}, and the API did not say why (${why}); ${look}` };
}

/** The object is this Balancer's by its owner reference and nobody controls it: it was labelled, or that failed. */
function judgeLabelling(
  reference: ObjectReference,
  parentUid: string,
  labelling: Result<undefined, ApiFailure>,
): Verdict {
  const object = describeObject(reference);
  if (labelling.ok)
    return { reason: 'Adopting', message: `${object} is this Balancer's and was labelled to be adopted` };
  if (labelling.error.kind === 'Conflict' || labelling.error.kind === 'NotFound')
    return { reason: 'Creating', message: `${object} has just changed, and is looked at again` };
  const why = oneLine(labelling.error.message);
  return {
    reason: 'AdoptionFailed',
    message: `${object} is this Balancer's and could not be labelled (${why}); hand it over with: ${handOver(reference, parentUid)}`,
  };
}

/** The object exists. Ours is about to be observed; any other keeps the name until somebody hands it over. */
function judgeFound(reference: ObjectReference, parentUid: string, found: ObservedObject): Verdict {
  const controller = controllerOf(found);
  if (found.metadata.deletionTimestamp !== undefined)
    return {
      reason: 'Creating',
      message: `${describeObject(reference)} is being deleted, and made anew then`,
    };
  const claimedBy = controller?.uid ?? found.metadata.labels?.[CONTROLLER_UID_LABEL];
  if (claimedBy === parentUid) return stillCreating(reference);
  const exists = `${describeObject(reference)} exists and`;
  const makeAnew = `free its name with: ${kubectl(reference, 'delete')}`;
  if (controller !== undefined) {
    const owner = oneLine(`${controller.kind} ${controller.name}`);
    return { reason: 'NameTaken', message: `${exists} belongs to ${owner}; ${makeAnew}` };
  }
  const obstacle = obstacleToAdoption(found, parentUid);
  if (obstacle !== undefined) return { reason: 'NameTaken', message: `${exists} ${obstacle}; ${makeAnew}` };
  return {
    reason: 'NameTaken',
    message: `${exists} is not this Balancer's; hand it over with: ${handOver(reference, parentUid)}`,
  };
}

/** Metacontroller adopts what carries the label. */
function handOver(reference: ObjectReference, parentUid: string): string {
  return kubectl(reference, 'label', `--overwrite ${CONTROLLER_UID_LABEL}=${parentUid}`);
}
