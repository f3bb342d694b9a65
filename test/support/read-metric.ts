import { createPrometheus } from '../../src/rebalance/metrics/prometheus.ts';
import type { PrometheusMetric } from '../../src/rebalance/spec.ts';
import { callContext } from './call-context.ts';

export const QUERY = 'scalar(sum(rate(requests[1m])))';

/** A metric of which nothing is said but what `overrides` says. */
export function metricOf(overrides: Partial<PrometheusMetric> = {}): PrometheusMetric {
  return {
    kind: 'Prometheus',
    path: 'spec.metrics.prometheus',
    address: 'http://127.0.0.1:9',
    query: QUERY,
    timeoutMs: 10_000,
    noData: 'Hold',
    windowMs: 0,
    headers: {},
    queryParams: {},
    auth: { kind: 'None' },
    tls: undefined,
    ...overrides,
  };
}

/** What reading a metric comes to, with what matters of it: on one line of a table. */
export async function readMetric(
  overrides: Partial<PrometheusMetric>,
  context = callContext(),
  source = createPrometheus(),
): Promise<readonly string[]> {
  const result = await source.read(metricOf(overrides), context);
  if (!result.ok) return [result.error.reason, result.error.message];
  return result.value.kind === 'Value'
    ? ['Value', result.value.text]
    : [result.value.reason, result.value.message];
}
