import type { RunningProcess } from '../../support/process.ts';
import type { ControlPlane } from './control-plane.ts';
import { applyOverlay, startHook, type HookName, type HookOptions, type HookPorts } from './manifests.ts';
import { installMetacontrollerCrds, startMetacontroller } from './metacontroller.ts';

/** Parents -> Metacontroller -> hooks -> children, over the API server, as the overlay installs it. */
export interface Chain {
  /** Where the hooks listen, beside the cluster. */
  readonly ports: HookPorts;
  /** Kills a hook (SIGKILL) and starts it again on its port. */
  restartHook(hook: HookName): Promise<void>;
  stop(): Promise<void>;
}

export interface ChainOptions {
  /** Where the hooks are to listen. */
  readonly ports: HookPorts;
  readonly overlay: 'production' | 'no-cert-manager';
  /** Path of the Metacontroller to run. */
  readonly metacontroller: string;
  /** Flags and environment of one hook, after the manifest's own. */
  readonly hookOptions?: Readonly<Partial<Record<HookName, Omit<HookOptions, 'port'>>>>;
}

/** Applies the overlay and starts both hooks and Metacontroller; the CRDs of the parents must be there. */
export async function startChain(plane: ControlPlane, options: ChainOptions): Promise<Chain> {
  const { ports } = options;
  await installMetacontrollerCrds(plane);
  await applyOverlay(plane, options.overlay, ports);
  const start = async (hook: HookName): Promise<RunningProcess> =>
    startHook(plane, hook, { port: ports[hook], ...options.hookOptions?.[hook] });
  const parts = new Map<string, RunningProcess>();
  const stop = async (): Promise<void> => {
    for (const part of parts.values()) await part.stop();
  };
  try {
    for (const hook of ['balancer', 'rebalance'] as const) parts.set(hook, await start(hook));
    parts.set('metacontroller', await startMetacontroller(plane, options.metacontroller));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ports,
    restartHook: async (hook) => {
      await parts.get(hook)?.stop({ signal: 'SIGKILL' });
      parts.set(hook, await start(hook));
    },
    stop,
  };
}
