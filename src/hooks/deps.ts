import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import type { Clock } from '../foundation/clock.ts';
import type { KubernetesApi } from '../kubernetes/api.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { MetricSource } from '../rebalance/metrics/port.ts';
import type { TargetStore } from '../rebalance/targets/port.ts';
import type { RivalReader } from './rival-reader.ts';

/** What the border of the house is built with; tests, demo and main each hand in their own. */
export interface Deps {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** undefined: no Kubernetes API is at hand (demos, curl); what needs it says so. */
  readonly kubernetes: KubernetesApi | undefined;
  /** Who else steers the record of a Rebalance. */
  readonly rivals: RivalReader;
  readonly metricSource: MetricSource;
  readonly targetStore: TargetStore;
}
