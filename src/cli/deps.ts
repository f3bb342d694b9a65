import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { systemClock } from '../foundation/clock.ts';
import { ok, type Result } from '../foundation/result.ts';
import type { Deps } from '../hooks/deps.ts';
import { createMetrics } from '../observability/metrics.ts';
import { createPrometheusSource } from '../rebalance/metrics/prometheus.ts';
import { createRoute53Store } from '../rebalance/targets/route53.ts';

/** The real world as the settings want it; the error is one line that names the setting. */
export function createDeps(settings: Settings, logger: Logger): Promise<Result<Deps, string>> {
  return Promise.resolve(
    ok({
      settings,
      clock: systemClock,
      logger,
      metrics: createMetrics(),
      kubernetes: undefined,
      metricSource: createPrometheusSource(),
      targetStore: createRoute53Store({ endpoint: settings.rebalance.route53Endpoint }),
    }),
  );
}
