import { holdChild, holdChildren } from '../kubernetes/hold.ts';
import type { DesiredObject, ObjectReference } from '../kubernetes/objects.ts';
import { isNamedBy, referenceTo } from '../kubernetes/reference.ts';
import type { Blueprint } from './blueprint.ts';
import { renderDeployment } from './deployment.ts';
import { certificateReference, deploymentReference } from './identity.ts';
import { type Migration, planMigration } from './migration.ts';
import { findMissing, isLookUpDue } from './missing.ts';
import { findChild, type Observation } from './observe.ts';
import { type Plan, planBalancer } from './plan.ts';
import { isPodMetadataDeferred, leaveTemplate } from './pod-metadata.ts';
import type { BalancerProblem } from './problem.ts';
import { chooseSelector, type SelectorChoice } from './selector.ts';
import { renderService } from './service.ts';

/** What one sync answers with, and why. */
export type Decision = HeldDecision | WantedDecision;

/** The spec is invalid: every observed child, of whatever kind and name, is answered as it is. */
export interface HeldDecision {
  readonly kind: 'Held';
  readonly problems: readonly BalancerProblem[];
  readonly children: readonly DesiredObject[];
}

/** The spec is valid: these children are asked for, and those that are ours no more are let go. */
export interface WantedDecision {
  readonly kind: 'Wanted';
  readonly blueprint: Blueprint;
  readonly selector: SelectorChoice;
  readonly migration: Migration;
  /** podLabels and podAnnotations wait for the next change of the pod template. */
  readonly podMetadataDeferred: boolean;
  /** A Certificate is needed, and this controller does not manage that kind. */
  readonly certificateUnmanaged: boolean;
  readonly unknownFields: readonly string[];
  readonly children: readonly DesiredObject[];
  readonly missing: readonly ObjectReference[];
  /** They have been missing for so long that the API should be asked why. */
  readonly lookUp: boolean;
}

/** Decides what the children should be. Pure: the same observation gives the same decision. */
export function decideBalancer(observation: Observation): Decision {
  const plan = planBalancer(observation);
  return plan.ok ? want(observation, plan.value) : hold(observation, plan.error);
}

function hold({ children, parent }: Observation, problems: readonly BalancerProblem[]): HeldDecision {
  return { kind: 'Held', problems, children: holdChildren(children, parent) };
}

function want(observation: Observation, plan: Plan): WantedDecision {
  const { blueprint, certificate, unknownFields } = plan;
  const deployment = findChild(observation.children, deploymentReference(blueprint.identity));
  const selector = chooseSelector(deployment, blueprint);
  const podMetadataDeferred = selector.kind !== 'Foreign' && isPodMetadataDeferred(deployment, blueprint);
  const answered = answerDeployment(selector, blueprint, observation.parent, podMetadataDeferred);
  const certificateUnmanaged = certificate !== undefined && !observation.managesCertificates;
  const children = [
    ...(certificate === undefined || certificateUnmanaged ? [] : [certificate]),
    answered,
    renderService(blueprint),
  ];
  const missing = findMissing(children, observation.children);
  return {
    kind: 'Wanted',
    blueprint,
    selector,
    migration: planMigration(
      { deployment, selector, answered, isTemplateDeferred: podMetadataDeferred },
      blueprint,
      observation.parent,
    ),
    podMetadataDeferred,
    certificateUnmanaged,
    unknownFields,
    children: [...children, ...holdStrangers(observation, blueprint, children)],
    missing,
    lookUp: missing.length > 0 && isLookUpDue(observation),
  };
}

/**
 * What is observed besides: a label put on by hand is enough for Metacontroller to adopt an object, and to delete it if the
 * answer left it out. Only our own Certificate goes, once no issuer is left for it.
 */
function holdStrangers(
  { children, parent }: Observation,
  { identity }: Blueprint,
  wanted: readonly DesiredObject[],
): readonly DesiredObject[] {
  const ours = [...wanted.map(referenceTo), certificateReference(identity)];
  const strangers = children.filter((child) => !ours.some((one) => isNamedBy(child, one)));
  return holdChildren(strangers, parent);
}

function answerDeployment(
  selector: SelectorChoice,
  blueprint: Blueprint,
  parent: Observation['parent'],
  podMetadataDeferred: boolean,
): DesiredObject {
  if (selector.kind === 'Foreign') return holdChild(selector.deployment, parent);
  const wanted = renderDeployment(blueprint, selector.selector);
  return podMetadataDeferred ? leaveTemplate(wanted) : wanted;
}
