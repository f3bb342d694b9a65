import { planAdoption } from '../balancer/adoption.ts';
import type { Decision } from '../balancer/decide.ts';
import type { OrphanStep } from '../balancer/migration.ts';
import type { Inquiry } from '../balancer/missing.ts';
import { NO_OUTCOMES, type Outcomes } from '../balancer/outcomes.ts';
import type { Deadline } from '../foundation/deadline.ts';
import { err, type Result } from '../foundation/result.ts';
import type { ApiFailure, KubernetesApi } from '../kubernetes/api.ts';
import { CONTROLLER_UID_LABEL } from '../kubernetes/labels.ts';
import type { SyncRequest } from '../kubernetes/metacontroller.ts';
import type { ObjectReference } from '../kubernetes/objects.ts';
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
  if (step === undefined) return { lookUp };
  const { uid, resourceVersion } = step;
  const label = { key: CONTROLLER_UID_LABEL, value: reference.uid };
  return { lookUp, labelling: await kubernetes.label(object, label, { uid, resourceVersion }, deadline) };
}

/**
 * Deletes the Deployment without its pods. What was posted, by a cache that lags or by anybody, deletes nothing: the live
 * Balancer and the live Deployment are read, and only when they ask for this step too is it taken, as they stand.
 */
async function orphan({ deployment }: OrphanStep, steps: Steps): Promise<Result<undefined, ApiFailure>> {
  const { kubernetes, request, reference, decide, deadline } = steps;
  const [live, found] = await Promise.all([
    readLiveParent(kubernetes, reference, deadline),
    kubernetes.get(deployment, deadline),
  ]);
  if (!found.ok) return found;
  if (live.kind === 'Unknown') return err({ kind: 'Unavailable', message: live.message });
  if (live.kind === 'Gone') return err({ kind: 'Conflict', message: 'the Balancer is gone or going' });
  const children = [...request.children.filter((child) => !isNamedBy(child, deployment)), found.value];
  const decision = decide({ ...request, parent: live.parent, children });
  if (decision.kind === 'Held' || decision.migration.kind !== 'Orphan')
    return err({ kind: 'Conflict', message: 'the Balancer or its Deployment has just changed' });
  const { uid, resourceVersion } = decision.migration;
  return kubernetes.deleteAlone(decision.migration.deployment, { uid, resourceVersion }, deadline);
}
