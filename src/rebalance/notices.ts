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

/** Says what of a spec is not used as written. */
export function noticesOf(
  spec: RebalanceSpec,
  unknownFields: readonly string[],
  grants: Grants,
): readonly Notice[] {
  return [
    intervalNotice(spec, grants),
    timeoutNotice(spec, grants),
    unknownFieldsNotice(unknownFields),
  ].filter((notice) => notice !== undefined);
}

function notice(type: ConditionType, reason: StateReason, message: string): Notice {
  return { type, status: 'True', reason, message };
}

function intervalNotice({ intervalMs }: RebalanceSpec, grants: Grants): Notice | undefined {
  const { shortestIntervalMs = 0 } = grants;
  const usedMs = usedIntervalMs(intervalMs, grants);
  if (shortestIntervalMs > usedMs) {
    const message = `--route53-rate does not allow spec.interval for all Rebalances of this AWS account: ${seconds(shortestIntervalMs)} is used`;
    return notice('IntervalRaised', 'Route53Budget', message);
  }
  if (usedMs === intervalMs) return undefined;
  const message = `spec.interval is shorter than --min-interval: ${seconds(usedMs)} is used`;
  return notice('IntervalRaised', 'BelowMinInterval', message);
}

/** Judged by the whole budget, not by what is left of one sync's: a condition does not change by itself. */
function timeoutNotice(spec: RebalanceSpec, { hookBudgetMs }: Grants): Notice | undefined {
  const longestMs = usedTimeoutMs(Infinity, hookBudgetMs);
  const shortened = queriesOf(spec).filter(
    ({ timeoutMs }) => timeoutMs > Math.max(longestMs, DEFAULT_TIMEOUT_MS),
  );
  if (shortened.length === 0) return undefined;
  const paths = listSome(shortened.map(({ path }) => `${path}.timeout`));
  const message = `${paths} is more than --hook-budget leaves beside Route 53: ${seconds(longestMs)} is used`;
  return notice('TimeoutShortened', 'HookBudget', message);
}

function unknownFieldsNotice(unknownFields: readonly string[]): Notice | undefined {
  if (unknownFields.length === 0) return undefined;
  const message = `unknown fields are ignored: ${listSome(unknownFields)}`;
  return notice('UnknownFields', 'FieldsIgnored', message);
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
