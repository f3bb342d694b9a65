import type { KubernetesEvent } from '../kubernetes/api.ts';
import type { Attempt, Decision } from './decision.ts';
import type { ConditionType } from './reasons.ts';
import { describeSplit } from './split.ts';
import type { RebalanceStatus } from './status.ts';
import type { TargetFailure } from './targets/port.ts';
import { describeProblems, writeFailure } from './verdict.ts';

/** An Event that an attempt deserves; the shell adds what it is about. */
export type AttemptEvent = Omit<KubernetesEvent, 'regarding'>;

interface Failing {
  /** The condition that says the same: a failure that it already names is not told again. */
  readonly condition: ConditionType;
  readonly reason: string;
  readonly message: string;
}

/**
 * What an attempt is worth telling: a changed weight, a failure when it begins or changes its reason, the way into and
 * out of the fallback, and recovery. A repeated failure and a steady state are silent.
 */
export function eventsOf(
  previous: RebalanceStatus,
  next: RebalanceStatus,
  attempt: Attempt,
): readonly AttemptEvent[] {
  return [
    ...weightEvents(attempt),
    ...failuresOf(attempt)
      .filter((failing) => isNews(failing, previous))
      .map(({ reason, message }): AttemptEvent => ({ type: 'Warning', reason, message })),
    ...fallbackEvents(previous, next, attempt),
    ...recoveryEvents(previous, next, attempt),
  ];
}

/** An absent sample has the same reason as a failed one, so the metric's failures are told from the first one on. */
function isNews({ condition, reason }: Failing, previous: RebalanceStatus): boolean {
  const before = previous.conditions?.find(({ type }) => type === condition);
  return before?.reason !== reason || (condition === 'MetricAvailable' && (previous.failures ?? 0) === 0);
}

function weightEvents(attempt: Attempt): readonly AttemptEvent[] {
  if (attempt.kind !== 'Decided' || attempt.outcome.kind !== 'Accepted') return [];
  const { set, outcome, decision } = attempt;
  const before = describeSplit(set.own.total, set.own.records);
  const after = describeSplit(outcome.weight, outcome.records);
  const message = `weight ${before} -> ${after}: ${decision.because}`;
  return [{ type: 'Normal', reason: 'WeightChanged', message }];
}

function failuresOf(attempt: Attempt): readonly Failing[] {
  switch (attempt.kind) {
    case 'InvalidSpec': {
      const message = describeProblems(attempt.problems);
      return [{ condition: 'SpecValid', reason: 'InvalidField', message }];
    }
    case 'Suspended':
      return [];
    case 'TargetUnread':
      return [...metricFailures(attempt), ...targetFailures(attempt.failure)];
    case 'Decided':
      return [
        ...metricFailures(attempt),
        ...targetFailures(writeFailure(attempt.outcome)),
        ...referenceFailures(attempt.decision),
      ];
  }
}

function metricFailures({ sample }: Extract<Attempt, { readonly sample: unknown }>): readonly Failing[] {
  if (sample.kind !== 'Failed') return [];
  return [{ condition: 'MetricAvailable', reason: sample.reason, message: sample.message }];
}

function targetFailures(failure: TargetFailure | undefined): readonly Failing[] {
  if (failure === undefined) return [];
  return [{ condition: 'TargetSynced', reason: failure.reason, message: failure.message }];
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
