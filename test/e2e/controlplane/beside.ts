import { join } from 'node:path';
import { listAt, recordAt } from '../../support/json.ts';
import { parseObjects, ROOT, type Manifest } from '../../support/kustomize.ts';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import type { Cluster } from './cluster.ts';
import {
  programOf,
  type HookContainer,
  type HookName,
  type HookPorts,
  type HookProgram,
} from './manifests.ts';

/** The label that tells a run's objects, whatever its value; what a run that was killed has left is found by it. */
export const RUN_LABEL = 'counterpoise-e2e';

const OUR_KINDS = [
  { crd: 'balancers.materialize.cloud', apiVersion: 'materialize.cloud/v1alpha1', resource: 'balancers' },
  {
    crd: 'rebalances.rebalancer.ch1aki.github.io',
    apiVersion: 'rebalancer.ch1aki.github.io/v1',
    resource: 'rebalances',
  },
] as const;

/** What a run has put into somebody's cluster. */
export interface Beside {
  /** A hook as its Deployment has it, which is not applied. */
  programOf(hook: HookName): HookProgram;
  /** Takes away what was put there, and everything that carries the run's label. */
  remove(): Promise<void>;
}

/** Where the cluster's Metacontroller finds the hooks. */
export interface HookAddress {
  readonly host: string;
  readonly ports: HookPorts;
}

/**
 * Installs our CompositeControllers beside whatever a cluster has: under names of this run, for parents with its labels
 * alone. CRDs that are there stay as they are; one that is not is created, and removed in the end. Throws, and has
 * changed nothing, where there is no Metacontroller or another controller serves our kinds.
 */
export async function installBeside(cluster: Cluster, { host, ports }: HookAddress): Promise<Beside> {
  await refuseForeign(cluster);
  const run = cluster.labels[RUN_LABEL] ?? '';
  const base = await renderBase(cluster);
  const created = await createMissingCrds(cluster);
  const items = base
    .filter(({ kind }) => kind === 'CompositeController')
    .map((controller) => {
      const hook = controller.metadata.name.replace('counterpoise-', '') as HookName;
      const url = `http://${host}:${ports[hook]}/${hook}/sync`;
      return forRun(controller, { name: `${controller.metadata.name}-${run}`, url, labels: cluster.labels });
    });
  await cluster.kubectl(['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  return {
    programOf: (hook) => programOf(containerOf(base, hook), cluster.kubeconfig),
    remove: async () => {
      for (const kind of ['compositecontrollers', 'namespaces']) {
        await cluster.kubectl(['delete', kind, '-l', `${RUN_LABEL}=${run}`]);
      }
      for (const crd of created) await cluster.kubectl(['delete', 'crd', crd]);
    },
  };
}

interface ControllerList {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec?: {
      readonly parentResource?: { readonly apiVersion?: string; readonly resource?: string };
    };
  }[];
}

/** Two controllers of one kind would write each other's status; even with selectors that keep them apart, ours is not to judge. */
async function refuseForeign(cluster: Cluster): Promise<void> {
  const { status, text } = await cluster.call({
    path: '/apis/metacontroller.k8s.io/v1alpha1/compositecontrollers',
  });
  if (status === 404)
    throw new Error('E2E_KUBECONFIG: that cluster has no Metacontroller; install it, or name another');
  if (status !== 200) throw new Error(`E2E_KUBECONFIG: listing CompositeControllers gave ${status}: ${text}`);
  for (const { metadata, spec } of (JSON.parse(text) as ControllerList).items) {
    const served = OUR_KINDS.find(
      ({ apiVersion, resource }) =>
        apiVersion.split('/')[0] === spec?.parentResource?.apiVersion?.split('/')[0] &&
        resource === spec?.parentResource?.resource,
    );
    if (served !== undefined)
      throw new Error(
        `E2E_KUBECONFIG: CompositeController ${metadata.name} serves ${served.crd} there; delete it, or name another cluster`,
      );
  }
}

async function createMissingCrds(cluster: Cluster): Promise<readonly string[]> {
  const created: string[] = [];
  for (const { crd, apiVersion, resource } of OUR_KINDS) {
    if ((await cluster.kubectl(['get', 'crd', crd, '--ignore-not-found', '-o', 'name'])) !== '') continue;
    await cluster.kubectl(['create', '-f', join(ROOT, 'crds', `${crd}.yaml`)]);
    created.push(crd);
    await waitFor(`${resource} to be served`, { deadlineMs: 30_000 }, async () => {
      const { status } = await cluster.call({ path: `/apis/${apiVersion}/${resource}` });
      return status === 200 ? arrived(undefined) : notYet(`status ${status}`);
    });
  }
  return created;
}

/** Without overlays: what callers must show is a Secret of the cluster. Without cert-manager also without Certificates. */
async function renderBase(cluster: Cluster): Promise<readonly Manifest[]> {
  const certificates = ['get', 'crd', 'certificates.cert-manager.io', '--ignore-not-found', '-o', 'name'];
  const hasCertificates = (await cluster.kubectl(certificates)) !== '';
  const base = parseObjects(await cluster.kubectl(['kustomize', join(ROOT, 'metacontroller', 'base')]));
  if (hasCertificates) return base;
  return base.map((object) => {
    const spec = recordAt(object, 'spec');
    const childResources = listAt(spec, 'childResources').filter(
      (rule) => recordAt(rule)['resource'] !== 'certificates',
    );
    return 'childResources' in spec ? { ...object, spec: { ...spec, childResources } } : object;
  });
}

function containerOf(base: readonly Manifest[], hook: HookName): HookContainer {
  const name = `counterpoise-${hook}`;
  const found = base.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name);
  const [container] = listAt(recordAt(found, 'spec', 'template', 'spec'), 'containers');
  if (container === undefined) throw new Error(`metacontroller/base has no Deployment ${name}`);
  return container as HookContainer;
}

function forRun(
  controller: Manifest,
  run: { readonly name: string; readonly url: string; readonly labels: Readonly<Record<string, string>> },
): object {
  const { apiVersion, kind } = controller;
  const spec = recordAt(controller, 'spec');
  const sync = recordAt(spec, 'hooks', 'sync');
  return {
    apiVersion,
    kind,
    metadata: { name: run.name, labels: run.labels },
    spec: {
      ...spec,
      parentResource: {
        ...recordAt(spec, 'parentResource'),
        labelSelector: { matchLabels: run.labels },
      },
      hooks: { sync: { ...sync, webhook: { ...recordAt(sync, 'webhook'), url: run.url } } },
    },
  };
}
