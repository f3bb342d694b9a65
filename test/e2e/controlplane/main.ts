import { once } from 'node:events';
import { startControlPlane } from './control-plane.ts';
import { installCertManagerCrds, installOwnCrds } from './crds.ts';

const print = (line: string): boolean => process.stderr.write(`${line}\n`);

/** `npm run controlplane`: a Kubernetes with our CRDs and cert-manager's, until Ctrl-C. */
async function main(): Promise<void> {
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const plane = await startControlPlane({ log: print });
  try {
    await installOwnCrds(plane);
    await installCertManagerCrds(plane);
    print(`ready; logs are in ${plane.directory}. Ctrl-C ends it and removes everything. In another shell:`);
    process.stdout.write(`export KUBECONFIG=${plane.kubeconfig}\n`);
    await interrupted;
  } finally {
    await plane.stop();
  }
}

await main();
