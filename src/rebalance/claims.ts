import { listSome } from '../foundation/list-some.ts';
import type { Condition, ConditionClaim } from '../kubernetes/conditions.ts';
import { describeProblems } from '../kubernetes/spec-problem.ts';
import { describeAdvice } from './advice.ts';
import type { Attempt } from './decision.ts';
import { closedGuards } from './guards.ts';
import type { Notice } from './notices.ts';
import type { ConditionType } from './reasons/conditions.ts';
import { metricSamples, type Sample, type Samples } from './sample.ts';
import type { Guard } from './spec.ts';
import { describeSplit } from './split.ts';
import type { ChangeStatus } from './status.ts';
import type { TargetFailure } from './targets/port.ts';
import { describeUnwritten, writeFailure, type Claim, type Verdict } from './verdict.ts';

const NOT_EVALUATED: Claim = { status: 'Unknown', reason: 'NotEvaluated', message: 'not evaluated yet' };

/** What the conditions of the next status are made of. */
export interface ClaimFacts {
  readonly previous: readonly Condition[];
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  /** As the attempt leaves it. */
  readonly change: ChangeStatus | undefined;
  readonly notices: readonly Notice[];
  readonly generation: number;
}

/** The conditions of an attempt, Ready first. What an attempt did not look at keeps its condition. */
export function claimsOf({
  previous,
  attempt,
  verdict,
  change,
  notices,
  generation,
}: ClaimFacts): readonly ConditionClaim[] {
  const claim = (type: ConditionType, content: Claim | undefined): ConditionClaim =>
    content === undefined
      ? (previous.find((condition) => condition.type === type) ?? { type, ...NOT_EVALUATED })
      : { type, ...content, observedGeneration: generation };
  return [
    claim('Ready', verdict.ready),
    claim('MetricAvailable', 'sample' in attempt ? metricClaim(attempt) : undefined),
    ...guardClaims(previous, attempt, generation),
    claim('TargetSynced', targetClaim(attempt, change)),
    claim('SpecValid', specClaim(attempt)),
    ...notices.map((notice) => ({ ...notice, observedGeneration: generation })),
    ...adviceClaims(previous, attempt, generation),
  ];
}

/** What an attempt that decided nothing knew of advice stays as it was. */
function adviceClaims(
  previous: readonly Condition[],
  attempt: Attempt,
  generation: number,
): readonly ConditionClaim[] {
  const type: ConditionType = 'ConfigurationAdvice';
  if (attempt.kind !== 'Decided') return previous.filter((condition) => condition.type === type);
  const { advice } = attempt.decision;
  const [first] = advice;
  if (first === undefined) return [];
  const message = describeAdvice(advice);
  return [{ type, status: 'True', reason: first, message, observedGeneration: generation }];
}

/** DNS holds the weight wanted, or will as soon as every name server has the change; `weight` as `describeSplit` tells it. */
export function syncedClaim(weight: string, change: Pick<ChangeStatus, 'status'> | undefined): Claim {
  if (change?.status !== 'PENDING')
    return { status: 'True', reason: 'InSync', message: `DNS holds weight ${weight}` };
  const message = `Route 53 accepted weight ${weight}; not every name server has it yet`;
  return { status: 'False', reason: 'ChangePending', message };
}

/** What DNS holds could not be learnt. */
export function unknownClaim({ reason, message }: TargetFailure): Claim {
  return { status: 'Unknown', reason, message };
}

function metricClaim(samples: Samples): Claim {
  const all = metricSamples(samples);
  const which = all.length === 1 ? 'the query' : 'each query';
  const unusable = unusableClaim(all);
  if (unusable !== undefined) return unusable;
  return all.some((sample) => sample.kind === 'Usable' && sample.fromNoData)
    ? {
        status: 'True',
        reason: 'NoDataIsZero',
        message: `${all.length === 1 ? 'the query' : 'a query'} gave no number, which noData: Zero counts as 0`,
      }
    : { status: 'True', reason: 'Sampled', message: `${which} gave one finite number` };
}

/** All that could not be used, under the reason of the first that failed; undefined: all can. */
function unusableClaim(samples: readonly Sample[]): Claim | undefined {
  const unusable = samples.filter((sample) => sample.kind !== 'Usable');
  const worst = unusable.find(({ kind }) => kind === 'Failed') ?? unusable[0];
  if (worst === undefined) return undefined;
  const message = listSome(
    unusable.map((sample) => sample.message),
    '; ',
  );
  return { status: 'False', reason: worst.reason, message };
}

/** There is none where the spec has no guards; one that an attempt did not ask stays as it was. */
function guardClaims(
  previous: readonly Condition[],
  attempt: Attempt,
  generation: number,
): readonly ConditionClaim[] {
  const type: ConditionType = 'GuardsPassed';
  if (!('sample' in attempt)) return previous.filter((condition) => condition.type === type);
  const { guards } = attempt.spec;
  if (guards.length === 0) return [];
  return [{ type, ...guardClaim(guards, attempt.guardSamples), observedGeneration: generation }];
}

function guardClaim(guards: readonly Guard[], samples: readonly Sample[]): Claim {
  const unusable = unusableClaim(samples);
  if (unusable !== undefined) return unusable;
  const closed = closedGuards({ guards, samples });
  if (closed.length === 0) return { status: 'True', reason: 'AboveZero', message: 'every guard is above 0' };
  const message = listSome(closed.map(({ name, why, stops }) => `guard "${name}" ${why} and stops ${stops}`));
  return { status: 'False', reason: 'NotAboveZero', message };
}

function targetClaim(attempt: Attempt, change: ChangeStatus | undefined): Claim | undefined {
  if (attempt.kind === 'TargetUnread') return unknownClaim(attempt.failure);
  if (attempt.kind !== 'Decided') return undefined;
  const { outcome } = attempt;
  const failure = writeFailure(outcome);
  if (failure !== undefined)
    return failure.outcomeUnknown
      ? unknownClaim(failure)
      : { status: 'False', reason: failure.reason, message: failure.message };
  if (outcome.kind === 'NotWritten' && outcome.because !== 'Unchanged')
    return {
      status: 'False',
      reason: outcome.because,
      message: describeUnwritten(attempt, outcome.because),
    };
  const { total, records } = attempt.set.own;
  const left = outcome.kind === 'Accepted' ? outcome : { weight: total, records };
  return syncedClaim(describeSplit(left.weight, left.records), change);
}

function specClaim(attempt: Attempt): Claim {
  return attempt.kind === 'InvalidSpec'
    ? { status: 'False', reason: 'InvalidField', message: describeProblems(attempt.problems) }
    : { status: 'True', reason: 'SpecAccepted', message: 'the spec is valid' };
}
