import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { systemClock } from '../foundation/clock.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import type { Deps } from '../hooks/deps.ts';
import { createMetrics } from '../observability/metrics.ts';
import { createPrometheusSource } from '../rebalance/metrics/prometheus.ts';

/** The real world as the settings want it; the error is one line that names the setting. */
export function createDeps(settings: Settings, logger: Logger): Promise<Result<Deps, string>> {
  const notYet = { reason: 'TargetError', message: 'not there yet', outcomeUnknown: false } as const;
  return Promise.resolve(
    ok({
      settings,
      clock: systemClock,
      logger,
      metrics: createMetrics(),
      kubernetes: undefined,
      metricSource: createPrometheusSource(),
      targetStore: {
        readSet: () => Promise.resolve(err(notYet)),
        writeWeight: () => Promise.resolve(err(notYet)),
        readChange: () => Promise.resolve(err(notYet)),
      },
    }),
  );
}
