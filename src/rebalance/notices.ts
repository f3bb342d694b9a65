import { listSome } from '../foundation/list-some.ts';
import type { ConditionClaim } from '../kubernetes/conditions.ts';
import { usedTimeoutMs } from './budget.ts';
import type { ConditionType, StateReason } from './reasons/conditions.ts';
import type { PrometheusQuery, RebalanceSpec } from './spec.ts';

/** The CRD's default, which is longer than what the default budget leaves: only who asks for more is told. */
const DEFAULT_TIMEOUT_MS = 10_000;

/** What the service grants one Rebalance. */
export interface Grants {
  readonly minIntervalMs: number;
  readonly hookBudgetMs: number;
  /** What the budget of its target leaves to each of all who come; absent: any. */
  readonly shortestIntervalMs?: number;
}

/** The interval in use: never shorter than --min-interval. */
export function usedIntervalMs(intervalMs: number, { minIntervalMs }: Pick<Grants, 'minIntervalMs'>): number {
  return Math.max(intervalMs, minIntervalMs);
}

/** A condition that says what of the spec is not used as written; there is none where all is. */
export type Notice = Omit<ConditionClaim, 'observedGeneration' | 'type' | 'reason'> & {
  readonly type: ConditionType;
  readonly reason: StateReason;
};

/** Says what of a spec is not used as written. The timeout is judged by the whole budget, which does not vary. */
export function noticesOf(
  spec: RebalanceSpec,
  unknownFields: readonly string[],
  grants: Grants,
): readonly Notice[] {
  const notices: Notice[] = [];
  const notice = (type: ConditionType, reason: StateReason, message: string): void => {
    notices.push({ type, status: 'True', reason, message });
  };
  const { intervalMs } = spec;
  const usedInterval = usedIntervalMs(intervalMs, grants);
  const { shortestIntervalMs = 0 } = grants;
  if (shortestIntervalMs > usedInterval) {
    const message = `--route53-rate does not allow spec.interval for all Rebalances of this AWS account: ${seconds(shortestIntervalMs)} is used`;
    notice('IntervalRaised', 'Route53Budget', message);
  } else if (usedInterval > intervalMs) {
    const message = `spec.interval is shorter than --min-interval: ${seconds(usedInterval)} is used`;
    notice('IntervalRaised', 'BelowMinInterval', message);
  }
  const shortened = queriesOf(spec).filter(
    ({ timeoutMs }) =>
      timeoutMs > usedTimeoutMs(timeoutMs, grants.hookBudgetMs) && timeoutMs > DEFAULT_TIMEOUT_MS,
  );
  if (shortened.length > 0) {
    const paths = listSome(shortened.map(({ path }) => `${path}.timeout`));
    const used = seconds(usedTimeoutMs(Infinity, grants.hookBudgetMs));
    const message = `${paths} is more than --hook-budget leaves beside Route 53: ${used} is used`;
    notice('TimeoutShortened', 'HookBudget', message);
  }
  if (unknownFields.length > 0) {
    const message = `unknown fields are ignored: ${listSome(unknownFields)}`;
    notice('UnknownFields', 'FieldsIgnored', message);
  }
  return notices;
}

function queriesOf({ metric, additionalMetrics, guards }: RebalanceSpec): readonly PrometheusQuery[] {
  return [
    metric,
    ...additionalMetrics.map((additional) => additional.metric),
    ...guards.map(({ query }) => query),
  ];
}

function seconds(durationMs: number): string {
  return `${durationMs / 1000}s`;
}
