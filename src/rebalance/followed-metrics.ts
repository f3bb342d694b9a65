import type { PrometheusMetric, RebalanceSpec, TargetTracking } from './spec.ts';

/** A metric that the weight follows. */
export interface FollowedMetric {
  /** undefined: that of spec.metrics. */
  readonly name: string | undefined;
  readonly metric: PrometheusMetric;
  /** The policy as it holds for this metric, with the target of its own. */
  readonly policy: TargetTracking;
}

/** All metrics of a spec, that of spec.metrics first. */
export function followedMetrics({
  policy,
  metric,
  additionalMetrics,
}: Pick<RebalanceSpec, 'policy' | 'metric' | 'additionalMetrics'>): readonly FollowedMetric[] {
  return [
    { name: undefined, metric, policy },
    ...additionalMetrics.map(({ name, targetValue, metric: additional }) => ({
      name,
      metric: additional,
      policy: { ...policy, targetValue },
    })),
  ];
}

/** The longest that any query looks back. */
export function longestWindowMs(spec: Pick<RebalanceSpec, 'metric' | 'additionalMetrics'>): number {
  return Math.max(spec.metric.windowMs, ...spec.additionalMetrics.map(({ metric }) => metric.windowMs));
}
