import { hasPassed } from '../../support/suite.ts';
import { startControlPlane, type ControlPlane } from './control-plane.ts';
import { installCertManagerCrds, installOwnCrds } from './crds.ts';
import type { Driver } from './drivers.ts';
import { hookPorts, type HookPorts } from './manifests.ts';
import { startWorld, type World } from './world.ts';

const COLD_BUILD_MS = 30 * 60_000;

let plane: Promise<ControlPlane> | undefined;
let ports: Promise<HookPorts> | undefined;
let world: Promise<World> | undefined;

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

/** The one world around it; what drives the hooks changes hands with the suites. */
export async function sharedWorld(
  suite: Mocha.Context,
  driver: Driver,
): Promise<World & { readonly plane: ControlPlane }> {
  const around = await sharedControlPlane(suite);
  world ??= sharedHookPorts().then(async (ports) => startWorld(around, { ports, driver, log: say }));
  const started = await world;
  await started.chain.drive(driver);
  return { ...started, plane: around };
}

async function startShared(): Promise<ControlPlane> {
  const started = await startControlPlane({ log: say });
  await installOwnCrds(started);
  await installCertManagerCrds(started);
  return started;
}

after(async function () {
  await (await world)?.stop();
  const started = await plane;
  const keep = !hasPassed(this.test?.parent);
  await started?.stop({ keep });
  if (started !== undefined && keep) say(`logs are kept in ${started.directory}`);
});

function say(line: string): void {
  process.stderr.write(`    ${line}\n`);
}
