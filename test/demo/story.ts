import type { ObservedObject } from '../../src/kubernetes/objects.ts';
import { rollOutDeployments } from '../support/api-server/rollout.ts';
import { manifests, sampleFiles } from '../support/cluster.ts';
import { listAt, recordAt, type JsonRecord } from '../support/json.ts';
import { setStage, type Stage } from './stage.ts';
import { ZONE } from './zone.ts';

type Say = (line: string) => void;

const MINUTE_MS = 60_000;
const README = { apiVersion: 'rebalancer.ch1aki.github.io/v1', kind: 'Rebalance', name: 'readme' };

/**
 * The demo: every sample under the double of Metacontroller, the hooks behind real HTTP, on a clock that is moved by hand.
 * Throws when a step does not go as told.
 */
export async function tellStory(say: Say): Promise<void> {
  say('counterpoise, both hooks over real HTTP. What stands around them is in this process: an API server,');
  say("Metacontroller's double, Prometheus, Route 53, and a clock that is moved by hand.");
  const stage = await setStage(say);
  const chapter = (title: string): void => say(`\n== ${title}`);
  try {
    chapter('A Balancer becomes a Deployment, a Service and, with an issuer, a Certificate');
    await tellBalancers(stage, say);
    chapter('A Rebalance is a dry run at first: it says what it would do, and why');
    await tellDryRuns(stage, say);
    chapter('Taken seriously: 3000 requests/s, target 1000, base 8, so the weight becomes 16');
    await tellWrite(stage, say);
    chapter('Prometheus goes away: the weight is held');
    await tellOutage(stage, say);
    chapter('The load goes: 0 requests/s, and the weight is 0');
    await tellNoLoad(stage, say);
  } finally {
    await stage.stop();
  }
}

function told(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`not as told: ${what}`);
}

async function applySamples(
  { cluster, overlay }: Stage,
  say: Say,
  name: RegExp,
): Promise<readonly ObservedObject[]> {
  const files = sampleFiles().filter((path) => name.test(path));
  const applied: ObservedObject[] = [];
  for (const file of files) {
    say(`   $ kubectl apply -f ${file}`);
    for (const object of manifests(file)) applied.push(await cluster.apply(overlay(object)));
    await cluster.metacontroller.settle();
  }
  return applied;
}

async function tellBalancers(stage: Stage, say: Say): Promise<void> {
  const { cluster, clock } = stage;
  const objects = await applySamples(stage, say, /\/balancer/);
  say('   The Deployments roll out.');
  await rollOutDeployments(cluster.server, clock);
  await cluster.metacontroller.settle();
  const balancers = objects.filter(({ kind }) => kind === 'Balancer');
  for (const balancer of balancers) {
    const { status } = await read(stage, balancer);
    told(conditionOf(status, 'Ready')['status'] === 'True', `Balancer ${balancer.metadata.name} is Ready`);
  }
  const count = async (apiVersion: string, kind: string): Promise<number> =>
    (await cluster.kubectl.list({ apiVersion, kind })).length;
  told((await count('apps/v1', 'Deployment')) === balancers.length, 'one Deployment a Balancer');
  told((await count('v1', 'Service')) === balancers.length, 'one Service a Balancer');
  told(
    (await count('cert-manager.io/v1', 'Certificate')) === 1,
    'one Certificate, for the one with an issuer',
  );
}

async function tellDryRuns(stage: Stage, say: Say): Promise<void> {
  const { cluster, route53 } = stage;
  const before = recordLine(stage);
  await stage.setLoad(3000);
  const rebalances = await applySamples(stage, say, /\/rebalance/);
  told(route53.count('ChangeResourceRecordSets') === 0, 'a dry run changes nothing');
  for (const rebalance of rebalances) {
    const { reason } = conditionOf((await read(stage, rebalance))['status'], 'Ready');
    const isSuspended = recordAt(rebalance, 'spec')['suspend'] === true;
    const expected = isSuspended ? 'Suspended' : 'DryRun';
    told(reason === expected, `Rebalance ${rebalance.metadata.name} says ${expected}, not ${String(reason)}`);
  }
  const { status } = await readReadme(stage);
  told(recordAt(status)['desiredValue'] === 16, "the README's example wants 16");
  told(weightOf(stage, 'aws') === 8, 'DNS still says 8');
  sayRecord(stage, say, before);
  say('   $ kubectl delete rebalance (all but readme)');
  for (const rebalance of rebalances.filter(({ metadata }) => metadata.name !== README.name)) {
    await cluster.kubectl.remove(await read(stage, rebalance));
  }
  await cluster.metacontroller.settle();
}

async function tellWrite(stage: Stage, say: Say): Promise<void> {
  const { cluster } = stage;
  const before = recordLine(stage);
  const readme = await readReadme(stage);
  say('   $ kubectl patch rebalance readme --type merge -p \'{"spec":{"dryRun":false}}\'');
  await cluster.apply({ ...readme, spec: { ...recordAt(readme, 'spec'), dryRun: false } });
  await cluster.metacontroller.settle();
  sayRecord(stage, say, before);
  told(weightOf(stage, 'aws') === 16, 'the record has weight 16');
  say('   A minute later, with the same load:');
  await cluster.pass(MINUTE_MS);
  told(stage.route53.count('ChangeResourceRecordSets') === 1, 'a weight that is right is not written again');
}

async function tellOutage(stage: Stage, say: Say): Promise<void> {
  const { cluster } = stage;
  const before = recordLine(stage);
  await stage.setLoad(undefined);
  await cluster.pass(MINUTE_MS);
  sayRecord(stage, say, before);
  const away = conditionOf((await readReadme(stage))['status'], 'MetricAvailable');
  told(away['status'] === 'False', 'the metric is said to be away');
  told(weightOf(stage, 'aws') === 16, 'the weight is held');
  say('   Prometheus is back:');
  await stage.setLoad(3000);
  await cluster.pass(MINUTE_MS);
  const back = conditionOf((await readReadme(stage))['status'], 'MetricAvailable');
  told(back['status'] === 'True', 'the metric is back');
  told(weightOf(stage, 'aws') === 16, 'the weight is what it was');
}

async function tellNoLoad(stage: Stage, say: Say): Promise<void> {
  const before = recordLine(stage);
  await stage.setLoad(0);
  await stage.cluster.pass(MINUTE_MS);
  sayRecord(stage, say, before);
  told(weightOf(stage, 'aws') === 0, 'the weight is 0');
  told(stage.route53.count('ChangeResourceRecordSets') === 2, 'two changes in all');
}

async function read(
  { cluster }: Stage,
  { apiVersion, kind, metadata }: ObservedObject,
): Promise<ObservedObject> {
  const object = await cluster.kubectl.get({ apiVersion, kind }, 'default', metadata.name);
  if (!object.ok) throw new Error(`not as told: ${kind} ${metadata.name} is gone`);
  return object.value;
}

function readReadme(stage: Stage): Promise<ObservedObject> {
  const { apiVersion, kind, name } = README;
  return read(stage, { apiVersion, kind, metadata: { name } });
}

function conditionOf(status: unknown, type: string): JsonRecord {
  return recordAt(listAt(status, 'conditions').find((condition) => recordAt(condition)['type'] === type));
}

function weightOf({ route53 }: Stage, identifier: string): number | undefined {
  return route53.record(ZONE, 'example.com', 'A', identifier)?.Weight;
}

function recordLine(stage: Stage): string {
  return `onprem ${weightOf(stage, 'onprem') ?? '-'}, aws ${weightOf(stage, 'aws') ?? '-'}`;
}

function sayRecord(stage: Stage, say: Say, before: string): void {
  say(`   Route 53  example.com A   ${before}   ->   ${recordLine(stage)}`);
}
