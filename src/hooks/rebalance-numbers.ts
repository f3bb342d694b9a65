import type { NamedNumber } from '../observability/named-series.ts';
import type { Attempt, Decision } from '../rebalance/decision.ts';
import { followedMetrics } from '../rebalance/followed-metrics.ts';
import { closedGuards } from '../rebalance/guards.ts';
import type { RebalanceSpec } from '../rebalance/spec.ts';
import type { NamedValue, RebalanceStatus } from '../rebalance/status.ts';

/** What the metric of spec.metrics is called, which has no name of its own; no name of another may have a dot. */
const MAIN_METRIC = 'spec.metrics';

/**
 * What is told of each metric and guard of a spec, and of no other name: a posted status may hold any. What an attempt
 * alone knows stays as it was told where there is none, or where it did not get so far.
 */
export function namedNumbers(
  spec: RebalanceSpec,
  status: RebalanceStatus,
  attempted: Attempt | undefined,
): readonly NamedNumber[] {
  const decision = attempted?.kind === 'Decided' ? attempted.decision : undefined;
  return [
    ...valuesOf('counterpoise_rebalance_additional_metric_value', spec.additionalMetrics, status.metrics),
    ...valuesOf('counterpoise_rebalance_guard_value', spec.guards, status.guards),
    ...weightsOf(spec, decision),
    ...closedOf(spec, attempted),
  ];
}

function valuesOf(
  gauge: NamedNumber['gauge'],
  entries: readonly { readonly name: string }[],
  values: readonly NamedValue[] = [],
): readonly NamedNumber[] {
  const named = new Set(entries.map(({ name }) => name));
  return values.flatMap(({ name, value }) =>
    named.has(name) ? [{ gauge, name, value: Number(value) }] : [],
  );
}

/** None for a metric that could not be used. */
function weightsOf(spec: RebalanceSpec, decision: Decision | undefined): readonly NamedNumber[] {
  const gauge = 'counterpoise_rebalance_metric_weight';
  const numbers = followedMetrics(spec).map(({ name = MAIN_METRIC }, index) => {
    return { gauge, name, value: decision?.asks[index] } as const;
  });
  return numbers.filter(({ value }) => decision === undefined || value !== undefined);
}

function closedOf({ guards }: RebalanceSpec, attempted: Attempt | undefined): readonly NamedNumber[] {
  const gauge = 'counterpoise_rebalance_guard_closed';
  const samples = attempted !== undefined && 'sample' in attempted ? attempted.guardSamples : undefined;
  if (samples === undefined) return guards.map(({ name }) => ({ gauge, name, value: undefined }));
  const closed = new Set(closedGuards({ guards, samples }).map(({ name }) => name));
  return guards.map(({ name }) => ({ gauge, name, value: Number(closed.has(name)) }));
}
