import type { RunningProcess } from '../../support/process.ts';
import { startRelay, type Relay } from '../../support/relay.ts';
import { hookPorts, startHook, type HookName, type HookOptions, type HookProgram } from './manifests.ts';
import type { HookAddress } from './beside.ts';

/** Both hooks, running beside a cluster. */
export interface Hooks {
  /** Between Metacontroller and the hooks: what it has posted. */
  readonly relays: Readonly<Record<HookName, Relay>>;
  /** Where a hook itself listens, for what somebody else posts. */
  urlOf(hook: HookName): string;
  /** Kills a hook (SIGKILL) and starts it again on its port. */
  restartHook(hook: HookName): Promise<void>;
  stop(): Promise<void>;
}

/** Flags and environment of each hook, after the manifest's own. */
export type OptionsOfHooks = Readonly<Partial<Record<HookName, Omit<HookOptions, 'port'>>>>;

export interface HooksSetup {
  /** Where Metacontroller is to find them. */
  readonly address: HookAddress;
  /** For their logs. */
  readonly directory: string;
  readonly programOf: (hook: HookName) => Promise<HookProgram>;
  readonly options?: OptionsOfHooks;
}

export async function startHooks({ address, directory, programOf, options }: HooksSetup): Promise<Hooks> {
  const listening = await hookPorts();
  const urlOf = (hook: HookName): string => `http://127.0.0.1:${listening[hook]}`;
  const relayOf = (hook: HookName): Promise<Relay> =>
    startRelay(urlOf(hook), { port: address.ports[hook], host: address.host });
  const relays = { balancer: await relayOf('balancer'), rebalance: await relayOf('rebalance') };
  const start = async (hook: HookName): Promise<RunningProcess> =>
    startHook(directory, hook, await programOf(hook), { port: listening[hook], ...options?.[hook] });
  const hooks = new Map<HookName, RunningProcess>();
  const stop = async (): Promise<void> => {
    for (const part of [...hooks.values(), ...Object.values(relays)]) await part.stop();
  };
  try {
    for (const hook of ['balancer', 'rebalance'] as const) hooks.set(hook, await start(hook));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    relays,
    urlOf,
    restartHook: async (hook) => {
      await hooks.get(hook)?.stop({ signal: 'SIGKILL' });
      hooks.set(hook, await start(hook));
    },
    stop,
  };
}
