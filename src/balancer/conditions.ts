import { listSome } from '../foundation/list-some.ts';
import type { ConditionClaim, ConditionStatus } from '../kubernetes/conditions.ts';
import type { WantedDecision } from './decide.ts';
import { certificateSecretName, workloadName } from './identity.ts';
import type { MigrationClaim } from './migration-claim.ts';
import type { Verdict } from './missing.ts';
import { overriddenKeys } from './pod-template.ts';
import type { BalancerProblem } from './problem.ts';
import { BALANCER_REASONS, type BalancerReason } from './reasons.ts';

/** A condition of the type that the reason belongs to. */
function claim(reason: BalancerReason, status: ConditionStatus, message: string): ConditionClaim {
  return { type: BALANCER_REASONS[reason].condition, status, reason, message };
}

/** Upstream's words, which dashboards and scripts may look for. */
export function claimReady(isReady: boolean): ConditionClaim {
  return isReady
    ? claim('DeploymentStatus', 'True', 'balancerd deployment is ready')
    : claim('DeploymentStatus', 'False', 'balancerd deployment is not ready');
}

/** While the spec is invalid: why, the first problem giving the reason, and that nothing is asked for. */
export function claimHeld(problems: readonly BalancerProblem[]): readonly ConditionClaim[] {
  const message = listSome(problems.map(describeProblem), '; ');
  return [
    ...problems.slice(0, 1).map(({ reason }) => claim(reason, 'False', message)),
    claim('SpecInvalid', 'Unknown', 'the spec is invalid: nothing is asked for, what exists is held'),
  ];
}

/** While the spec is valid: what is missing, and whatever else somebody should know. */
export function claimWanted(
  decision: WantedDecision,
  verdicts: readonly Verdict[],
  migration: MigrationClaim | undefined,
): readonly ConditionClaim[] {
  return [
    claim('SpecAccepted', 'True', 'the spec is valid'),
    claimChildren(verdicts),
    ...certificateUnmanaged(decision),
    ...selectorDiffers(decision),
    ...(migration === undefined ? [] : [claim(migration.reason, 'True', migration.message)]),
    ...podMetadataDeferred(decision),
    ...resourceIdIgnored(decision),
    ...podMetadataOverridden(decision),
    ...unknownFields(decision),
  ];
}

/** Upstream's words about routing stand alone; every other problem names its field. */
function describeProblem({ path, message, reason }: BalancerProblem): string {
  return path === 'spec' && reason !== 'InvalidField' ? message : `${path}: ${message}`;
}

/** The worst reason leads. */
const BY_SEVERITY = [
  'NameTaken',
  'AdoptionFailed',
  'CreateFailed',
  'Missing',
  'Adopting',
  'Creating',
] as const satisfies readonly Verdict['reason'][];

function claimChildren(verdicts: readonly Verdict[]): ConditionClaim {
  const worst = BY_SEVERITY.find((reason) => verdicts.some((verdict) => verdict.reason === reason));
  if (worst === undefined) return claim('AllObserved', 'True', 'every child is observed');
  return claim(
    worst,
    'False',
    listSome(
      verdicts.map(({ message }) => message),
      '; ',
    ),
  );
}

function certificateUnmanaged({
  certificateUnmanaged,
  blueprint,
}: WantedDecision): readonly ConditionClaim[] {
  if (!certificateUnmanaged) return [];
  const secret = `${blueprint.identity.namespace}/${certificateSecretName(blueprint.identity)}`;
  return [
    claim(
      'NoCertificateKind',
      'True',
      `Certificates are not managed here: provide the Secret ${secret} with tls.crt and tls.key, or no pod starts`,
    ),
  ];
}

function selectorDiffers({ selector, blueprint }: WantedDecision): readonly ConditionClaim[] {
  const name = workloadName(blueprint.identity);
  switch (selector.kind) {
    case 'Own':
      return [];
    case 'Kept': {
      const labels = Object.keys(selector.selector.matchLabels).sort();
      return [
        claim(
          'SelectorKept',
          'True',
          `Deployment ${name} keeps its selector, which is immutable (${listSome(labels)}); everything else is up to date`,
        ),
      ];
    }
    case 'Foreign':
      return [
        claim(
          'SelectorForeign',
          'True',
          `Deployment ${name} selects pods by other labels than ours and is held as it is; to have it made anew: kubectl -n ${blueprint.identity.namespace} delete deployment ${name}`,
        ),
      ];
  }
}

function resourceIdIgnored({ blueprint: { spec, identity } }: WantedDecision): readonly ConditionClaim[] {
  const { resourceId } = spec;
  if (resourceId === undefined || resourceId === identity.resourceId) return [];
  return [
    claim(
      'ResourceIdSettled',
      'True',
      `spec.resourceId "${resourceId}" has no effect: status has settled the id "${identity.resourceId}", which names every child`,
    ),
  ];
}

function podMetadataDeferred({ podMetadataDeferred, blueprint }: WantedDecision): readonly ConditionClaim[] {
  if (!podMetadataDeferred) return [];
  const name = workloadName(blueprint.identity);
  const message = `spec.podLabels and spec.podAnnotations would roll the pods of Deployment ${name}, which was taken over: they go in with the next change of its pod template, such as another image`;
  return [claim('TakenOverAsItWas', 'True', message)];
}

function podMetadataOverridden({ blueprint }: WantedDecision): readonly ConditionClaim[] {
  const keys = overriddenKeys(blueprint);
  if (keys.length === 0) return [];
  return [claim('ReservedKeys', 'True', `reserved keys keep our values: ${listSome(keys)}`)];
}

function unknownFields({ unknownFields }: WantedDecision): readonly ConditionClaim[] {
  if (unknownFields.length === 0) return [];
  return [claim('FieldsIgnored', 'True', `unknown fields are ignored: ${listSome(unknownFields)}`)];
}
