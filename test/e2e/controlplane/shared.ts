import { startControlPlane, type ControlPlane } from './control-plane.ts';
import { installCertManagerCrds, installOwnCrds } from './crds.ts';

const COLD_BUILD_MS = 30 * 60_000;

let started: Promise<ControlPlane> | undefined;
let failures = 0;

/**
 * The one control plane of a mocha run, with our CRDs and cert-manager's: started by the first suite that asks, from its
 * `before`, and stopped after the last. Suites keep apart by namespaces of their own.
 */
export async function sharedControlPlane(suite: Mocha.Context): Promise<ControlPlane> {
  suite.timeout(COLD_BUILD_MS);
  started ??= startShared();
  return started;
}

async function startShared(): Promise<ControlPlane> {
  const plane = await startControlPlane({ log: say });
  await installOwnCrds(plane);
  await installCertManagerCrds(plane);
  return plane;
}

afterEach(function () {
  if (this.currentTest?.isFailed() === true) failures += 1;
});

after(async () => {
  const plane = await started;
  await plane?.stop({ keep: failures > 0 });
  if (plane !== undefined && failures > 0) say(`logs are kept in ${plane.directory}`);
});

function say(line: string): void {
  process.stderr.write(`    ${line}\n`);
}
