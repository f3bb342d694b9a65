import type { Service } from '../support/service.ts';
import { largeBalancer, post, rebalance, settled, smallBalancer } from './bodies.ts';
import { load, median, type Load } from './load.ts';
import { startBareServer, type StandIns } from './parts.ts';

/** One body, posted to the hook and to a bare server that answers just what the hook answers. */
export interface Scenario {
  readonly name: string;
  readonly hookUrl: string;
  readonly bareUrl: string;
  readonly body: string;
}

export interface Comparison {
  readonly name: string;
  readonly hook: Load;
  readonly bare: Load;
  /** Syncs per second of the hook over those of the bare server: the median of the rounds' own ratios. */
  readonly ratio: number;
}

/** Every scenario of the bench with its bare server, which is started here. */
export async function prepareScenarios(
  service: Service,
  { prometheusUrl }: StandIns,
  directory: string,
): Promise<readonly Scenario[]> {
  const balancerUrl = `${service.url}/balancer/sync`;
  const rebalanceUrl = `${service.url}/rebalance/sync`;
  const evaluated = rebalance(prometheusUrl);
  const bodies = [
    { what: 'Balancer, settled', hookUrl: balancerUrl, body: await settled(balancerUrl, smallBalancer()) },
    { what: 'Balancer, settled', hookUrl: balancerUrl, body: await settled(balancerUrl, largeBalancer()) },
    { what: 'Rebalance, not due', hookUrl: rebalanceUrl, body: await settled(rebalanceUrl, evaluated) },
    { what: 'Rebalance, evaluated', hookUrl: rebalanceUrl, body: evaluated },
  ];
  const scenarios: Scenario[] = [];
  for (const { what, hookUrl, body } of bodies) {
    const text = JSON.stringify(body);
    const name = `${what}, ${sizeOf(text)}`;
    const answer = await post(hookUrl, body);
    const bareUrl = await startBareServer(directory, String(scenarios.length), answer.text);
    scenarios.push({ name, hookUrl, bareUrl, body: text });
  }
  return scenarios;
}

/** Hook and bare server by turns, so that a disturbance of the machine meets both; the first round only warms up. */
export async function compare(scenario: Scenario, rounds: number, seconds: number): Promise<Comparison> {
  const hooks: Load[] = [];
  const bares: Load[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const bare = await load(scenario.bareUrl, scenario.body, { seconds });
    const hook = await load(scenario.hookUrl, scenario.body, { seconds });
    if (round === 0) continue;
    bares.push(bare);
    hooks.push(hook);
  }
  const ratios = hooks.map(
    (hook, round) => hook.syncsPerSecond / (bares[round]?.syncsPerSecond ?? Number.NaN),
  );
  return { name: scenario.name, hook: medians(hooks), bare: medians(bares), ratio: median(ratios) };
}

function medians(loads: readonly Load[]): Load {
  return {
    syncsPerSecond: median(loads.map((each) => each.syncsPerSecond)),
    p50Ms: median(loads.map((each) => each.p50Ms)),
    p99Ms: median(loads.map((each) => each.p99Ms)),
  };
}

function sizeOf(text: string): string {
  const kilobytes = Buffer.byteLength(text) / 1000;
  return kilobytes < 1000 ? `${kilobytes.toFixed(0)} kB` : `${(kilobytes / 1000).toFixed(1)} MB`;
}
