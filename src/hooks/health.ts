import type { Deps } from './deps.ts';

/** Why the process should get no traffic, in one line; undefined while it should. */
export function notReadyBecause(
  deps: Pick<Deps, 'settings' | 'kubernetes'>,
  isDraining: boolean,
): string | undefined {
  const { hooks, rebalance } = deps.settings;
  if (isDraining) return 'stopping';
  if (hooks.has('rebalance') && rebalance.verifyParent && deps.kubernetes === undefined) {
    return 'the Rebalance hook has no Kubernetes API: set --kubeconfig, run in a cluster, or believe posted bodies with --verify-parent=false';
  }
  return undefined;
}
