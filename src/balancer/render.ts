import { type Condition, nextCondition, nextConditions } from '../kubernetes/conditions.ts';
import type { SyncResponse } from '../kubernetes/metacontroller.ts';
import type { ObservedObject } from '../kubernetes/objects.ts';
import { claimHeld, claimReady, claimWanted } from './conditions.ts';
import type { Decision } from './decide.ts';
import { deploymentReference } from './identity.ts';
import { claimMigration } from './migration-claim.ts';
import { CREATE_SECONDS, judgeMissing, stillCreating, type Verdict } from './missing.ts';
import { findChild, type Observation } from './observe.ts';
import type { Outcomes } from './outcomes.ts';
import { isReady } from './readiness.ts';

/** status of a Balancer, as it is answered. */
export interface BalancerStatus extends Readonly<Record<string, unknown>> {
  readonly resourceId?: string;
  /** Ready first. */
  readonly conditions: readonly [Condition, ...Condition[]];
}

/** The answer to one sync. */
export interface BalancerResponse extends SyncResponse {
  readonly status: BalancerStatus;
}

/**
 * The answer to a decision and what came of its steps.
 * Pure, and settled: what is answered to the same observation is the same to the byte.
 */
export function renderBalancer(
  observation: Observation,
  decision: Decision,
  outcomes: Outcomes,
): BalancerResponse {
  const { previous, parent, nowMs } = observation;
  const resourceId = decidedResourceId(observation, decision);
  const verdicts = judge(parent.uid, decision, outcomes);
  const deployment = observedDeployment(observation, resourceId);
  const about =
    decision.kind === 'Held'
      ? claimHeld(decision.problems)
      : claimWanted(decision, verdicts, claimMigration(decision, outcomes, previous.conditions));
  // Ready is about the Deployment, whose rollout lags behind the spec: it claims no generation.
  const ready = claimReady(isReady(deployment, previous.conditions));
  const others = about.map((claim) => ({ ...claim, observedGeneration: parent.generation }));
  return {
    status: {
      ...(resourceId === undefined ? {} : { resourceId }),
      conditions: [
        nextCondition(previous.conditions, ready, nowMs),
        ...nextConditions(previous.conditions, others, nowMs),
      ],
    },
    children: decision.children,
    ...(verdicts.length > 0 || isToBeOrphaned(decision) ? { resyncAfterSeconds: CREATE_SECONDS } : {}),
  };
}

/** While the spec is invalid no id is settled anew: the mended spec may name one. */
function decidedResourceId({ previous }: Observation, decision: Decision): string | undefined {
  return decision.kind === 'Held' ? previous.resourceId : decision.blueprint.identity.resourceId;
}

function observedDeployment(
  { parent, children }: Observation,
  resourceId: string | undefined,
): ObservedObject | undefined {
  if (resourceId === undefined) return undefined;
  const identity = { parentName: parent.name, namespace: parent.namespace, resourceId };
  return findChild(children, deploymentReference(identity));
}

/** A step that was lost or refused is taken again, though no event may tell. */
function isToBeOrphaned(decision: Decision): boolean {
  return decision.kind === 'Wanted' && decision.migration.kind === 'Orphan';
}

function judge(parentUid: string, decision: Decision, { inquiries }: Outcomes): readonly Verdict[] {
  if (decision.kind === 'Held') return [];
  const { missing, lookUp } = decision;
  return missing.map((reference, index) =>
    lookUp
      ? judgeMissing(reference, parentUid, inquiries[index] ?? { lookUp: undefined })
      : stillCreating(reference),
  );
}
