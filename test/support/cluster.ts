import { createServer } from 'node:http';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { createApp } from '../../src/app.ts';
import { createRivalReader } from '../../src/hooks/rival-reader.ts';
import type { Deps } from '../../src/hooks/deps.ts';
import type { ObservedObject } from '../../src/kubernetes/objects.ts';
import { customKind, kindOfCrd } from './api-server/crd.ts';
import { kubernetesApiOf } from './api-server/kubernetes-api.ts';
import { createApiServer, type ApiServer } from './api-server/server.ts';
import { recordAt } from './json.ts';
import { parseObjects, ROOT } from './kustomize.ts';
import { listen } from './listen.ts';
import { mustStart } from './metacontroller/follow.ts';
import type { SyncReport } from './metacontroller/loop.ts';
import { startMetacontroller, type Metacontroller } from './metacontroller/metacontroller.ts';
import { passTime } from './metacontroller/pass-time.ts';
import type { Store } from './metacontroller/store.ts';
import type { VirtualClock } from './virtual-clock.ts';

/**
 * A cluster in memory with counterpoise installed from its own manifests: our CRDs, our CompositeControllers, the real
 * hooks behind HTTP, the double of Metacontroller, and a clock that stands still until told otherwise.
 */
export interface Cluster {
  readonly server: ApiServer;
  readonly kubectl: Store;
  /** Where the hooks listen. */
  readonly url: string;
  readonly metacontroller: Metacontroller;
  /** Like `kubectl apply` into namespace `default`, for objects that nobody else edits. */
  apply(object: ObservedObject): Promise<ObservedObject>;
  pass(ms: number): Promise<void>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  readonly clock: VirtualClock;
  /** Everything that the hooks are made of but clock and what the Kubernetes API tells, which are the cluster's. */
  readonly deps: Deps;
  readonly onSync?: (report: SyncReport) => void;
}

export async function startCluster({ clock, deps, onSync }: ClusterOptions): Promise<Cluster> {
  const crds = ['balancers.materialize.cloud', 'rebalances.rebalancer.ch1aki.github.io'];
  const server = createApiServer(clock, [
    ...crds.map((name) => kindOfCrd(manifest(`crds/${name}.yaml`))),
    customKind('cert-manager.io/v1', 'Certificate', 'certificates'),
  ]);
  const kubectl = server.as('kubectl');
  const kubernetes = kubernetesApiOf(server.as('counterpoise'));
  const rivals = createRivalReader(kubernetes);
  const hooks = await listen(createServer(createApp({ ...deps, clock, kubernetes, rivals })));
  for (const name of ['balancer', 'rebalance']) {
    await apply(kubectl, manifest(`metacontroller/base/${name}/composite-controller.yaml`));
  }
  const metacontroller = await startMetacontroller({
    store: server.as('metacontroller'),
    clock,
    dial: (url) => `${hooks.url}${new URL(url).pathname}`,
    onController: mustStart,
    ...(onSync === undefined ? {} : { onSync }),
  });
  return {
    server,
    kubectl,
    url: hooks.url,
    metacontroller,
    apply: (object) => apply(kubectl, { ...object, metadata: { namespace: 'default', ...object.metadata } }),
    pass: (ms) => passTime(clock, metacontroller, ms),
    stop: async () => {
      await metacontroller.stop();
      await hooks.stop();
    },
  };
}

async function apply(kubectl: Store, object: ObservedObject): Promise<ObservedObject> {
  const created = await kubectl.create(object);
  const written =
    created.ok || created.error.reason !== 'AlreadyExists' ? created : await kubectl.update(object);
  if (!written.ok) throw new Error(written.error.message);
  return written.value;
}

function manifest(path: string): ObservedObject {
  const [object] = manifests(path);
  if (object === undefined) throw new Error(`${path} is empty`);
  return object;
}

/** The objects of a YAML file, by its path from the root of the repository. */
export function manifests(path: string): readonly ObservedObject[] {
  return parseObjects(readFileSync(join(ROOT, path), 'utf8'));
}

/** The files of metacontroller/samples, as its kustomization lists them. */
export function sampleFiles(): readonly string[] {
  const kustomization = recordAt(manifest('metacontroller/samples/kustomization.yaml'));
  return (kustomization['resources'] as readonly string[]).map((file) => `metacontroller/samples/${file}`);
}
