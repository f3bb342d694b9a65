import type { KubernetesEvent } from '../kubernetes/api.ts';
import type { Condition } from '../kubernetes/conditions.ts';
import { describeProblems } from '../kubernetes/spec-problem.ts';
import type { Attempt, Decision } from './decision.ts';
import type { ConditionType, StateReason } from './reasons/conditions.ts';
import type { HoldReason } from './reasons/decisions.ts';
import type { EventReason } from './reasons/events.ts';
import type { FailureReason } from './reasons/failures.ts';
import { metricSamples, overallKind, type Sample, type Samples } from './sample.ts';
import { describeSplit } from './split.ts';
import type { RebalanceStatus } from './status.ts';
import type { TargetFailure } from './targets/port.ts';
import { judge, writeFailure } from './verdict.ts';

/** An Event that an attempt deserves; the shell adds what it is about. */
export interface AttemptEvent extends Omit<KubernetesEvent, 'regarding'> {
  readonly reason: EventReason | Failing['reason'];
}

interface Failing {
  /** The condition that says the same: a failure that it already names is not told again. */
  readonly condition: ConditionType;
  readonly reason: FailureReason | StateReason | HoldReason;
  readonly message: string;
  /** The condition may name what did not count as a failure before, under the same reason: this one begins now. */
  readonly begins?: boolean;
}

/**
 * What an attempt is worth telling: a changed weight, by us or by others, a failure when it begins or changes its reason,
 * the way into and out of the fallback, and recovery. A repeated failure and a steady state are silent.
 */
export function eventsOf(
  previous: RebalanceStatus,
  next: RebalanceStatus,
  attempt: Attempt,
): readonly AttemptEvent[] {
  return [
    ...editEvents(attempt),
    ...weightEvents(attempt),
    ...failuresOf(attempt, previous)
      .filter((failing) => isNews(failing, previous))
      .map(({ reason, message }): AttemptEvent => ({ type: 'Warning', reason, message })),
    ...fallbackEvents(previous, next, attempt),
    ...recoveryEvents(previous, next, attempt),
  ];
}

function isNews({ condition, reason, begins = false }: Failing, previous: RebalanceStatus): boolean {
  return begins || conditionOf(previous, condition)?.reason !== reason;
}

function conditionOf({ conditions }: RebalanceStatus, type: ConditionType): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

function editEvents(attempt: Attempt): readonly AttemptEvent[] {
  const message = attempt.kind === 'Decided' ? attempt.decision.contest.edit : undefined;
  return message === undefined ? [] : [{ type: 'Warning', reason: 'WeightEdited', message }];
}

function weightEvents(attempt: Attempt): readonly AttemptEvent[] {
  if (attempt.kind !== 'Decided' || attempt.outcome.kind !== 'Accepted') return [];
  const { set, outcome, decision } = attempt;
  const before = describeSplit(set.own.total, set.own.records);
  const after = describeSplit(outcome.weight, outcome.records);
  const message = `weight ${before} -> ${after}: ${decision.because}`;
  return [{ type: 'Normal', reason: 'WeightChanged', message }];
}

function failuresOf(attempt: Attempt, previous: RebalanceStatus): readonly Failing[] {
  switch (attempt.kind) {
    case 'InvalidSpec': {
      const message = describeProblems(attempt.problems);
      return [{ condition: 'SpecValid', reason: 'InvalidField', message }];
    }
    case 'Suspended':
      return [];
    case 'Withheld':
      return [{ condition: 'Ready', reason: attempt.reason, message: attempt.message }];
    case 'TargetUnread':
      return [...sampleFailures(attempt, previous), ...targetFailures(attempt.failure)];
    case 'Decided':
      return [
        ...sampleFailures(attempt, previous),
        ...targetFailures(writeFailure(attempt.outcome)),
        ...contestFailures(attempt),
        ...referenceFailures(attempt.decision),
      ];
  }
}

/** The first failure of the metrics, and the first of the guards: those that the conditions name. */
function sampleFailures(samples: Samples, previous: RebalanceStatus): readonly Failing[] {
  const failing = (condition: ConditionType, all: readonly Sample[], begins: boolean): readonly Failing[] => {
    const failed = all.find((sample) => sample.kind === 'Failed');
    return failed === undefined
      ? []
      : [{ condition, reason: failed.reason, message: failed.message, begins }];
  };
  return [
    ...failing('MetricAvailable', metricSamples(samples), beginsToFail(samples, previous)),
    ...failing('GuardsPassed', samples.guardSamples, false),
  ];
}

/**
 * An absent sample has the same reason as a failed one, so that only the count tells the first failure; and beside a metric
 * that is usable none is counted, but Ready was not False before.
 */
function beginsToFail(samples: Samples, previous: RebalanceStatus): boolean {
  return overallKind(samples) === 'Failed'
    ? (previous.failures ?? 0) === 0
    : conditionOf(previous, 'Ready')?.status !== 'False';
}

function targetFailures(failure: TargetFailure | undefined): readonly Failing[] {
  if (failure === undefined) return [];
  return [{ condition: 'TargetSynced', reason: failure.reason, message: failure.message }];
}

function contestFailures(attempt: Attempt): readonly Failing[] {
  const { ready } = judge(attempt, false);
  return ready.reason === 'Contested'
    ? [{ condition: 'Ready', reason: ready.reason, message: ready.message }]
    : [];
}

function referenceFailures({ held, because }: Decision): readonly Failing[] {
  if (held !== 'ReferenceNotFound' && held !== 'ReferenceAmbiguous') return [];
  return [{ condition: 'Ready', reason: held, message: because }];
}

function fallbackEvents(
  previous: RebalanceStatus,
  next: RebalanceStatus,
  attempt: Attempt,
): readonly AttemptEvent[] {
  if (attempt.kind !== 'Decided') return [];
  const was = previous.decision?.fallback?.active ?? false;
  const is = next.decision?.fallback?.active ?? false;
  const message = attempt.decision.because;
  if (is && !was) return [{ type: 'Warning', reason: 'FallbackEntered', message }];
  return was && !is ? [{ type: 'Normal', reason: 'FallbackLeft', message }] : [];
}

function recoveryEvents(
  previous: RebalanceStatus,
  next: RebalanceStatus,
  attempt: Attempt,
): readonly AttemptEvent[] {
  if (attempt.kind !== 'Decided' || previous.condition !== 'Error' || next.condition === 'Error') return [];
  return [{ type: 'Normal', reason: 'Recovered', message: attempt.decision.because }];
}
