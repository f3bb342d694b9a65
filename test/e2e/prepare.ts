import { installMoto } from './moto/moto.ts';
import { buildTools } from './tools/build.ts';

/**
 * Builds and installs everything that suites share and that their caches do not have, so that two that start together do
 * not both do it: 10 minutes on two cores when nothing is there, under a second when all is. `log` hears what takes long.
 */
export async function prepare(log: (line: string) => void): Promise<void> {
  await buildTools(
    ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl', 'kwok', 'prometheus'],
    { log },
  );
  await installMoto(log);
}
