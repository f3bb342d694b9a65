import assert from 'node:assert/strict';
import type { V1Deployment, V1Pod, V1PodList } from '@kubernetes/client-node';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import { balancersIn, type Condition } from './balancers.ts';
import type { Chain } from './chain.ts';
import type { ControlPlane } from './control-plane.ts';
import { applyOverlay } from './manifests.ts';
import { applyObject, readPath } from './objects.ts';
import { runFromRunbook } from './runbook.ts';

const SETTLE = { deadlineMs: 90_000, everyMs: 250 };

/** With a Certificate, so that all kinds of children change hands. */
export const SERVED_SPEC = {
  balancerdImageRef: 'materialize/balancerd:v1',
  staticRouting: { environmentdNamespace: 'materialize', environmentdServiceName: 'environmentd' },
  externalCertificateSpec: { issuerRef: { name: 'ca' } },
};

/** Names, uids and start times of a Balancer's running pods: the same before and after, no pod was restarted. */
export type Pods = readonly (readonly [string, string, string])[];

/** Selectors that older orchestratords gave their Deployments. */
const OLD_SELECTORS = {
  two: ['materialize.cloud/name', 'app'],
  four: [
    'materialize.cloud/organization-name',
    'materialize.cloud/organization-namespace',
    'materialize.cloud/mz-resource-id',
    'materialize.cloud/app',
  ],
} as const;

/** What orchestratord and our controller do to the Balancers of one namespace, the one after the other. */
export interface Swap {
  podsOf(name: string): Promise<Pods>;
  /** Has our controller serve Balancers, all at once, until they are Ready and rolled out. */
  serve(...names: readonly string[]): Promise<void>;
  /** Takes our controller away, by the runbook. */
  controllerOff(): Promise<void>;
  controllerOn(): Promise<void>;
  /** Leaves a Balancer's children as orchestratord makes them, by the runbook. */
  handBack(name: string): Promise<void>;
  /** Waits until ours has its children again, by the runbook. */
  takenOver(name: string): Promise<void>;
  /** Puts a Deployment with an older selector in the place of ours, owned as orchestratord owns it. */
  serveOld(
    name: string,
    selector: keyof typeof OLD_SELECTORS,
    labels: 'all' | 'of the selector',
  ): Promise<void>;
  untilMigrated(name: string): Promise<V1Deployment>;
}

export function swapIn(plane: ControlPlane, chain: Chain, namespace: string): Swap {
  const balancers = balancersIn(plane, namespace);
  const serve = async (name: string): Promise<void> => {
    await balancers.apply(name, SERVED_SPEC);
    await balancers.until(name, 'Ready', 'True');
    await balancers.until(name, 'ChildrenObserved', 'True');
    await balancers.untilRolledOut(name, 'all of it', () => true);
  };
  return {
    podsOf: async (name) => podsOf(plane, namespace, name),
    serve: async (...names) => {
      await Promise.all(names.map(serve));
    },
    controllerOff: async () => {
      await runFromRunbook(plane, 'hand-back-controller', {});
      await waitFor('the controller to be gone', SETTLE, async () => {
        const left = await plane.kubectl(['get', 'compositecontrollers', '-o', 'name']);
        return left.includes('counterpoise-balancer') ? notYet(left) : arrived(undefined);
      });
    },
    controllerOn: async () => applyOverlay(plane, 'production', chain.ports),
    handBack: async (name) => {
      await runFromRunbook(plane, 'hand-back', { NAMESPACE: namespace, BALANCER: name });
    },
    takenOver: async (name) => {
      await runFromRunbook(plane, 'take-over', { NAMESPACE: namespace, BALANCER: name });
    },
    serveOld: async (name, selector, labels) => {
      const ours = await balancers.deployment(name);
      const deployment = ours.metadata?.name ?? '';
      await plane.kubectl(['delete', 'deployment', deployment, '-n', namespace, '--cascade=foreground']);
      await applyObject(plane, olderThan(ours, OLD_SELECTORS[selector], labels));
      await balancers.untilRolledOut(name, 'the old Deployment', () => true);
    },
    untilMigrated: async (name) =>
      waitFor(`Balancer ${name} to be migrated`, SETTLE, async () => {
        const deployment = await balancers.deployment(name);
        const conditions = await conditionsOf(plane, namespace, name);
        const labels = Object.keys(deployment.spec?.selector.matchLabels ?? {});
        const isDone = conditions.every(({ type }) => type !== 'Migrating');
        return labels.length === 6 && isDone ? arrived(deployment) : notYet(JSON.stringify(conditions));
      }),
  };
}

/** Whatever generation they are about. */
export async function conditionsOf(
  plane: ControlPlane,
  namespace: string,
  name: string,
): Promise<readonly Condition[]> {
  const path = `/apis/materialize.cloud/v1alpha1/namespaces/${namespace}/balancers/${name}`;
  const balancer = await readPath<{ readonly status?: { readonly conditions?: readonly Condition[] } }>(
    plane,
    path,
  );
  return balancer.status?.conditions ?? [];
}

async function podsOf(plane: ControlPlane, namespace: string, name: string): Promise<Pods> {
  const labelled = `labelSelector=materialize.cloud/organization-name=${name}`;
  const { items } = await readPath<V1PodList>(plane, `/api/v1/namespaces/${namespace}/pods?${labelled}`);
  return items
    .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
    .map(({ metadata, status }: V1Pod): Pods[number] => [
      metadata?.name ?? '',
      metadata?.uid ?? '',
      JSON.stringify(status?.startTime ?? ''),
    ])
    .sort();
}

/** A Deployment of ours as an older orchestratord had made it. */
function olderThan(
  { metadata, spec }: V1Deployment,
  selector: readonly string[],
  labelled: 'all' | 'of the selector',
): object {
  assert.ok(metadata !== undefined && spec !== undefined);
  const { name, namespace, labels, ownerReferences } = metadata;
  const { replicas, strategy, template } = spec;
  const podLabels = template.metadata?.labels ?? {};
  const select = (wanted: readonly string[]): object =>
    Object.fromEntries(Object.entries(podLabels).filter(([key]) => wanted.includes(key)));
  const kept = labelled === 'all' ? podLabels : select([...selector, 'materialize.cloud/name']);
  const annotations = template.metadata?.annotations;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels, ownerReferences },
    spec: {
      replicas,
      strategy,
      selector: { matchLabels: select(selector) },
      template: { metadata: { annotations, labels: kept }, spec: template.spec },
    },
  };
}
