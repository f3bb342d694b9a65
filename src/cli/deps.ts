import { delimiter } from 'node:path';
import type { Logger } from 'pino';
import type { KubernetesAccess, Settings } from '../config/settings.ts';
import { systemClock } from '../foundation/clock.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import type { Deps } from '../hooks/deps.ts';
import { createRivalReader } from '../hooks/rival-reader.ts';
import type { KubernetesApi } from '../kubernetes/api.ts';
import type { CountedRequest } from '../kubernetes/counted.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { createAwsCredentials } from '../rebalance/aws/credentials.ts';
import { createPrometheus } from '../rebalance/metrics/prometheus.ts';
import type { Route53Call } from '../rebalance/targets/route53-calls.ts';
import { createRoute53Store } from '../rebalance/targets/route53.ts';
import { VERSION } from './version.ts';

/** The real world as the settings want it; the error is one line that names the setting. */
export async function createDeps(settings: Settings, logger: Logger): Promise<Result<Deps, string>> {
  const metrics = createMetrics();
  metrics.counterpoise_build_info.set({ version: VERSION }, 1);
  const onRequest = (request: CountedRequest): void => {
    metrics.counterpoise_kubernetes_requests_total.inc({ ...request });
  };
  const kubernetes = await connectKubernetes(settings.kubernetes, logger, onRequest);
  if (!kubernetes.ok) return kubernetes;
  const credentials = createAwsCredentials();
  return ok({
    settings,
    clock: systemClock,
    logger,
    metrics,
    kubernetes: kubernetes.value,
    rivals: createRivalReader(kubernetes.value),
    metricSource: createPrometheus({ allowed: settings.rebalance.prometheusAllowed, credentials }),
    targetStore: createRoute53Store({
      endpoint: settings.rebalance.route53Endpoint,
      ratePerSecond: settings.rebalance.route53RatePerSecond,
      listWindowMs: settings.rebalance.route53ListWindowMs,
      onCall: (call) => countCall(metrics, call),
      onTurn: (waitedMs) => metrics.counterpoise_route53_wait_seconds.observe(waitedMs / 1000),
      onBatch: (size) => metrics.counterpoise_route53_batch_changes.observe(size),
      credentials,
    }),
  });
}

/** undefined: none is at hand, which the log says once. `onRequest` is told of every request. */
export async function connectKubernetes(
  access: KubernetesAccess,
  logger: Logger,
  onRequest: (request: CountedRequest) => void = () => undefined,
): Promise<Result<KubernetesApi | undefined, string>> {
  if (access.kind === 'None') {
    logger.warn('no Kubernetes API: Events are dropped, Secrets and live objects cannot be read');
    return ok(undefined);
  }
  // Its client is half of all the code that a start loads: only who needs it pays.
  const { createKubernetesApi } = await import('../kubernetes/client.ts');
  const onEventLost = (because: string): void => logger.warn({ because }, 'an Event was not recorded');
  const api = createKubernetesApi(access, { onEventLost, onRequest, environment: process.env });
  if (api.ok || access.kind === 'InCluster') return api;
  return err(
    `--kubeconfig or KUBECONFIG="${access.paths.join(delimiter)}": ${api.error}; --kubernetes=false does without`,
  );
}

function countCall(metrics: Metrics, { operation, result }: Route53Call): void {
  metrics.counterpoise_route53_calls_total.inc({ operation, result });
  if (result === 'throttled') metrics.counterpoise_route53_throttles_total.inc({ operation });
}
