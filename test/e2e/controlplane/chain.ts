import { installBeside } from './beside.ts';
import type { Cluster } from './cluster.ts';
import type { ControlPlane } from './control-plane.ts';
import type { Driver } from './drivers.ts';
import { startHooks, type Hooks, type OptionsOfHooks } from './hooks.ts';
import { appliedHook, applyOverlay, hookPorts, type HookPorts } from './manifests.ts';
import { installMetacontrollerCrds } from './metacontroller.ts';

/** Parents -> Metacontroller -> hooks -> children, over the API server, as the overlay installs it. */
export interface Chain extends Hooks {
  /** Where Metacontroller finds the hooks, beside the cluster. */
  readonly ports: HookPorts;
}

export interface DrivenChain extends Chain {
  /** Ends what drives the hooks, and lets another go on with the same parents. */
  drive(driver: Driver): Promise<void>;
}

export interface ChainOptions {
  /** Where Metacontroller is to find the hooks. */
  readonly ports: HookPorts;
  readonly overlay: 'production' | 'no-cert-manager';
  readonly driver: Driver;
  readonly hookOptions?: OptionsOfHooks;
}

const LOOPBACK = '127.0.0.1';

/** Applies the overlay and starts both hooks and Metacontroller; the CRDs of the parents must be there. */
export async function startChain(plane: ControlPlane, options: ChainOptions): Promise<DrivenChain> {
  const { ports, overlay, driver, hookOptions = {} } = options;
  await installMetacontrollerCrds(plane);
  await applyOverlay(plane, overlay, ports);
  const hooks = await startHooks({
    address: { host: LOOPBACK, ports },
    directory: plane.directory,
    programOf: (hook) => appliedHook(plane, hook),
    options: hookOptions,
  });
  let driving: { readonly driver: Driver; stop(): Promise<void> } | undefined;
  const drive = async (next: Driver): Promise<void> => {
    if (driving?.driver.id === next.id) return;
    await driving?.stop();
    driving = undefined;
    driving = { driver: next, ...(await next.start(plane)) };
  };
  const stop = async (): Promise<void> => {
    await driving?.stop();
    await hooks.stop();
  };
  try {
    await drive(driver);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...hooks, ports, drive, stop };
}

/**
 * The same on a cluster that has its own Metacontroller, which must reach E2E_HOOK_HOST: an address of this machine, the
 * loopback one where nothing else is said. The hooks act as the kubeconfig's user. `stop` removes all that was put there.
 */
export async function startChainBeside(cluster: Cluster, options: OptionsOfHooks): Promise<Chain> {
  const address = { host: process.env['E2E_HOOK_HOST'] ?? LOOPBACK, ports: await hookPorts() };
  const beside = await installBeside(cluster, address);
  try {
    const hooks = await startHooks({
      address,
      directory: cluster.directory,
      programOf: (hook) => Promise.resolve(beside.programOf(hook)),
      options,
    });
    const stop = async (): Promise<void> => {
      await beside.remove();
      await hooks.stop();
    };
    return { ...hooks, ports: address.ports, stop };
  } catch (error) {
    await beside.remove();
    throw error;
  }
}
