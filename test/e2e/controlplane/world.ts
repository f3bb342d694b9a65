import { startExporter, type Exporter } from '../../support/exporter.ts';
import { startRelay, type Relay } from '../../support/relay.ts';
import { startMoto, type Moto } from '../moto/moto.ts';
import { startPrometheus, type Prometheus } from '../prometheus.ts';
import { TEST_ENVIRONMENT } from '../zone.ts';
import type { Chain } from './chain.ts';
import type { OptionsOfHooks } from './hooks.ts';

/** Around a control plane, all that the hooks meet in production: a Metacontroller, a Prometheus, a Route 53. */
export interface World<C extends Chain = Chain> {
  readonly chain: C;
  readonly exporter: Exporter;
  readonly prometheus: Prometheus;
  /** Before `prometheus`, for those who count what it is asked. */
  readonly queries: Relay;
  readonly moto: Moto;
  /** Between the hook and `moto`. */
  readonly route53: Relay;
  stop(): Promise<void>;
}

export interface WorldOptions<C extends Chain> {
  /** For logs and data. */
  readonly directory: string;
  readonly log: (line: string) => void;
  readonly startChain: (hookOptions: OptionsOfHooks) => Promise<C>;
}

/** Intervals down to a second, so that a scenario need not wait; everything else as the production overlay says. */
export async function startWorld<C extends Chain>({
  directory,
  log,
  startChain,
}: WorldOptions<C>): Promise<World<C>> {
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
    const prometheus = keep(await startPrometheus(directory, exporter.url, log));
    const queries = keep(await startRelay(prometheus.url));
    const moto = keep(await startMoto(directory, log));
    const route53 = keep(await startRelay(moto.url));
    // Records are changed by hand between two syncs, and moto has no quota.
    const budget = ['--route53-list-window=0s', '--route53-rate=100'];
    const args = [`--route53-endpoint=${route53.url}`, '--min-interval=1s', ...budget];
    const chain = keep(await startChain({ rebalance: { args, env: TEST_ENVIRONMENT } }));
    return { chain, exporter, prometheus, queries, moto, route53, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
