import type { Attempt } from '../rebalance/decision.ts';
import { eventsOf } from '../rebalance/events.ts';
import { baseOf } from '../rebalance/reference.ts';
import type { RebalanceSpec } from '../rebalance/spec.ts';
import type { RebalanceStatus } from '../rebalance/status.ts';
import type { WeightedSet } from '../rebalance/targets/port.ts';
import type { HookContext, HookLog } from './hook.ts';
import { namedNumbers } from './rebalance-numbers.ts';
import type { RebalanceObject } from './rebalance-object.ts';

/**
 * Sets the object's gauges to what its status says, after a restart and in a sync that does nothing too; `attempted`: what
 * this sync has come to know, where it made an attempt.
 */
export function publish(
  { reference, parsed, intervalMs }: RebalanceObject,
  status: RebalanceStatus,
  { deps, nowMs }: HookContext,
  attempted?: Attempt,
): void {
  const spec = parsed.ok ? parsed.value.spec : undefined;
  const set = attempted?.kind === 'Decided' ? attempted.set : undefined;
  deps.metrics.rebalances.publish(reference, {
    status,
    numbers: spec === undefined ? [] : namedNumbers(spec, status, attempted),
    expectedLoadRatio: spec === undefined ? undefined : loadRatio(spec, status, set),
    intervalMs,
    isSuspended: spec?.suspend === true,
    nowMs,
  });
}

/** m x base/(base + w)/target, for a graph: in floats. undefined: neither spec nor set tell the base. */
function loadRatio(
  spec: RebalanceSpec,
  { metric, actualValue }: RebalanceStatus,
  set: WeightedSet | undefined,
): number | undefined {
  const { baseValue, targetValue } = spec.policy;
  const read = set === undefined ? undefined : baseOf(spec, set);
  const base = baseValue ?? (read?.ok === true ? read.value : undefined);
  if (base === undefined || metric === undefined || actualValue === undefined) return undefined;
  return (Number(metric.value) * base) / (base + actualValue) / targetValue.valueOf();
}

/** Counts a weight that was changed. */
export function countChange({ reference }: RebalanceObject, attempted: Attempt, { deps }: HookContext): void {
  if (attempted.kind !== 'Decided' || attempted.outcome.kind !== 'Accepted') return;
  const { set, outcome } = attempted;
  if (outcome.weight !== set.own.total)
    deps.metrics.rebalances.countChange(reference, set.own.total, outcome.weight);
}

/** An attempt, with the status before and after it. */
export interface Told {
  readonly previous: RebalanceStatus;
  readonly status: RebalanceStatus;
  readonly attempted: Attempt;
}

/** Tells the object's readers what is worth an Event; without a Kubernetes API they are dropped. */
export function recordEvents({ reference }: RebalanceObject, told: Told, { deps }: HookContext): void {
  for (const event of eventsOf(told.previous, told.status, told.attempted)) {
    deps.kubernetes?.record({ regarding: reference, ...event });
  }
}

/** What the log says of an attempt: Ready's words, and the numbers. */
export function summary(status: RebalanceStatus, attempted: Attempt): HookLog {
  const { conditions = [], actualValue, desiredValue, metric } = status;
  const ready = conditions.find(({ type }) => type === 'Ready');
  return {
    reason: ready?.reason ?? '',
    because: ready?.message ?? '',
    facts: {
      attempt: attempted.kind,
      ...(attempted.kind === 'Decided' ? { write: attempted.outcome.kind } : {}),
      ...(actualValue === undefined ? {} : { actual: actualValue }),
      ...(desiredValue === undefined ? {} : { desired: desiredValue }),
      ...(metric === undefined ? {} : { metric: metric.value }),
    },
  };
}
