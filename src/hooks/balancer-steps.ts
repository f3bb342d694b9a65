import { type LabelStep, planAdoption } from '../balancer/adoption.ts';
import type { Decision, WantedDecision } from '../balancer/decide.ts';
import type { OrphanStep } from '../balancer/migration.ts';
import type { Inquiry } from '../balancer/missing.ts';
import { NO_OUTCOMES, type Outcomes } from '../balancer/outcomes.ts';
import type { Deadline } from '../foundation/deadline.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import type { ApiFailure, KubernetesApi } from '../kubernetes/api.ts';
import { CONTROLLER_UID_LABEL } from '../kubernetes/labels.ts';
import type { SyncRequest } from '../kubernetes/metacontroller.ts';
import type { ObjectReference, ObservedObject } from '../kubernetes/objects.ts';
import { isNamedBy } from '../kubernetes/reference.ts';
import { readLiveParent } from './live-parent.ts';

/** One sync's way to the API. `decide` is the same pure way from a request to its decision that the sync itself took. */
export interface Steps {
  readonly kubernetes: KubernetesApi;
  readonly request: SyncRequest;
  readonly reference: ObjectReference & { readonly uid: string };
  readonly decide: (request: SyncRequest) => Decision;
  readonly deadline: Deadline;
}

/** Takes the steps that a decision asks for. All are safe to lose and to repeat: each is read from what is observed. */
export async function takeSteps(decision: Decision, steps: Steps): Promise<Outcomes> {
  if (decision.kind === 'Held') return NO_OUTCOMES;
  const { missing, lookUp, migration } = decision;
  const inquiries = lookUp ? await Promise.all(missing.map((reference) => inquire(reference, steps))) : [];
  const orphaning = migration.kind === 'Orphan' ? await orphan(migration, steps) : undefined;
  return { inquiries, orphaning };
}

/** Asks for one missing child, and labels it where an orchestratord made it for this Balancer. */
async function inquire(object: ObjectReference, steps: Steps): Promise<Inquiry> {
  const { kubernetes, reference, deadline } = steps;
  const lookUp = await kubernetes.get(object, deadline);
  const step = lookUp.ok ? planAdoption(object, lookUp.value, reference.uid) : undefined;
  return step === undefined ? { lookUp } : { lookUp, labelling: await label(step, steps) };
}

/** Metacontroller adopts what is labelled, and deletes what it has adopted and the live Balancer does not want. */
async function label(
  { object, uid, resourceVersion }: LabelStep,
  steps: Steps,
): Promise<Result<undefined, ApiFailure>> {
  const { kubernetes, request, reference, deadline } = steps;
  const decision = await decideLive(steps, request.children);
  if (!decision.ok) return decision;
  if (!decision.value.missing.some(({ kind, name }) => kind === object.kind && name === object.name))
    return err(CHANGED);
  const own = { key: CONTROLLER_UID_LABEL, value: reference.uid };
  return kubernetes.label(object, own, { uid, resourceVersion }, deadline);
}

/** Deletes the Deployment without its pods, when the live Deployment asks for it too, as it stands. */
async function orphan({ deployment }: OrphanStep, steps: Steps): Promise<Result<undefined, ApiFailure>> {
  const { kubernetes, request, deadline } = steps;
  const found = await kubernetes.get(deployment, deadline);
  if (!found.ok) return found;
  const others = request.children.filter((child) => !isNamedBy(child, deployment));
  const decision = await decideLive(steps, [...others, found.value]);
  if (!decision.ok) return decision;
  const { migration } = decision.value;
  if (migration.kind !== 'Orphan') return err(CHANGED);
  const { uid, resourceVersion } = migration;
  return kubernetes.deleteAlone(migration.deployment, { uid, resourceVersion }, deadline);
}

/**
 * What the live Balancer asks for. What was posted, by a cache that lags or by anybody, writes nothing: whoever writes asks
 * here first.
 */
async function decideLive(
  { kubernetes, request, reference, decide, deadline }: Steps,
  children: readonly ObservedObject[],
): Promise<Result<WantedDecision, ApiFailure>> {
  const live = await readLiveParent(kubernetes, reference, deadline);
  if (live.kind === 'Unknown') return err({ kind: 'Unavailable', message: live.message });
  if (live.kind === 'Gone') return err({ kind: 'Conflict', message: 'the Balancer is gone or going' });
  const decision = decide({ ...request, parent: live.parent, children });
  return decision.kind === 'Held' ? err(CHANGED) : ok(decision);
}

const CHANGED: ApiFailure = {
  kind: 'Conflict',
  message: 'the Balancer or an object of it has just changed',
};
