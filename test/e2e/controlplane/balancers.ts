import type { V1Deployment } from '@kubernetes/client-node';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import type { Cluster } from './cluster.ts';
import { applyObject, readPath } from './objects.ts';

const SETTLE = { deadlineMs: 60_000, everyMs: 250 };

interface Balancer {
  readonly metadata: { readonly generation: number };
  readonly status?: {
    readonly resourceId: string;
    readonly observedGeneration: number;
    readonly conditions: readonly Condition[];
  };
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export interface Child {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
}

const CHILD_KINDS = [
  { kind: 'Deployment', group: 'apps/v1', resource: 'deployments' },
  { kind: 'Service', group: 'v1', resource: 'services' },
  { kind: 'Certificate', group: 'cert-manager.io/v1', resource: 'certificates' },
] as const;

/** The Balancers of one namespace, as a user and a scenario handle them. */
export interface Balancers {
  apply(name: string, spec: object): Promise<void>;
  /** The id in the names of its children. */
  resourceId(name: string): Promise<string>;
  /** Deployments, Services and Certificates that carry the Balancer's label. */
  children(name: string): Promise<readonly Child[]>;
  deployment(name: string): Promise<V1Deployment>;
  /** Waits until the spec that stands now is answered and the condition has the status. */
  until(name: string, type: string, status: string): Promise<Condition>;
  /** Waits until the children are as `holds` wants them. */
  untilChildren(name: string, what: string, holds: (kinds: readonly string[]) => boolean): Promise<void>;
  /** Waits until a Deployment of which `holds` is true is rolled out. */
  untilRolledOut(
    name: string,
    what: string,
    holds: (deployment: V1Deployment) => boolean,
  ): Promise<V1Deployment>;
}

export function balancersIn(plane: Cluster, namespace: string): Balancers {
  const at = (group: string, resource: string): string =>
    `/${group === 'v1' ? 'api' : 'apis'}/${group}/namespaces/${namespace}/${resource}`;
  const read = async (name: string): Promise<Balancer> =>
    readPath(plane, `${at('materialize.cloud/v1alpha1', 'balancers')}/${name}`);
  const resourceId = async (name: string): Promise<string> =>
    (await read(name)).status?.resourceId ?? 'without-an-id';
  const deployment = async (name: string): Promise<V1Deployment> =>
    readPath(plane, `${at('apps/v1', 'deployments')}/mz${await resourceId(name)}-balancerd`);
  const children = async (name: string): Promise<readonly Child[]> => {
    const labelled = `labelSelector=materialize.cloud/organization-name=${name}`;
    const found = CHILD_KINDS.map(async ({ kind, group, resource }) => {
      const { status, text } = await plane.call({ path: `${at(group, resource)}?${labelled}` });
      if (status === 404) return []; // without cert-manager
      if (status !== 200) throw new Error(`listing ${resource}: ${status} ${text}`);
      const { items } = JSON.parse(text) as { readonly items: readonly Child[] };
      return items.map((child) => ({ ...child, kind }));
    });
    return (await Promise.all(found)).flat();
  };
  return {
    apply: async (name, spec) => {
      const metadata = { name, namespace };
      await applyObject(plane, {
        apiVersion: 'materialize.cloud/v1alpha1',
        kind: 'Balancer',
        metadata,
        spec,
      });
    },
    resourceId,
    children,
    deployment,
    until: async (name, type, status) =>
      waitFor(`${type}=${status} of Balancer ${name}`, SETTLE, async () => {
        const balancer = await read(name);
        const condition = balancer.status?.conditions.find((candidate) => candidate.type === type);
        const isCurrent = balancer.status?.observedGeneration === balancer.metadata.generation;
        return isCurrent && condition?.status === status
          ? arrived(condition)
          : notYet(JSON.stringify(balancer.status ?? 'no status'));
      }),
    untilChildren: async (name, what, holds) =>
      waitFor(`${what} of Balancer ${name}`, SETTLE, async () => {
        const kinds = (await children(name)).map(({ kind }) => kind);
        return holds(kinds) ? arrived(undefined) : notYet(kinds.join() || 'no child');
      }),
    untilRolledOut: async (name, what, holds) =>
      waitFor(`${what} rolled out for Balancer ${name}`, SETTLE, async () => {
        const found = await deployment(name);
        return holds(found) && isRolledOut(found) ? arrived(found) : notYet(JSON.stringify(found.status));
      }),
  };
}

function isRolledOut({ metadata, status }: V1Deployment): boolean {
  const replicas = status?.replicas ?? 0;
  return (
    status?.observedGeneration === metadata?.generation &&
    replicas === (status?.updatedReplicas ?? 0) &&
    replicas === (status?.availableReplicas ?? 0)
  );
}
