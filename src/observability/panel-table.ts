/** Units of Grafana's panels. */
export type PanelUnit = 'short' | 's' | 'bytes' | 'percentunit' | 'reqps' | 'dateTimeFromNow';

export interface PanelRow {
  readonly title: string;
  /** What it shows and what to look for, one sentence. */
  readonly description: string;
  readonly unit: PanelUnit;
  /** PromQL by its legend. `$namespace`, `$name` and `$job` are the dashboard's variables. */
  readonly queries: Readonly<Record<string, string>>;
}

/** Which Rebalances the dashboard's variables name. */
const OBJECT = '{namespace=~"$namespace", name=~"$name"}';

/** How a series of a Rebalance is named in a legend. */
const NAME = '{{namespace}}/{{name}}';

/** The panels by section, in their order: the one table behind the Grafana dashboard. */
export const PANELS: Readonly<Record<string, readonly PanelRow[]>> = {
  Rebalances: [
    {
      title: 'Weight',
      description:
        'In DNS, and wanted; they differ in a dry run, while a change fails, and for one interval.',
      unit: 'short',
      queries: {
        [`${NAME} actual`]: `rebalancer_actual${OBJECT}`,
        [`${NAME} desired`]: `rebalancer_desired${OBJECT}`,
      },
    },
    {
      title: 'Expected load of the reference, over its target',
      description: '1 is on target; above it for long means that maximum or the target is out of reach.',
      unit: 'percentunit',
      queries: { [NAME]: `counterpoise_rebalance_expected_load_ratio${OBJECT}` },
    },
    {
      title: 'Metric',
      description: 'The last usable sample of each query.',
      unit: 'short',
      queries: {
        [NAME]: `counterpoise_rebalance_metric_value${OBJECT}`,
        [`${NAME} {{metric}}`]: `counterpoise_rebalance_additional_metric_value${OBJECT}`,
      },
    },
    {
      title: 'Weight that each metric asks for',
      description:
        'The largest counts, within bounds. Nothing is shown of a metric that cannot be used: the weight may then rise, but not fall.',
      unit: 'short',
      queries: { [`${NAME} {{metric}}`]: `counterpoise_rebalance_metric_weight${OBJECT}` },
    },
    {
      title: 'Guards',
      description:
        'Closed is 1 while a guard stops moves: its number, shown beside, is not above 0 or cannot be read.',
      unit: 'short',
      queries: {
        [`${NAME} {{guard}} closed`]: `counterpoise_rebalance_guard_closed${OBJECT}`,
        [`${NAME} {{guard}}`]: `counterpoise_rebalance_guard_value${OBJECT}`,
      },
    },
    {
      title: 'State',
      description:
        'Healthy: the last evaluation did what it wanted. Error: it failed, and the weight is held.',
      unit: 'short',
      queries: {
        [`${NAME} healthy`]: `rebalancer_healthy${OBJECT}`,
        [`${NAME} error`]: `rebalancer_error${OBJECT}`,
        [`${NAME} available`]: `rebalancer_available${OBJECT}`,
      },
    },
    {
      title: 'Changes and reversals per hour',
      description:
        'A reversal goes the other way than the change before; many of them are a weight that flaps.',
      unit: 'short',
      queries: {
        [`${NAME} {{direction}}`]: `increase(counterpoise_rebalance_weight_changes_total${OBJECT}[1h])`,
        [`${NAME} reversals`]: `increase(counterpoise_rebalance_weight_reversals_total${OBJECT}[1h])`,
      },
    },
    {
      title: 'Since the last success, in intervals',
      description: 'About 1 at most while all is well; a suspended object has none.',
      unit: 'short',
      queries: {
        [NAME]: `(time() - counterpoise_rebalance_last_success_timestamp_seconds${OBJECT}) / counterpoise_rebalance_interval_seconds${OBJECT}`,
      },
    },
  ],
  'Route 53': [
    {
      title: 'Calls per second',
      description: 'Retries included. The account has 5 a second for everybody in it.',
      unit: 'reqps',
      queries: {
        '{{operation}} {{result}}':
          'sum by (operation, result) (rate(counterpoise_route53_calls_total{job=~"$job"}[$__rate_interval]))',
      },
    },
    {
      title: 'Throttled calls per second',
      description:
        'Anything above zero for long: somebody else uses the account, or --route53-rate is too high.',
      unit: 'reqps',
      queries: {
        '{{operation}}':
          'sum by (operation) (rate(counterpoise_route53_throttles_total{job=~"$job"}[$__rate_interval]))',
      },
    },
    {
      title: 'Waiting for a turn',
      description: 'How long a request waits within --route53-rate; seconds mean that intervals are raised.',
      unit: 's',
      queries: {
        p50: 'histogram_quantile(0.5, sum by (le) (rate(counterpoise_route53_wait_seconds_bucket{job=~"$job"}[$__rate_interval])))',
        p99: 'histogram_quantile(0.99, sum by (le) (rate(counterpoise_route53_wait_seconds_bucket{job=~"$job"}[$__rate_interval])))',
      },
    },
    {
      title: 'Changes in a batch',
      description: 'Rebalances of one zone that change together.',
      unit: 'short',
      queries: {
        p50: 'histogram_quantile(0.5, sum by (le) (rate(counterpoise_route53_batch_changes_bucket{job=~"$job"}[$__rate_interval])))',
        p99: 'histogram_quantile(0.99, sum by (le) (rate(counterpoise_route53_batch_changes_bucket{job=~"$job"}[$__rate_interval])))',
      },
    },
  ],
  Hooks: [
    {
      title: 'Syncs per second by outcome',
      description: 'What is not answered changes nothing, and Metacontroller asks again.',
      unit: 'reqps',
      queries: {
        '{{hook}} {{outcome}}':
          'sum by (hook, outcome) (rate(counterpoise_hook_requests_total{job=~"$job"}[$__rate_interval]))',
        'bugs {{job}}': 'sum by (job) (rate(counterpoise_bugs_total{job=~"$job"}[$__rate_interval]))',
      },
    },
    {
      title: 'Duration of a sync (p99) by stage',
      description: 'What the hook awaits, each on its own; total is the whole.',
      unit: 's',
      queries: {
        '{{hook}} {{stage}}':
          'histogram_quantile(0.99, sum by (hook, stage, le) (rate(counterpoise_hook_stage_duration_seconds_bucket{job=~"$job"}[$__rate_interval])))',
      },
    },
    {
      title: 'Requests to the Kubernetes API per second',
      description:
        'Live objects, Secrets, Events, and lists of Rebalances for who else steers a record. Conflict and not_found are part of the work; forbidden is a right that the hook lacks.',
      unit: 'reqps',
      queries: {
        '{{verb}} {{resource}} {{outcome}}':
          'sum by (verb, resource, outcome) (rate(counterpoise_kubernetes_requests_total{job=~"$job"}[$__rate_interval]))',
      },
    },
    {
      title: 'Version',
      description:
        'How many processes run which version; two of them for long are a rollout that stands still.',
      unit: 'short',
      queries: { '{{job}} {{version}}': 'sum by (job, version) (counterpoise_build_info{job=~"$job"})' },
    },
    {
      title: 'Memory',
      description: 'Resident; flat after the first hour.',
      unit: 'bytes',
      queries: { '{{pod}}': 'process_resident_memory_bytes{job=~"$job"}' },
    },
    {
      title: 'Event loop lag (p99)',
      description: 'How long a request waits because the process is busy.',
      unit: 's',
      queries: { '{{pod}}': 'nodejs_eventloop_lag_p99_seconds{job=~"$job"}' },
    },
  ],
};
