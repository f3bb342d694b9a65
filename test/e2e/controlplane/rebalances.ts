import type { RebalanceStatus } from '../../../src/rebalance/status.ts';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import type { Cluster } from './cluster.ts';
import { applyObject, readPath } from './objects.ts';

const SETTLE = { deadlineMs: 60_000, everyMs: 200 };

export interface StoredRebalance {
  readonly metadata: { readonly name: string; readonly uid: string; readonly generation: number };
  readonly status?: RebalanceStatus;
}

/** The Rebalances of one namespace, as a user and a scenario handle them. */
export interface Rebalances {
  apply(name: string, spec: object): Promise<void>;
  read(name: string): Promise<StoredRebalance>;
  /** Waits until the spec that stands now was attempted and its status is as `holds` wants it. */
  until(name: string, what: string, holds: (status: RebalanceStatus) => boolean): Promise<StoredRebalance>;
}

export function rebalancesIn(plane: Cluster, namespace: string): Rebalances {
  const read = async (name: string): Promise<StoredRebalance> =>
    readPath(plane, `/apis/rebalancer.ch1aki.github.io/v1/namespaces/${namespace}/rebalances/${name}`);
  return {
    apply: async (name, spec) => {
      await applyObject(plane, {
        apiVersion: 'rebalancer.ch1aki.github.io/v1',
        kind: 'Rebalance',
        metadata: { name, namespace },
        spec,
      });
    },
    read,
    until: async (name, what, holds) =>
      waitFor(`${what} in the status of Rebalance ${name}`, SETTLE, async () => {
        const found = await read(name);
        const { status } = found;
        if (status === undefined) return notYet('no status');
        const isCurrent = status.decision?.generation === found.metadata.generation;
        return isCurrent && holds(status) ? arrived(found) : notYet(JSON.stringify(status));
      }),
  };
}
