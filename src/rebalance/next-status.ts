import { rfc3339 } from '../foundation/clock.ts';
import { defined } from '../foundation/defined.ts';
import { shortestDecimal } from '../foundation/rational.ts';
import type { Result } from '../foundation/result.ts';
import { nextConditions, type ConditionClaim } from '../kubernetes/conditions.ts';
import { writeMemory, type BehaviorStatus } from './behavior/memory-status.ts';
import { rememberInForce } from './behavior/memory.ts';
import { claimsOf, syncedClaim, unknownClaim } from './claims.ts';
import type { Attempt, Decided, Decision } from './decision.ts';
import { countSamples } from './failures.ts';
import { writeHistory } from './load/history-status.ts';
import type { Notice } from './notices.ts';
import { overallKind, type Sample } from './sample.ts';
import type { ChangeStatus, DecisionStatus, MetricStatus, NamedValue, RebalanceStatus } from './status.ts';
import { describeSplit, resourcesOf } from './split.ts';
import type { Change, RecordWeight, TargetFailure } from './targets/port.ts';
import { judge, type Claim } from './verdict.ts';
import { capTotal, type Weight } from './weight.ts';

/** What the next status is a pure function of. */
export interface StatusFacts {
  /** As read from the live object. */
  readonly previous: RebalanceStatus;
  /** metadata.generation of the spec that was attempted. */
  readonly generation: number;
  readonly attempt: Attempt;
  /** What of the spec is not used as written; empty for a spec that is invalid. */
  readonly notices: readonly Notice[];
  readonly nowMs: number;
}

/**
 * The status after an attempt: the same input gives the same bytes. However it ended, `lastAttemptAt` and
 * `decision.generation` say that it was made; what it did not get to keeps its last values.
 */
export function nextStatus({ previous, generation, attempt, notices, nowMs }: StatusFacts): RebalanceStatus {
  const now = rfc3339(nowMs);
  const change = nextChange(previous.change, attempt, now);
  const verdict = judge(attempt, change?.status === 'PENDING');
  const before = previous.conditions ?? [];
  const claims = claimsOf({ previous: before, attempt, verdict, change, notices, generation });
  const accepted = attempt.kind === 'Decided' && attempt.outcome.kind === 'Accepted';
  return defined({
    conditions: nextConditions(before, claims, nowMs),
    condition: verdict.word ?? previous.condition ?? 'Healthy',
    ...nextWeights(previous, attempt),
    lastUpdateAt: accepted ? now : previous.lastUpdateAt,
    lastAttemptAt: now,
    lastEvaluatedAt: attempt.kind === 'Decided' ? now : previous.lastEvaluatedAt,
    failures: nextFailures(previous, attempt),
    metric: nextMetric(previous.metric, attempt, now),
    ...nextValues(previous, attempt, now),
    decision: nextDecision(previous.decision, attempt, generation),
    change,
    history: attempt.kind === 'Decided' ? writeHistory(attempt.decision.history) : previous.history,
    contest: attempt.kind === 'Decided' ? attempt.decision.contest.status : previous.contest,
    behavior: attempt.kind === 'Decided' ? nextBehavior(attempt, nowMs) : previous.behavior,
  });
}

/**
 * The status after Route 53 was asked about the pending change: only `change` and TargetSynced differ. A change that it
 * does not know any more is dropped, as there is nothing left to ask.
 */
export function statusAfterPoll(
  previous: RebalanceStatus,
  poll: Result<Change, TargetFailure>,
  nowMs: number,
): RebalanceStatus {
  const forgotten = !poll.ok && poll.error.reason === 'ChangeNotFound';
  const change = forgotten ? undefined : polledChange(previous.change, poll, rfc3339(nowMs));
  const claim = pollClaim(previous, poll);
  const conditions = (previous.conditions ?? []).map((condition): ConditionClaim =>
    condition.type === 'TargetSynced' && claim !== undefined ? { ...condition, ...claim } : condition,
  );
  return defined({
    ...previous,
    conditions: nextConditions(previous.conditions ?? [], conditions, nowMs),
    change,
  });
}

/** undefined: TargetSynced speaks of more than this change, and stays. */
function pollClaim(
  { actualValue, desiredValue, resources = [] }: RebalanceStatus,
  poll: Result<Change, TargetFailure>,
): Claim | undefined {
  // Not asked, so nothing new is known.
  if (!poll.ok && poll.error.reason === 'RateBudget') return undefined;
  if (!poll.ok) return unknownClaim(poll.error);
  if (actualValue === undefined || actualValue !== desiredValue) return undefined;
  if (resources.some((record) => record.actualValue !== record.desiredValue)) return undefined;
  const records = resources.map(({ identifier, actualValue: weight }) => ({ identifier, weight }));
  return syncedClaim(describeSplit(actualValue, records), poll.value);
}

function polledChange(
  change: ChangeStatus | undefined,
  poll: Result<Change, TargetFailure>,
  polledAt: string,
): ChangeStatus | undefined {
  return change === undefined
    ? undefined
    : { ...change, status: poll.ok ? poll.value.status : change.status, polledAt };
}

function nextChange(
  previous: ChangeStatus | undefined,
  attempt: Attempt,
  now: string,
): ChangeStatus | undefined {
  if (attempt.kind !== 'Decided' || attempt.outcome.kind !== 'Accepted') return previous;
  const { id, status } = attempt.outcome.change;
  // An answer of INSYNC counts as the look that saw it so.
  return { id, status, submittedAt: now, ...(status === 'INSYNC' ? { polledAt: now } : {}) };
}

function nextWeights(
  { actualValue, desiredValue, resources }: RebalanceStatus,
  attempt: Attempt,
): Pick<RebalanceStatus, 'actualValue' | 'desiredValue' | 'resources'> {
  if (attempt.kind !== 'Decided') return defined({ actualValue, desiredValue, resources });
  const { actual, desired, left } = weightsOf(attempt);
  return defined({
    actualValue: actual,
    desiredValue: desired,
    resources: resourcesOf(left, attempt.decision.split),
  });
}

/** The weight in DNS and our records as the attempt leaves them, and the weight wanted. */
function weightsOf({ set, decision, outcome }: Decided): {
  readonly actual: number;
  readonly left: readonly RecordWeight[];
  readonly desired: Weight;
} {
  const { desired } = decision;
  return outcome.kind === 'Accepted'
    ? { actual: outcome.weight, left: outcome.records, desired }
    : { actual: set.own.total, left: set.own.records, desired };
}

/** With the weight that is in force from now on: in a dry run the one wanted. */
function nextBehavior(attempt: Decided, nowMs: number): BehaviorStatus | undefined {
  const { behavior } = attempt.spec;
  const memory = attempt.decision.behavior;
  if (behavior === undefined || memory === undefined) return undefined;
  const { actual, desired } = weightsOf(attempt);
  const inForce = { atMs: nowMs, weight: memory.isDry ? desired : capTotal(actual) };
  return writeMemory(rememberInForce(memory, inForce, behavior));
}

function nextFailures(previous: RebalanceStatus, attempt: Attempt): number {
  if (attempt.kind === 'Decided') return attempt.decision.failures;
  if (attempt.kind === 'TargetUnread')
    return countSamples(previous, attempt.spec.onFailure, attempt).failures;
  return previous.failures ?? 0;
}

function nextMetric(
  previous: MetricStatus | undefined,
  attempt: Attempt,
  at: string,
): MetricStatus | undefined {
  if (!('sample' in attempt) || attempt.sample.kind !== 'Usable') return previous;
  return { value: shortestDecimal(attempt.sample.text), at, query: attempt.spec.metric.query };
}

/** The last numbers of what has a name; what the spec has no more of goes. */
function nextValues(
  previous: RebalanceStatus,
  attempt: Attempt,
  at: string,
): Pick<RebalanceStatus, 'metrics' | 'guards'> {
  if (!('sample' in attempt)) return defined({ metrics: previous.metrics, guards: previous.guards });
  const { spec, additionalSamples, guardSamples } = attempt;
  return defined({
    metrics: valuesOf(spec.additionalMetrics, additionalSamples, { at, before: previous.metrics }),
    guards: valuesOf(spec.guards, guardSamples, { at, before: previous.guards }),
  });
}

function valuesOf(
  entries: readonly { readonly name: string }[],
  samples: readonly Sample[],
  { at, before = [] }: { readonly at: string; readonly before: readonly NamedValue[] | undefined },
): readonly NamedValue[] | undefined {
  const values = entries.flatMap(({ name }, index) => {
    const sample = samples[index];
    if (sample?.kind === 'Usable') return [{ name, value: shortestDecimal(sample.text), at }];
    return before.find((value) => value.name === name) ?? [];
  });
  return values.length === 0 ? undefined : values;
}

function nextDecision(
  previous: DecisionStatus | undefined,
  attempt: Attempt,
  generation: number,
): DecisionStatus {
  if (attempt.kind === 'Decided') return decisionStatus(attempt.decision);
  const stays = { ...previous, generation };
  const failed = attempt.kind === 'TargetUnread' && overallKind(attempt) === 'Failed';
  // Nothing is decided, but a failure ends the row of usable samples that leads out of the fallback.
  return failed && stays.fallback !== undefined
    ? { ...stays, fallback: { ...stays.fallback, successes: 0 } }
    : stays;
}

function decisionStatus(decision: Decision): DecisionStatus {
  const { generation, reason, because, metric, stages, limitedBy, policyWeight, fallback } = decision;
  return defined({ generation, reason, because, metric, stages, limitedBy, policyWeight, fallback });
}
