import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS, type Instruments, type MetricRow } from './metric-table.ts';
import { createRebalanceSeries, type RebalanceSeries } from './rebalance-series.ts';

/** The process' Prometheus registry and what we count in it, by name. */
export interface Metrics extends Instruments {
  readonly registry: Registry;
  /** The series of each Rebalance, which come and go with it. */
  readonly rebalances: RebalanceSeries;
}

/** A registry of its own with every metric of the table and the process' own; two never share a number. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const entries = Object.entries(METRICS).map(([name, row]) => [name, instrument(name, row, registry)]);
  const instruments = Object.fromEntries(entries) as Instruments;
  return { registry, ...instruments, rebalances: createRebalanceSeries(instruments) };
}

function instrument(name: string, row: MetricRow, registry: Registry): Counter | Gauge | Histogram {
  const options = { name, help: row.help, labelNames: row.labels, registers: [registry] };
  switch (row.type) {
    case 'counter':
      return new Counter(options);
    case 'gauge':
      return new Gauge(options);
    case 'histogram':
      return new Histogram({ ...options, buckets: [...row.buckets] });
  }
}
