import type { RunningProcess } from '../../support/process.ts';
import { startRelay, type Relay } from '../../support/relay.ts';
import type { ControlPlane } from './control-plane.ts';
import type { Driver } from './drivers.ts';
import {
  applyOverlay,
  hookPorts,
  startHook,
  type HookName,
  type HookOptions,
  type HookPorts,
} from './manifests.ts';
import { installMetacontrollerCrds } from './metacontroller.ts';

/** Parents -> Metacontroller -> hooks -> children, over the API server, as the overlay installs it. */
export interface Chain {
  /** Where Metacontroller finds the hooks, beside the cluster. */
  readonly ports: HookPorts;
  /** Between Metacontroller and the hooks: what it has posted. */
  readonly relays: Readonly<Record<HookName, Relay>>;
  /** Where a hook itself listens, for what somebody else posts. */
  urlOf(hook: HookName): string;
  /** Kills a hook (SIGKILL) and starts it again on its port. */
  restartHook(hook: HookName): Promise<void>;
  /** Ends what drives the hooks, and lets another go on with the same parents. */
  drive(driver: Driver): Promise<void>;
  stop(): Promise<void>;
}

export interface ChainOptions {
  /** Where Metacontroller is to find the hooks. */
  readonly ports: HookPorts;
  readonly overlay: 'production' | 'no-cert-manager';
  readonly driver: Driver;
  /** Flags and environment of one hook, after the manifest's own. */
  readonly hookOptions?: Readonly<Partial<Record<HookName, Omit<HookOptions, 'port'>>>>;
}

/** Applies the overlay and starts both hooks and Metacontroller; the CRDs of the parents must be there. */
export async function startChain(plane: ControlPlane, options: ChainOptions): Promise<Chain> {
  const { ports } = options;
  await installMetacontrollerCrds(plane);
  await applyOverlay(plane, options.overlay, ports);
  const listening = await hookPorts();
  const urlOf = (hook: HookName): string => `http://127.0.0.1:${listening[hook]}`;
  const relays = {
    balancer: await startRelay(urlOf('balancer'), ports.balancer),
    rebalance: await startRelay(urlOf('rebalance'), ports.rebalance),
  };
  const start = async (hook: HookName): Promise<RunningProcess> =>
    startHook(plane, hook, { port: listening[hook], ...options.hookOptions?.[hook] });
  const hooks = new Map<HookName, RunningProcess>();
  let driving: { readonly driver: Driver; stop(): Promise<void> } | undefined;
  const drive = async (driver: Driver): Promise<void> => {
    if (driving?.driver.id === driver.id) return;
    await driving?.stop();
    driving = undefined;
    driving = { driver, ...(await driver.start(plane)) };
  };
  const stop = async (): Promise<void> => {
    await driving?.stop();
    for (const part of [...hooks.values(), ...Object.values(relays)]) await part.stop();
  };
  try {
    for (const hook of ['balancer', 'rebalance'] as const) hooks.set(hook, await start(hook));
    await drive(options.driver);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ports,
    relays,
    urlOf,
    restartHook: async (hook) => {
      await hooks.get(hook)?.stop({ signal: 'SIGKILL' });
      hooks.set(hook, await start(hook));
    },
    drive,
    stop,
  };
}
