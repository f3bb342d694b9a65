import type { Counter, Gauge, Histogram } from 'prom-client';

interface MetricText {
  readonly help: string;
  readonly labels: readonly string[];
}

export type MetricRow =
  | (MetricText & { readonly type: 'counter' | 'gauge' })
  /** Upper bounds, in the unit of the name. */
  | (MetricText & { readonly type: 'histogram'; readonly buckets: readonly number[] });

/** The labels of whatever is told of one Rebalance; its series go when the object does. */
const OBJECT = ['name', 'namespace'] as const;

const WAIT_BUCKETS = [0.001, 0.1, 0.25, 0.5, 1, 2, 4, 8] as const;
const BATCH_BUCKETS = [1, 2, 5, 10, 20, 50, 100] as const;

const STAGE_BUCKETS = [0.0005, 0.002, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/**
 * Every metric of our own, by its name: the one table behind the registry and docs/reference/metrics.md. The process'
 * own metrics (prom-client's defaults) come on top. No label takes its values from a body, but for the name and
 * namespace of a Rebalance and the names of its metrics and guards, of which the CRD allows a few; all of them are dropped
 * when it is gone.
 */
export const METRICS = {
  counterpoise_build_info: {
    type: 'gauge',
    help: '1; the label says which version of counterpoise runs.',
    labels: ['version'],
  },
  rebalancer_error: {
    type: 'gauge',
    help: '1 while the last evaluation of the Rebalance failed, else 0.',
    labels: OBJECT,
  },
  rebalancer_healthy: {
    type: 'gauge',
    help: '1 while the last evaluation did what the Rebalance wanted (dry run and hold included), else 0.',
    labels: OBJECT,
  },
  rebalancer_desired: {
    type: 'gauge',
    help: 'Weight that the Rebalance wants.',
    labels: OBJECT,
  },
  rebalancer_actual: {
    type: 'gauge',
    help: 'Weight in DNS as the last evaluation left it.',
    labels: OBJECT,
  },
  rebalancer_available: {
    type: 'gauge',
    help: '1 while the last evaluation of the Rebalance succeeded, else 0.',
    labels: OBJECT,
  },
  counterpoise_rebalance_metric_value: {
    type: 'gauge',
    help: 'Last usable sample of the query of the Rebalance.',
    labels: OBJECT,
  },
  counterpoise_rebalance_additional_metric_value: {
    type: 'gauge',
    help: 'Last usable sample of each of spec.additionalMetrics, by the name of the metric.',
    labels: [...OBJECT, 'metric'],
  },
  counterpoise_rebalance_metric_weight: {
    type: 'gauge',
    help: 'Weight that each metric asked for at the last evaluation, before bounds, behavior and guards; the largest counts. metric is spec.metrics or the name in spec.additionalMetrics; absent for one that could not be used.',
    labels: [...OBJECT, 'metric'],
  },
  counterpoise_rebalance_guard_value: {
    type: 'gauge',
    help: 'Last number of each of spec.guards, by the name of the guard.',
    labels: [...OBJECT, 'guard'],
  },
  counterpoise_rebalance_guard_closed: {
    type: 'gauge',
    help: '1 while the guard stopped moves at the last evaluation, as its number was not above 0 or could not be read, else 0.',
    labels: [...OBJECT, 'guard'],
  },
  counterpoise_rebalance_expected_load_ratio: {
    type: 'gauge',
    help: "Load expected at the reference record's site with the weight in DNS, over the target value; 1 is on target.",
    labels: OBJECT,
  },
  counterpoise_rebalance_last_success_timestamp_seconds: {
    type: 'gauge',
    help: 'When the Rebalance was last evaluated with success, in seconds since the Unix epoch.',
    labels: OBJECT,
  },
  counterpoise_rebalance_interval_seconds: {
    type: 'gauge',
    help: 'Interval between evaluations of the Rebalance; absent while it is suspended.',
    labels: OBJECT,
  },
  counterpoise_rebalance_weight_changes_total: {
    type: 'counter',
    help: 'Weight changes that the DNS service accepted, by direction (up, down).',
    labels: [...OBJECT, 'direction'],
  },
  counterpoise_rebalance_weight_reversals_total: {
    type: 'counter',
    help: 'Weight changes in the other direction than the change before; a rising number is a weight that flaps.',
    labels: OBJECT,
  },
  counterpoise_route53_calls_total: {
    type: 'counter',
    help: 'Route 53 requests sent, retries included, by API operation (ListResourceRecordSets, ChangeResourceRecordSets, GetChange) and result (ok, throttled, error).',
    labels: ['operation', 'result'],
  },
  counterpoise_route53_throttles_total: {
    type: 'counter',
    help: 'Route 53 requests that were throttled, retries included, by API operation (ListResourceRecordSets, ChangeResourceRecordSets, GetChange).',
    labels: ['operation'],
  },
  counterpoise_route53_wait_seconds: {
    type: 'histogram',
    help: 'How long a request to Route 53 waited for its turn within --route53-rate.',
    labels: [],
    buckets: WAIT_BUCKETS,
  },
  counterpoise_route53_batch_changes: {
    type: 'histogram',
    help: 'How many changes of Rebalances went to Route 53 in one batch.',
    labels: [],
    buckets: BATCH_BUCKETS,
  },
  counterpoise_kubernetes_requests_total: {
    type: 'counter',
    help: 'Requests to the Kubernetes API, each page of a list being one, by verb (get, list, create, patch, delete), resource and outcome (ok, not_found, forbidden, conflict, unavailable). Resources are balancers, certificates, deployments, events, rebalances, secrets, services; other is none of them.',
    labels: ['verb', 'resource', 'outcome'],
  },
  counterpoise_hook_requests_total: {
    type: 'counter',
    help: 'Sync requests by hook (balancer, rebalance) and outcome (answered, refused, shed, unavailable, failed).',
    labels: ['hook', 'outcome'],
  },
  counterpoise_hook_stage_duration_seconds: {
    type: 'histogram',
    help: 'Duration of a sync by hook (balancer, rebalance), outcome and stage (total, parse, hook, respond, and what the hook awaits: verify, rivals, metric, target, write, poll).',
    labels: ['hook', 'stage', 'outcome'],
    buckets: STAGE_BUCKETS,
  },
  counterpoise_bugs_total: {
    type: 'counter',
    help: 'Answers with status 500: bugs of counterpoise, each with a stack in the log under its incident id.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, MetricRow>>;

export type MetricName = keyof typeof METRICS;

type Instrument<Row extends MetricRow> = Row['type'] extends 'counter'
  ? Counter<Row['labels'][number]>
  : Row['type'] extends 'gauge'
    ? Gauge<Row['labels'][number]>
    : Histogram<Row['labels'][number]>;

/** Every metric by its name. */
export type Instruments = {
  readonly [Name in MetricName]: Instrument<(typeof METRICS)[Name]>;
};
