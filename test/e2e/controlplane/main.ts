import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createZone } from '../zone.ts';
import { startChain } from './chain.ts';
import { startControlPlane, type ControlPlane } from './control-plane.ts';
import { installCertManagerCrds, installOwnCrds } from './crds.ts';
import { bestDriver } from './drivers.ts';
import { hookPorts } from './manifests.ts';
import { startWorld, type World } from './world.ts';

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

const QUERY = 'requests_per_second';
const FIRST_LOAD = '3000';

/**
 * `make start`: a Kubernetes with our CRDs and cert-manager's, the hooks as the production overlay installs them,
 * Metacontroller, Prometheus, and a Route 53 with a zone; until Ctrl-C, which leaves nothing.
 */
async function main(): Promise<void> {
  const interrupted = firstSignal();
  const plane = await startControlPlane({ log: say });
  try {
    await installOwnCrds(plane);
    await installCertManagerCrds(plane);
    const driver = bestDriver();
    const world = await startWorld({
      directory: plane.directory,
      log: say,
      startChain: async (hookOptions) =>
        startChain(plane, { overlay: 'production', ports: await hookPorts(), driver, hookOptions }),
    });
    try {
      const scene = await setScene(plane, world);
      for (const line of welcome(plane, world, scene)) say(line);
      say(`Driven by ${driver.name}; logs are in ${plane.directory}.`);
      const input = createInterface({ input: process.stdin }).on('line', (line) => {
        if (line.trim() !== '') world.exporter.show({ name: QUERY, value: line.trim() });
      });
      await interrupted;
      input.close();
    } finally {
      await world.stop();
    }
  } finally {
    await plane.stop();
  }
}

/** Listens on after the first: a Ctrl-C comes twice, from the terminal and through npm, and the second must not cut the end. */
async function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
}

interface Scene {
  readonly zoneId: string;
  /** File of the Rebalance. */
  readonly rebalance: string;
}

/** A load, two weighted records, and a Rebalance that ties them. */
async function setScene(plane: ControlPlane, { exporter, moto, prometheus }: World): Promise<Scene> {
  exporter.show({ name: QUERY, value: FIRST_LOAD });
  const zone = await createZone(moto.url, 'example.com');
  const record = { Name: 'example.com', Type: 'A', TTL: 60 } as const;
  await zone.put(
    { ...record, SetIdentifier: 'onprem', Weight: 8, ResourceRecords: [{ Value: '192.0.2.1' }] },
    { ...record, SetIdentifier: 'aws', Weight: 1, ResourceRecords: [{ Value: '192.0.2.2' }] },
  );
  const rebalance = {
    apiVersion: 'rebalancer.ch1aki.github.io/v1',
    kind: 'Rebalance',
    metadata: { name: 'aws', namespace: 'default' },
    spec: {
      interval: '5s',
      policy: { targettracking: { targetValue: 1000, baseValue: 8 } },
      target: {
        route53: {
          hostedZoneID: zone.id,
          region: 'us-east-1',
          resource: { name: 'example.com', type: 'A', identifier: 'aws' },
        },
      },
      metrics: { prometheus: { address: prometheus.url, query: QUERY } },
    },
  };
  const file = join(plane.directory, 'rebalance.json');
  writeFileSync(file, JSON.stringify(rebalance, null, 2));
  return { zoneId: zone.id, rebalance: file };
}

function welcome(
  { kubeconfig, kubectlPath }: ControlPlane,
  { moto, prometheus }: World,
  { zoneId, rebalance }: Scene,
): readonly string[] {
  return [
    `\nPrometheus ${prometheus.url}, Route 53 ${moto.url}. In another terminal:\n`,
    `export KUBECONFIG=${kubeconfig}`,
    `alias kubectl=${kubectlPath}`,
    'kubectl apply -f metacontroller/samples/balancer.yaml',
    'kubectl get balancers,deployments,services,pods',
    `kubectl apply -f ${rebalance}`,
    'kubectl get rebalances --watch',
    'kubectl describe rebalance aws',
    // moto tells AWS' services apart by the signature.
    `curl -s --aws-sigv4 aws:amz:us-east-1:route53 -u any:any ${moto.url}/2013-04-01/hostedzone/${zoneId}/rrset`,
    `\nA number and Enter sets the load in requests/s (now ${FIRST_LOAD}); Ctrl-C ends and removes everything.`,
  ];
}

await main();
