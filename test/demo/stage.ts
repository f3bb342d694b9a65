import { createRivalReader } from '../../src/hooks/rival-reader.ts';
import { parseSettings } from '../../src/config/parse.ts';
import { rfc3339 } from '../../src/foundation/clock.ts';
import type { ObservedObject } from '../../src/kubernetes/objects.ts';
import { createLogger } from '../../src/observability/log.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { createPrometheus } from '../../src/rebalance/metrics/prometheus.ts';
import { createRoute53Store } from '../../src/rebalance/targets/route53.ts';
import { startCluster, type Cluster } from '../support/cluster.ts';
import { recordAt, type JsonRecord } from '../support/json.ts';
import {
  scalar,
  startPrometheusStandIn,
  vector,
  type PrometheusStandIn,
} from '../support/prometheus-stand-in.ts';
import { startRoute53StandIn, type Route53StandIn } from '../support/route53-stand-in.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';
import { createPrinter } from './print.ts';
import { fillZone, QUERY, ZONE } from './zone.ts';

/** Everything that stands around the hooks, and the hooks themselves. */
export interface Stage {
  readonly cluster: Cluster;
  readonly clock: VirtualClock;
  readonly route53: Route53StandIn;
  /** `undefined` = Prometheus is away. */
  setLoad(requestsPerSecond: number | undefined): Promise<void>;
  /** A sample as the demo applies it: a dry run, on the demo's Prometheus and zone. */
  readonly overlay: (sample: ObservedObject) => ObservedObject;
  stop(): Promise<void>;
}

export async function setStage(say: (line: string) => void): Promise<Stage> {
  const clock = createVirtualClock('2026-01-05T12:00:00Z');
  const route53 = await startRoute53StandIn({ clock });
  fillZone(route53);
  let prometheus: PrometheusStandIn | undefined = await startPrometheusStandIn();
  const { url } = prometheus;
  const print = createPrinter();
  const cluster = await startCluster({
    clock,
    deps: {
      settings: defaultSettings(),
      clock,
      logger: createLogger('fatal'),
      metrics: createMetrics(),
      kubernetes: undefined,
      rivals: createRivalReader(undefined),
      metricSource: createPrometheus(),
      targetStore: createRoute53Store({ endpoint: route53.url }),
    },
    onSync: (report) => {
      for (const line of print(report, rfc3339(clock.nowMs()).slice(11, 19))) say(`   ${line}`);
    },
  });
  await cluster.apply(CREDENTIALS);

  return {
    cluster,
    clock,
    route53,
    setLoad: async (requestsPerSecond) => {
      if (requestsPerSecond === undefined) {
        await prometheus?.stop();
        prometheus = undefined;
        return;
      }
      prometheus ??= await startPrometheusStandIn({ port: Number(new URL(url).port) });
      prometheus.setDefault(vector(requestsPerSecond));
      prometheus.set(QUERY, scalar(requestsPerSecond));
    },
    overlay: (sample) => (sample.kind === 'Rebalance' ? patch(sample, url) : sample),
    stop: async () => {
      await cluster.stop();
      await prometheus?.stop();
      await route53.stop();
    },
  };
}

function defaultSettings(): Extract<ReturnType<typeof parseSettings>, { ok: true }>['value'] {
  const settings = parseSettings([], {});
  if (!settings.ok) throw new Error(settings.error);
  return settings.value;
}

/** One Secret for all: nothing of the machine's own AWS configuration is looked at. */
const CREDENTIALS: ObservedObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'demo' },
  data: { id: btoa('demo'), key: btoa('demo') },
};

/** What a kustomize overlay would patch: a dry run, the address, the zone, credentials. */
function patch(sample: ObservedObject, address: string): ObservedObject {
  const spec = recordAt(sample, 'spec');
  const { additionalMetrics, guards } = spec;
  // The stand-in asks nobody who they are.
  const prometheus = (of: unknown): JsonRecord => ({
    ...recordAt(of, 'prometheus'),
    address,
    auth: undefined,
    tls: undefined,
  });
  const named = (entries: unknown) =>
    Array.isArray(entries)
      ? entries.map((entry) => ({ ...recordAt(entry), prometheus: prometheus(entry) }))
      : undefined;
  const auth = {
    secretRef: {
      accessKeyIDSecretRef: { name: 'demo', key: 'id' },
      secretAccessKeySecretRef: { name: 'demo', key: 'key' },
    },
  };
  const target = { ...recordAt(spec, 'target', 'route53'), hostedZoneID: ZONE, auth };
  return {
    ...sample,
    spec: {
      ...spec,
      dryRun: true,
      target: { route53: target },
      metrics: { prometheus: prometheus(recordAt(spec, 'metrics')) },
      additionalMetrics: named(additionalMetrics),
      guards: named(guards),
    },
  };
}
