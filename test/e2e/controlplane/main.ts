import { createZone } from '../zone.ts';
import { startControlPlane, type ControlPlane } from './control-plane.ts';
import { installCertManagerCrds, installOwnCrds } from './crds.ts';
import { bestDriver } from './drivers.ts';
import { hookPorts } from './manifests.ts';
import { startWorld } from './world.ts';

const print = (line: string): boolean => process.stderr.write(`${line}\n`);

/**
 * `npm run controlplane`: a Kubernetes with our CRDs and cert-manager's, until Ctrl-C. With METACONTROLLER_BIN also the
 * hooks as the production overlay installs them, Prometheus, and a Route 53 with a zone.
 */
async function main(): Promise<void> {
  const interrupted = firstSignal();
  const plane = await startControlPlane({ log: print });
  try {
    await installOwnCrds(plane);
    await installCertManagerCrds(plane);
    const stop = await startAround(plane);
    try {
      print(`Ready. Logs are in ${plane.directory}; Ctrl-C ends and removes everything. In another shell:`);
      process.stdout.write(`export KUBECONFIG=${plane.kubeconfig}\n`);
      await interrupted;
    } finally {
      await stop();
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

async function startAround(plane: ControlPlane): Promise<() => Promise<void>> {
  const world = await startWorld(plane, { ports: await hookPorts(), driver: bestDriver(), log: print });
  world.exporter.show({ name: 'requests_per_second', value: '3000' });
  const zone = await createZone(world.moto.url, 'example.com');
  const record = { Name: 'example.com', Type: 'A', TTL: 60 } as const;
  await zone.put(
    { ...record, SetIdentifier: 'onprem', Weight: 8, ResourceRecords: [{ Value: '192.0.2.1' }] },
    { ...record, SetIdentifier: 'aws', Weight: 1, ResourceRecords: [{ Value: '192.0.2.2' }] },
  );
  print(`Prometheus ${world.prometheus.url} knows requests_per_second 3000`);
  print(`Route 53   ${world.moto.url} has example.com A, onprem 8 and aws 1, in the zone ${zone.id}`);
  return async () => world.stop();
}

await main();
