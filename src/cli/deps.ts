import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { systemClock } from '../foundation/clock.ts';
import { ok, type Result } from '../foundation/result.ts';
import type { Deps } from '../hooks/deps.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { createPrometheusSource } from '../rebalance/metrics/prometheus.ts';
import type { Route53Call } from '../rebalance/targets/route53-calls.ts';
import { createRoute53Store } from '../rebalance/targets/route53.ts';

/** The real world as the settings want it; the error is one line that names the setting. */
export function createDeps(settings: Settings, logger: Logger): Result<Deps, string> {
  const metrics = createMetrics();
  return ok({
    settings,
    clock: systemClock,
    logger,
    metrics,
    kubernetes: undefined,
    metricSource: createPrometheusSource(),
    targetStore: createRoute53Store({
      endpoint: settings.rebalance.route53Endpoint,
      onCall: (call) => countCall(metrics, call),
    }),
  });
}

function countCall(metrics: Metrics, { operation, result }: Route53Call): void {
  metrics.counterpoise_route53_calls_total.inc({ operation, result });
  if (result === 'throttled') metrics.counterpoise_route53_throttles_total.inc({ operation });
}
