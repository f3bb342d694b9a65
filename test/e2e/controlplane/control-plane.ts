import type { V1Node } from '@kubernetes/client-node';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../support/ports.ts';
import { runProcess, type RunningProcess } from '../../support/process.ts';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import { buildTools, moduleDirectory } from '../tools/build.ts';
import type { Cluster } from './cluster.ts';
import { callApi, type ApiAnswer, type ApiCall } from './api.ts';
import { writeCredentials, writeKubeconfig, type Endpoint, type Identity } from './credentials.ts';
import {
  startApiServer,
  startControllerManager,
  startEtcd,
  startKwok,
  startScheduler,
  type Plan,
} from './parts.ts';

/** A Kubernetes of our own on 127.0.0.1: real API server, controllers and scheduler; one node, whose kubelet is KWOK. */
export interface ControlPlane extends Cluster {
  readonly endpoint: Endpoint;
  readonly adminToken: string;
  /** The kubectl of the same version. */
  readonly kubectlPath: string;
  /** One raw call as administrator; another token in `call` makes it somebody else's. */
  call(call: ApiCall): Promise<ApiAnswer>;
  /** Kills the API server (SIGKILL), and starts it again on the same port and data. */
  restartApiServer(): Promise<void>;
  /** Ends every process by its pid, last started first, and removes the directory unless `keep`. */
  stop(options?: { readonly keep?: boolean }): Promise<void>;
}

export interface ControlPlaneOptions {
  /** Told what takes long (a first build). */
  readonly log?: (line: string) => void;
}

/**
 * Builds what is missing (8 minutes, once), starts everything and waits until a pod could run. Throws, with the last
 * state seen and the end of the log, when a part is not ready in time; nothing is left running then, the directory is.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { plan, kubectl } = await makePlan(options);
  const parts = new Map<string, RunningProcess>(); // in starting order
  const stopParts = async (): Promise<void> => {
    for (const part of [...parts.values()].reverse()) await part.stop({ graceMs: 3000 });
    parts.clear();
  };
  try {
    await startParts(plan, parts);
  } catch (error) {
    await stopParts();
    throw error;
  }
  const { directory, endpoint } = plan;
  const kubeconfig = kubeconfigFor(plan, 'admin');
  return {
    endpoint,
    kubeconfig,
    adminToken: plan.credentials.tokens.admin,
    kubectlPath: kubectl,
    directory,
    labels: {},
    kubectl: async (args, input) => runKubectl({ kubectl, kubeconfig, directory }, args, input),
    call: async (call) => callApi(endpoint, { token: plan.credentials.tokens.admin, ...call }),
    restartApiServer: async () => {
      await parts.get('kube-apiserver')?.stop({ signal: 'SIGKILL' });
      parts.set('kube-apiserver', await startApiServer(plan));
    },
    stop: async ({ keep = false } = {}) => {
      await stopParts();
      if (!keep) rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function makePlan({
  log,
}: ControlPlaneOptions): Promise<{ readonly plan: Plan; readonly kubectl: string }> {
  const { kubectl, ...binaries } = await buildTools(
    ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kwok', 'kubectl'],
    log === undefined ? {} : { log },
  );
  const directory = mkdtempSync(join(tmpdir(), 'counterpoise-controlplane-'));
  const [etcd = 0, etcdPeer = 0, apiServer = 0, controllerManager = 0, scheduler = 0] = await freePorts(5);
  const plan: Plan = {
    directory,
    binaries,
    ports: {
      etcd,
      etcdPeer,
      apiServer,
      'kube-controller-manager': controllerManager,
      'kube-scheduler': scheduler,
    },
    credentials: writeCredentials(directory),
    // the API server writes this file itself: its own certificate, with the authority that signed it
    endpoint: { server: `https://127.0.0.1:${apiServer}`, caFile: join(directory, 'apiserver.crt') },
  };
  return { plan, kubectl };
}

async function startParts(plan: Plan, parts: Map<string, RunningProcess>): Promise<void> {
  const started = async (start: Promise<RunningProcess>): Promise<void> => {
    const part = await start;
    parts.set(part.name, part);
  };
  await started(startEtcd(plan));
  await started(startApiServer(plan));
  const results = await Promise.allSettled([
    started(startControllerManager(plan, kubeconfigFor(plan, 'controllerManager'))),
    started(startScheduler(plan, kubeconfigFor(plan, 'scheduler'))),
    started(startKwok(plan, kubeconfigFor(plan, 'admin'), await stages())),
    createNode(plan),
  ]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  await untilUsable(plan);
}

function kubeconfigFor(plan: Plan, identity: Identity): string {
  const path = join(plan.directory, `${identity}.kubeconfig`);
  return writeKubeconfig(path, plan.endpoint, plan.credentials.tokens[identity]);
}

/** KWOK's own stages for nodes that are ready at once and pods that run at once; it ships them as files. */
async function stages(): Promise<readonly string[]> {
  const directory = join(await moduleDirectory('kwok', 'sigs.k8s.io/kwok'), 'kustomize', 'stage');
  return [
    'node/fast/node-initialize.yaml',
    'node/heartbeat-with-lease/node-heartbeat-with-lease.yaml',
    'pod/fast/pod-ready.yaml',
    'pod/fast/pod-complete.yaml',
    'pod/fast/pod-delete.yaml',
  ].map((file) => join(directory, file));
}

/** More than any test asks for; KWOK would leave out the storage. */
const ROOM = { cpu: '1k', memory: '1Pi', 'ephemeral-storage': '1Pi', pods: '100k' };

async function createNode({ endpoint, credentials }: Plan): Promise<void> {
  const metadata = { name: 'fake-node', annotations: { 'kwok.x-k8s.io/node': 'fake' } };
  const { status, text } = await callApi(endpoint, {
    method: 'POST',
    path: '/api/v1/nodes',
    token: credentials.tokens.admin,
    body: { apiVersion: 'v1', kind: 'Node', metadata, status: { allocatable: ROOM, capacity: ROOM } },
  });
  if (status !== 201) throw new Error(`creating the fake node: ${status} ${text}`);
}

/** A pod needs a ServiceAccount to be admitted (by the controller manager) and a ready node (by KWOK). */
async function untilUsable({ endpoint, credentials }: Plan): Promise<void> {
  const token = credentials.tokens.admin;
  await waitFor('the default ServiceAccount', { deadlineMs: 60_000 }, async () => {
    const { status } = await callApi(endpoint, {
      path: '/api/v1/namespaces/default/serviceaccounts/default',
      token,
    });
    return status === 200 ? arrived(undefined) : notYet(`status ${status}`);
  });
  await waitFor('the fake node to be Ready', { deadlineMs: 60_000 }, async () => {
    const { text } = await callApi(endpoint, { path: '/api/v1/nodes/fake-node', token });
    const node = JSON.parse(text) as V1Node;
    const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    const taints = node.spec?.taints?.map(({ key }) => key) ?? [];
    return ready === 'True' && taints.length === 0
      ? arrived(undefined)
      : notYet(`Ready=${ready ?? 'absent'}, taints: ${taints.join() || 'none'}`);
  });
}

/** HOME is the directory of the run: kubectl's discovery cache must not outlive the API server that it describes. */
async function runKubectl(
  { kubectl, kubeconfig, directory }: Readonly<Record<'kubectl' | 'kubeconfig' | 'directory', string>>,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const env = { KUBECONFIG: kubeconfig, HOME: directory };
  return runProcess({ name: `kubectl ${args.join(' ')}`, command: kubectl, args, env }, input);
}
