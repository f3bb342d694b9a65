import { rmSync } from 'node:fs';
import { hasPassed } from '../../support/suite.ts';
import { RUN_LABEL } from './beside.ts';
import { startChain, startChainBeside, type DrivenChain } from './chain.ts';
import { connectTo, type Cluster } from './cluster.ts';
import { startControlPlane, type ControlPlane } from './control-plane.ts';
import { installCertManagerCrds, installOwnCrds } from './crds.ts';
import type { ClusterDriver, Driver } from './drivers.ts';
import { hookPorts, type HookPorts } from './manifests.ts';
import { startWorld, type World } from './world.ts';

const COLD_BUILD_MS = 30 * 60_000;

let plane: Promise<ControlPlane> | undefined;
let ports: Promise<HookPorts> | undefined;
let world: Promise<World<DrivenChain>> | undefined;
let joined: Promise<OnCluster> | undefined;

/**
 * The one control plane of a mocha run, with our CRDs and cert-manager's: started by the first suite that asks, from its
 * `before`, and stopped after the last. Suites keep apart by namespaces of their own.
 */
export async function sharedControlPlane(suite: Mocha.Context): Promise<ControlPlane> {
  suite.timeout(COLD_BUILD_MS);
  plane ??= startShared();
  return plane;
}

/** Where the webhooks of the shared control plane point to: there is one overlay in it. */
export async function sharedHookPorts(): Promise<HookPorts> {
  ports ??= hookPorts();
  return ports;
}

type OnCluster = World & { readonly plane: Cluster };
type OnPlane = World & { readonly plane: ControlPlane };

/** The one world around it; what drives the hooks changes hands with the suites. Or the world beside a cluster that exists. */
export async function sharedWorld(suite: Mocha.Context, driver: Driver): Promise<OnPlane>;
export async function sharedWorld(suite: Mocha.Context, driver: Driver | ClusterDriver): Promise<OnCluster>;
export async function sharedWorld(suite: Mocha.Context, driver: Driver | ClusterDriver): Promise<OnCluster> {
  if (driver.kind === 'cluster') {
    suite.timeout(COLD_BUILD_MS);
    joined ??= joinCluster(driver);
    return joined;
  }
  const around = await sharedControlPlane(suite);
  world ??= sharedHookPorts().then((ports) =>
    startWorld({
      directory: around.directory,
      log: say,
      startChain: (hookOptions) => startChain(around, { overlay: 'production', ports, driver, hookOptions }),
    }),
  );
  const started = await world;
  await started.chain.drive(driver);
  return { ...started, plane: around };
}

async function joinCluster({ id, kubeconfig }: ClusterDriver): Promise<OnCluster> {
  const cluster = await connectTo(kubeconfig, { [RUN_LABEL]: id }, say);
  const started = await startWorld({
    directory: cluster.directory,
    log: say,
    startChain: (hookOptions) => startChainBeside(cluster, hookOptions),
  });
  return { ...started, plane: cluster };
}

async function startShared(): Promise<ControlPlane> {
  const started = await startControlPlane({ log: say });
  await installOwnCrds(started);
  await installCertManagerCrds(started);
  return started;
}

after(async function () {
  const keep = !hasPassed(this.test?.parent);
  const beside = await joined?.catch(() => undefined); // its suite has told why
  await beside?.stop();
  if (beside !== undefined && !keep) rmSync(beside.plane.directory, { recursive: true });
  await (await world?.catch(() => undefined))?.stop();
  const started = await plane?.catch(() => undefined);
  await started?.stop({ keep });
  const directories = [beside?.plane.directory, started?.directory].filter((path) => path !== undefined);
  if (keep && directories.length > 0) say(`logs are kept in ${directories.join(' and ')}`);
});

function say(line: string): void {
  process.stderr.write(`    ${line}\n`);
}
