import { join } from 'node:path';
import { startReady, type Program, type RunningProcess } from '../../support/process.ts';
import { answersOk, arrived, notYet, type Look } from '../../support/wait.ts';
import { callApi } from './api.ts';
import type { Credentials, Endpoint } from './credentials.ts';

/** Everything the parts are started from: decided before the first of them runs. */
export interface Plan {
  /** Certificates, tokens, etcd's data and every log. */
  readonly directory: string;
  readonly binaries: Readonly<Record<'etcd' | 'kube-apiserver' | ComponentName | 'kwok', string>>;
  readonly ports: Readonly<Record<'etcd' | 'etcdPeer' | 'apiServer' | ComponentName, number>>;
  readonly credentials: Credentials;
  readonly endpoint: Endpoint;
}

type ComponentName = 'kube-controller-manager' | 'kube-scheduler';

/** Cold caches and two busy cores: an API server alone needs 5 to 20 s. */
const READY_MS = 90_000;

/** One member, no fsync: the data lives as long as the test. */
export async function startEtcd(plan: Plan): Promise<RunningProcess> {
  const client = `http://127.0.0.1:${plan.ports.etcd}`;
  const peer = `http://127.0.0.1:${plan.ports.etcdPeer}`;
  const args = [
    `--data-dir=${join(plan.directory, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
  return start(plan, 'etcd', args, () => answersOk(`${client}/readyz`));
}

/** Admission, RBAC and API priority as they come; ServiceAccount tokens are signed by our own key. */
export async function startApiServer(plan: Plan): Promise<RunningProcess> {
  const { tokenFile, tokens, serviceAccountKeys } = plan.credentials;
  const args = [
    `--etcd-servers=http://127.0.0.1:${plan.ports.etcd}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${plan.ports.apiServer}`,
    `--cert-dir=${plan.directory}`,
    `--token-auth-file=${tokenFile}`,
    '--authorization-mode=RBAC',
    // some distributions turn it on; owner references that block deletion then need a right of their own
    '--enable-admission-plugins=OwnerReferencesPermissionEnforcement',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${serviceAccountKeys.publicFile}`,
    `--service-account-signing-key-file=${serviceAccountKeys.privateFile}`,
    '--service-cluster-ip-range=10.0.0.0/16',
    '--advertise-address=127.0.0.1', // else it looks for a route to the world, and fails where there is none
    '--endpoint-reconciler-type=none', // nothing runs inside, and a loopback address is no endpoint
  ];
  return start(plan, 'kube-apiserver', args, async () => {
    const { status, text } = await callApi(plan.endpoint, { path: '/readyz?verbose', token: tokens.admin });
    const missing = text.split('\n').filter((line) => line.startsWith('[-]'));
    return status === 200 ? arrived(undefined) : notYet(`${status} ${missing.join(', ') || text}`);
  });
}

/** Each controller uses its own ServiceAccount, so that garbage collection and rollouts meet the real RBAC. */
export async function startControllerManager(plan: Plan, kubeconfig: string): Promise<RunningProcess> {
  return startComponent(plan, 'kube-controller-manager', [
    `--kubeconfig=${kubeconfig}`,
    '--use-service-account-credentials=true',
    `--service-account-private-key-file=${plan.credentials.serviceAccountKeys.privateFile}`,
    `--root-ca-file=${plan.endpoint.caFile}`,
    '--kube-api-qps=200',
    '--kube-api-burst=400',
  ]);
}

export async function startScheduler(plan: Plan, kubeconfig: string): Promise<RunningProcess> {
  return startComponent(plan, 'kube-scheduler', [
    `--kubeconfig=${kubeconfig}`,
    '--kube-api-qps=200',
    '--kube-api-burst=400',
  ]);
}

async function startComponent(
  plan: Plan,
  name: ComponentName,
  args: readonly string[],
): Promise<RunningProcess> {
  const all = [
    ...args,
    '--bind-address=127.0.0.1',
    `--secure-port=${plan.ports[name]}`,
    `--cert-dir=${plan.directory}`,
    '--leader-elect=false',
  ];
  const health: Endpoint = {
    server: `https://127.0.0.1:${plan.ports[name]}`,
    caFile: join(plan.directory, `${name}.crt`),
  };
  return start(plan, name, all, async () => {
    const { status, text } = await callApi(health, { path: '/healthz' });
    return status === 200 ? arrived(undefined) : notYet(`${status} ${text}`);
  });
}

/** The kubelet of every node annotated `kwok.x-k8s.io/node: fake`: its pods turn Running and Ready, and go when deleted. */
export async function startKwok(
  plan: Plan,
  kubeconfig: string,
  stages: readonly string[],
): Promise<RunningProcess> {
  const args = [
    `--kubeconfig=${kubeconfig}`,
    '--manage-all-nodes=false',
    '--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake',
    '--node-lease-duration-seconds=40',
    ...stages.map((stage) => `--config=${stage}`),
  ];
  // it has nothing to ask for readiness: a node that it made Ready shows it
  return start(plan, 'kwok', args, () => arrived(undefined));
}

async function start(
  plan: Plan,
  name: keyof Plan['binaries'],
  args: readonly string[],
  probe: () => Promise<Look<undefined>> | Look<undefined>,
): Promise<RunningProcess> {
  const program: Program = { name, command: plan.binaries[name], args, env: { HOME: plan.directory } };
  return startReady(program, join(plan.directory, `${name}.log`), READY_MS, probe);
}
