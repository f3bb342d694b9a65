import { join } from 'node:path';
import { freePorts } from '../../support/ports.ts';
import { startReady, type RunningProcess } from '../../support/process.ts';
import { answersOk } from '../../support/wait.ts';
import type { ControlPlane } from './control-plane.ts';
import { installCrds } from './crds.ts';
import { serviceAccountKubeconfig, type ServiceAccountRef } from './service-account.ts';

/** CompositeController and its siblings, for a real Metacontroller or for our double over the real API. */
export async function installMetacontrollerCrds(plane: ControlPlane): Promise<void> {
  const own = join(import.meta.dirname, 'metacontroller-crds.yaml');
  await installCrds(plane, ['-f', process.env['METACONTROLLER_CRDS'] ?? own]);
}

/** Path of a real Metacontroller (v4.17.2 or later), if the environment names one; set to nothing names none. */
export function metacontrollerBinary(): string | undefined {
  const named = process.env['METACONTROLLER_BIN'];
  return named === '' ? undefined : named;
}

/** Its ServiceAccount, which has our kinds by the shipped role alone (metacontroller-rbac.yaml). */
export async function metacontrollerAccount(plane: ControlPlane): Promise<ServiceAccountRef> {
  await plane.kubectl(['apply', '-f', join(import.meta.dirname, 'metacontroller-rbac.yaml')]);
  return { namespace: 'metacontroller', name: 'metacontroller' };
}

/**
 * Runs a real Metacontroller outside the cluster, under its ServiceAccount. Its CRDs must be there. Both of its listeners
 * are told a loopback port; workers and requests a second are raised as the production overlay advises.
 */
export async function startMetacontroller(plane: ControlPlane, binary: string): Promise<RunningProcess> {
  const account = await metacontrollerAccount(plane);
  const [health = 0, metrics = 0] = await freePorts(2);
  return startReady(
    {
      name: 'metacontroller',
      command: binary,
      args: [
        `--kubeconfig=${await serviceAccountKubeconfig(plane, account)}`,
        `--health-probe-bind-address=127.0.0.1:${health}`,
        `--metrics-address=127.0.0.1:${metrics}`,
        '--client-go-qps=100',
        '--client-go-burst=200',
        '--workers=200',
        '--discovery-interval=5s',
        '--zap-log-level=4',
      ],
      env: { HOME: plane.directory },
    },
    join(plane.directory, 'metacontroller.log'),
    60_000,
    () => answersOk(`http://127.0.0.1:${health}/readyz`),
  );
}
