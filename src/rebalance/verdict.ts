import type { ConditionStatus } from '../kubernetes/conditions.ts';
import { describeProblems } from '../kubernetes/spec-problem.ts';
import type { Attempt, Decided, NoWriteReason, Outcome } from './decision.ts';
import type { ConditionWord, StateReason } from './reasons/conditions.ts';
import { DECISION_REASONS, type DecisionReason } from './reasons/decisions.ts';
import type { FailureReason } from './reasons/failures.ts';
import { failedSamples } from './sample.ts';
import { describeSplit } from './split.ts';
import type { TargetFailure } from './targets/port.ts';

/** A condition's content: how it stands and why. */
export interface Claim {
  readonly status: ConditionStatus;
  readonly reason: FailureReason | DecisionReason | StateReason;
  readonly message: string;
}

/** How an attempt went, in the original's word and as the condition Ready. */
export interface Verdict {
  /** undefined: the word of the attempt before stays. */
  readonly word: ConditionWord | undefined;
  readonly ready: Claim;
}

/**
 * Judges an attempt: Error where something failed (Ready False), Unhealthy where the weight in force is not what the
 * policy wants or not yet everywhere, else Healthy. `isPending`: Route 53 has a change that not every name server has.
 */
export function judge(attempt: Attempt, isPending: boolean): Verdict {
  switch (attempt.kind) {
    case 'InvalidSpec':
      return failing('SpecInvalid', describeProblems(attempt.problems));
    case 'Suspended': {
      const message = 'spec.suspend is true: nothing is queried or written, and status keeps its last values';
      return { word: undefined, ready: { status: 'False', reason: 'Suspended', message } };
    }
    case 'Withheld': {
      const { reason, message } = attempt;
      // Nothing failed where an older one has the record.
      const word = reason === 'Conflict' ? 'Unhealthy' : 'Error';
      return { word, ready: { status: 'False', reason, message } };
    }
    case 'TargetUnread':
      return failing(attempt.failure.reason, attempt.failure.message);
    case 'Decided':
      return judgeDecided(attempt, isPending);
  }
}

/** The failure of a write, or of the second look after a write of 0. */
export function writeFailure(outcome: Outcome): TargetFailure | undefined {
  switch (outcome.kind) {
    case 'Refused':
      return outcome.failure;
    case 'Accepted':
      return outcome.recheckFailure;
    case 'NotWritten':
      return undefined;
  }
}

/** Who keeps a weight that is wanted from being written. */
const KEPT_BY = {
  DryRun: 'spec.dryRun',
  ObserveOnly: '--observe-only',
  Contested: 'contested by others',
} as const satisfies Record<Exclude<NoWriteReason, 'Unchanged'>, string>;

/** What Ready says while others steer the weight, too. */
export const CONTESTED =
  'others changed our weight three times in ten evaluations: somebody else steers it too, so nothing is written; stop one of the two, then edit the spec to go on';

/** "weight 16 is wanted and not written (spec.dryRun); DNS holds 8". */
export function describeUnwritten({ decision, set }: Decided, because: keyof typeof KEPT_BY): string {
  const wanted = describeSplit(decision.desired, decision.split);
  const held = describeSplit(set.own.total, set.own.records);
  return `weight ${wanted} is wanted and not written (${KEPT_BY[because]}); DNS holds ${held}`;
}

function judgeDecided(attempt: Decided, isPending: boolean): Verdict {
  const { decision, outcome } = attempt;
  const failure = writeFailure(outcome);
  if (failure !== undefined) return failing(failure.reason, failure.message);
  if (decision.contest.isContested) return failing('Contested', CONTESTED);
  const [failed] = failedSamples(attempt);
  if (failed !== undefined) return failing(failed.reason, `${failed.message}; ${decision.because}`);
  const { held, reason, because } = decision;
  if (held !== undefined && DECISION_REASONS[held].word === 'Error') return failing(held, because);
  const wanted = held === 'ReferenceDrained' ? 'Unhealthy' : DECISION_REASONS[reason].word;
  const word = isPending ? 'Unhealthy' : wanted;
  if (outcome.kind === 'NotWritten' && outcome.because !== 'Unchanged') {
    const message = `${describeUnwritten(attempt, outcome.because)}: ${because}`;
    return { word, ready: { status: 'True', reason: outcome.because, message } };
  }
  return { word, ready: { status: 'True', reason, message: because } };
}

function failing(reason: Claim['reason'], message: string): Verdict {
  return { word: 'Error', ready: { status: 'False', reason, message } };
}
