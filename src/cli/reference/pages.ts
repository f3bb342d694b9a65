import { FLAG_GROUPS } from '../../config/flag.ts';
import { flagRows, type FlagRow } from '../../config/flags.ts';
import { HTTP_ERRORS } from '../../hooks/errors.ts';
import { MAX_QUERIES } from '../../api/rebalance-named-queries.ts';
import { METRICS, type MetricRow } from '../../observability/metric-table.ts';
import { MAX_OBJECTS } from '../../observability/rebalance-series.ts';
import { code, generatedFrom, page, table } from './markdown.ts';

/** docs/reference/flags.md: the tables of src/config/flags.ts and balancer-flags.ts. */
export function flagsPage(): string {
  const rows = flagRows();
  return page(
    generatedFrom('src/config/flags.ts and src/config/balancer-flags.ts'),
    '# Flags',
    'Each flag has a twin in the environment; where both are given, the line wins. A boolean flag stands alone for true, or takes `=true` or `=false`. Durations are written as in Go (`90s`, `1h30m`). A bad value ends the start with a line that names the flag.',
    ...FLAG_GROUPS.flatMap((group) => [`## ${group}`, flagTable(rows.filter((row) => row.group === group))]),
  );
}

function flagTable(rows: readonly FlagRow[]): string {
  return table(
    ['Flag', 'Environment', 'Value', 'Default', 'Meaning'],
    rows.map(({ name, env, type, default: byDefault, description, repeatable }) => [
      code(`--${name}`),
      code(env),
      code(type),
      byDefault === undefined ? '' : code(byDefault),
      repeatable ? `${description} Repeatable.` : description,
    ]),
  );
}

/** docs/reference/metrics.md: the table of src/observability/metric-table.ts. */
export function metricsPage(): string {
  return page(
    generatedFrom('src/observability/metric-table.ts'),
    '# Metrics',
    '`GET /metrics` on the address of the hooks, in the text format of Prometheus. On top of these come the metrics of the process (`process_*`, `nodejs_*`).',
    `The number of series is bounded. What has the labels \`name\` and \`namespace\` is told of at most ${MAX_OBJECTS} Rebalances at a time, and goes with the object, or once nobody has asked for it for three of its intervals. \`metric\` and \`guard\` are names from its spec, of which the CRD allows ${MAX_QUERIES} each: one Rebalance has ${SERIES_OF_ONE} series at most. Every other label has the few values that its meaning lists.`,
    table(
      ['Metric', 'Type', 'Labels', 'Meaning'],
      Object.entries(METRICS).map(([name, { type, labels, help }]) => [
        code(name),
        type,
        labels.map(code).join(', '),
        help,
      ]),
    ),
  );
}

/** How many values a label has within one Rebalance at most; metrics are that of spec.metrics and the additional ones. */
const VALUES_OF_ONE: Readonly<Record<string, number>> = {
  name: 1,
  namespace: 1,
  direction: 2,
  metric: MAX_QUERIES + 1,
  guard: MAX_QUERIES,
};

const SERIES_OF_ONE = Object.values<MetricRow>(METRICS)
  .filter(({ labels }) => labels.includes('namespace'))
  .map(({ labels }) => labels.reduce((product, label) => product * (VALUES_OF_ONE[label] ?? 1), 1))
  .reduce((sum, count) => sum + count, 0);

/** docs/reference/errors.md: the table of src/hooks/errors.ts. */
export function errorsPage(): string {
  return page(
    generatedFrom('src/hooks/errors.ts'),
    '# Errors over HTTP',
    'Every answer that is not a 200 carries one line of text. Metacontroller copies it into an Event of the parent and into its own log, touches nothing, and asks again. What is wrong under `spec` is not here: that is a 200 with a condition (see reasons.md).',
    table(
      ['Reason', 'Status', 'Meaning', 'What to do'],
      Object.entries(HTTP_ERRORS).map(([reason, { status, means, todo }]) => [
        code(reason),
        String(status),
        means,
        todo,
      ]),
    ),
  );
}
