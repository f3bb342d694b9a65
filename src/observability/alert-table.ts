/** One alerting rule; its name leads to a paragraph of docs/runbook.md. */
export interface AlertRow {
  /** PromQL over the metrics of the metric table; every series that it gives is an alert. */
  readonly expr: string;
  /** How long it must hold, in Prometheus' words; absent: at once. */
  readonly for?: string;
  /** critical: somebody is to look now; warning: today. */
  readonly severity: 'critical' | 'warning';
  /** One line with Prometheus' templates: what is wrong, and of what. */
  readonly summary: string;
}

const OF_REBALANCE = 'Rebalance {{ $labels.namespace }}/{{ $labels.name }}';

/**
 * The rules for the person on call: the one table behind the PrometheusRule. A weight that is held is safe, so what
 * concerns one Rebalance is a warning; critical is what stops the service as a whole. The times are long enough for a
 * rollout of the hook, of Prometheus or of a DNS change.
 */
export const ALERTS = {
  CounterpoiseDown: {
    expr: 'up{job=~"counterpoise-.*"} == 0 or absent(up{job=~"counterpoise-.*"})',
    for: '10m',
    severity: 'critical',
    summary:
      '{{ with $labels.job }}The hook {{ . }} does{{ else }}The hooks do{{ end }} not answer: objects stay as they are.',
  },
  CounterpoiseNotCalled: {
    // The CompositeController asks for every object at least once a minute, whatever its interval.
    expr: 'sum by (job) (increase(counterpoise_hook_requests_total{hook="rebalance"}[15m])) == 0 and on () count(rebalancer_actual offset 30m) > 0',
    for: '5m',
    severity: 'critical',
    summary:
      'There are Rebalances, but Metacontroller has not asked for any in 15 minutes: weights stay as they are.',
  },
  CounterpoiseBug: {
    expr: 'increase(counterpoise_bugs_total[15m]) > 0',
    severity: 'critical',
    summary:
      'The hook {{ $labels.job }} failed by a bug of its own; the log has the stack under its incident id.',
  },
  CounterpoiseSyncsFail: {
    expr: 'sum by (job, hook, outcome) (rate(counterpoise_hook_requests_total{outcome!="answered"}[10m])) > 0',
    for: '15m',
    severity: 'warning',
    summary: 'Syncs of the {{ $labels.hook }} hook end {{ $labels.outcome }}; nothing is changed meanwhile.',
  },
  CounterpoiseSyncsSlow: {
    expr: 'histogram_quantile(0.99, sum by (job, hook, le) (rate(counterpoise_hook_stage_duration_seconds_bucket{stage="total"}[10m]))) > 5',
    for: '15m',
    severity: 'warning',
    summary: 'One sync in a hundred of the {{ $labels.hook }} hook takes more than 5s of its budget.',
  },
  RebalanceFailing: {
    expr: 'rebalancer_error == 1',
    for: '10m',
    severity: 'warning',
    summary: `${OF_REBALANCE} cannot be evaluated or written; its weight is held.`,
  },
  RebalanceStale: {
    expr: 'time() - counterpoise_rebalance_last_success_timestamp_seconds > 5 * counterpoise_rebalance_interval_seconds',
    for: '10m',
    severity: 'warning',
    summary: `${OF_REBALANCE} was not evaluated with success for five of its intervals.`,
  },
  RebalanceFlapping: {
    expr: 'increase(counterpoise_rebalance_weight_reversals_total[1h]) > 6',
    severity: 'warning',
    summary: `The weight of ${OF_REBALANCE} went up and down more than six times in an hour.`,
  },
  RebalanceOffTarget: {
    expr: 'counterpoise_rebalance_expected_load_ratio > 1.2',
    for: '30m',
    severity: 'warning',
    summary: `The reference site of ${OF_REBALANCE} carries {{ $value | humanizePercentage }} of its target.`,
  },
  Route53Throttled: {
    expr: 'sum by (job) (rate(counterpoise_route53_throttles_total[10m])) > 0',
    for: '15m',
    severity: 'warning',
    summary: 'Route 53 throttles the account: somebody beside counterpoise uses its 5 requests a second.',
  },
  Route53Failing: {
    expr: 'sum by (job, operation) (rate(counterpoise_route53_calls_total{result="error"}[10m])) / sum by (job, operation) (rate(counterpoise_route53_calls_total[10m])) > 0.5',
    for: '15m',
    severity: 'warning',
    summary: 'More than half of the {{ $labels.operation }} calls fail.',
  },
  KubernetesFailing: {
    expr: 'sum by (job, verb, resource) (rate(counterpoise_kubernetes_requests_total{outcome=~"forbidden|unavailable"}[10m])) / sum by (job, verb, resource) (rate(counterpoise_kubernetes_requests_total[10m])) > 0.5',
    for: '15m',
    severity: 'warning',
    summary:
      'The hook {{ $labels.job }} cannot {{ $labels.verb }} {{ $labels.resource }}: more than half of these requests fail.',
  },
} as const satisfies Readonly<Record<string, AlertRow>>;

export type AlertName = keyof typeof ALERTS;
