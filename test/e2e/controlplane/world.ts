import { startExporter, type Exporter } from '../../support/exporter.ts';
import { startRelay, type Relay } from '../../support/relay.ts';
import { startMoto, type Moto } from '../moto/moto.ts';
import { startPrometheus, type Prometheus } from '../prometheus.ts';
import { TEST_ENVIRONMENT } from '../zone.ts';
import { startChain, type Chain } from './chain.ts';
import type { ControlPlane } from './control-plane.ts';
import type { Driver } from './drivers.ts';
import type { HookPorts } from './manifests.ts';

/** Around a control plane, all that the hooks meet in production: a Metacontroller, a Prometheus, a Route 53. */
export interface World {
  readonly chain: Chain;
  readonly exporter: Exporter;
  readonly prometheus: Prometheus;
  /** Before `prometheus`, for those who count what it is asked. */
  readonly queries: Relay;
  readonly moto: Moto;
  /** Between the hook and `moto`. */
  readonly route53: Relay;
  stop(): Promise<void>;
}

export interface WorldOptions {
  /** Where the hooks are to listen. */
  readonly ports: HookPorts;
  readonly driver: Driver;
  readonly log: (line: string) => void;
}

/** Intervals down to a second, so that a scenario need not wait; everything else as the production overlay says. */
export async function startWorld(plane: ControlPlane, { ports, driver, log }: WorldOptions): Promise<World> {
  const parts: { stop(): Promise<void> }[] = [];
  const keep = <Part extends { stop(): Promise<void> }>(part: Part): Part => {
    parts.push(part);
    return part;
  };
  const stop = async (): Promise<void> => {
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) await part.stop();
  };
  try {
    const exporter = keep(await startExporter());
    const prometheus = keep(await startPrometheus(plane.directory, exporter.url, log));
    const queries = keep(await startRelay(prometheus.url));
    const moto = keep(await startMoto(plane.directory, log));
    const route53 = keep(await startRelay(moto.url));
    const args = [`--route53-endpoint=${route53.url}`, '--min-interval=1s'];
    const chain = keep(
      await startChain(plane, {
        overlay: 'production',
        ports,
        driver,
        hookOptions: { rebalance: { args, env: TEST_ENVIRONMENT } },
      }),
    );
    return { chain, exporter, prometheus, queries, moto, route53, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
