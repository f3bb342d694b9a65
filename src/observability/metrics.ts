import { collectDefaultMetrics, Registry } from 'prom-client';

/** The process' Prometheus registry and what we count in it. */
export interface Metrics {
  readonly registry: Registry;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { registry };
}
