import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { V1Deployment, V1PodSpec, V1Secret } from '@kubernetes/client-node';
import { freePorts } from '../../support/ports.ts';
import { startReady, type RunningProcess } from '../../support/process.ts';
import { answersOk } from '../../support/wait.ts';
import type { ControlPlane } from './control-plane.ts';
import { serviceAccountKubeconfig } from './service-account.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..', '..');
const MAIN = join(REPOSITORY, 'src', 'main.ts');
const NAMESPACE = 'counterpoise';

export type HookName = 'balancer' | 'rebalance';
export type HookPorts = Readonly<Record<HookName, number>>;

export async function hookPorts(): Promise<HookPorts> {
  const [balancer = 0, rebalance = 0] = await freePorts(2);
  return { balancer, rebalance };
}

/**
 * Applies an overlay of metacontroller/ as it is shipped, but for the webhooks' addresses: no network leads into the
 * fake node, so the hooks run beside the cluster, on `ports` of 127.0.0.1.
 */
export async function applyOverlay(
  plane: ControlPlane,
  overlay: 'production' | 'no-cert-manager',
  ports: HookPorts,
): Promise<void> {
  const directory = join(realpathSync(plane.directory), 'overlay');
  mkdirSync(directory, { recursive: true });
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [relative(directory, join(realpathSync(REPOSITORY), 'metacontroller', 'overlays', overlay))],
    patches: (['balancer', 'rebalance'] as const).map((hook) => ({
      target: { kind: 'CompositeController', name: `counterpoise-${hook}` },
      patch: JSON.stringify([
        {
          op: 'replace',
          path: '/spec/hooks/sync/webhook/url',
          value: `http://127.0.0.1:${ports[hook]}/${hook}/sync`,
        },
      ]),
    })),
  };
  writeFileSync(join(directory, 'kustomization.yaml'), JSON.stringify(kustomization, null, 2));
  await plane.kubectl(['apply', '-f', join(REPOSITORY, 'metacontroller', 'base', 'namespace.yaml')]);
  await plane.kubectl(['apply', '-f', '-'], JSON.stringify(CALLERS));
  await plane.kubectl(['apply', '-k', directory]);
}

const TOKEN = 'token-of-the-tests';

/** What a call of a hook needs besides its body. */
export const CALLER_HEADERS = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };

/** As components/callers says to make it. */
const CALLERS = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'counterpoise-callers', namespace: NAMESPACE },
  stringData: { token: TOKEN, accepted: TOKEN },
};

export interface HookOptions {
  readonly port: number;
  /** After the manifest's own: what the surroundings of the test need (an endpoint, a shorter interval). */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What a hook is started from: how it is to run, and as whom. */
export interface HookProgram {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly kubeconfig: string;
}

/** The container of a hook, as far as it is read. */
export interface HookContainer {
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

/** The arguments and environment of a hook's container; `paths` tells what of them a path is to be here. */
export function programOf(
  { args = [], env = [] }: HookContainer,
  kubeconfig: string,
  paths: (text: string) => string = (text) => text,
): HookProgram {
  return {
    args: args.map(paths),
    env: Object.fromEntries(env.map(({ name, value = '' }) => [name, paths(value)])),
    kubeconfig,
  };
}

/** A hook as its applied Deployment says, with the token of the same ServiceAccount, so with exactly the shipped rights. */
export async function appliedHook(plane: ControlPlane, hook: HookName): Promise<HookProgram> {
  const name = `counterpoise-${hook}`;
  const deployment = JSON.parse(
    await plane.kubectl(['get', 'deployment', name, '-n', NAMESPACE, '-o', 'json']),
  ) as V1Deployment;
  const pod = deployment.spec?.template.spec;
  const account = { namespace: NAMESPACE, name: pod?.serviceAccountName ?? 'default' };
  const kubeconfig = await serviceAccountKubeconfig(plane, account);
  return programOf(pod?.containers[0] ?? {}, kubeconfig, await mountSecrets(plane, name, pod));
}

/** Runs a hook from the sources; its log goes to `directory`. */
export async function startHook(
  directory: string,
  hook: HookName,
  program: HookProgram,
  { port, args = [], env = {} }: HookOptions,
): Promise<RunningProcess> {
  const name = `counterpoise-${hook}`;
  return startReady(
    {
      name,
      command: process.execPath,
      args: [
        MAIN,
        ...program.args,
        `--listen=127.0.0.1:${port}`,
        `--kubeconfig=${program.kubeconfig}`,
        ...args,
      ],
      env: { ...program.env, ...env },
    },
    join(directory, `${name}.log`),
    30_000,
    () => answersOk(`http://127.0.0.1:${port}/readyz`),
  );
}

/** Writes the Secrets that a pod mounts beside the logs, and tells of a text what it says once its paths lead there. */
async function mountSecrets(
  plane: ControlPlane,
  name: string,
  pod: V1PodSpec | undefined,
): Promise<(text: string) => string> {
  const root = join(plane.directory, `${name}-mounts`);
  for (const { name: volume, mountPath } of pod?.containers[0]?.volumeMounts ?? []) {
    const secretName = pod?.volumes?.find((each) => each.name === volume)?.secret?.secretName;
    if (secretName === undefined) continue;
    const secret = JSON.parse(
      await plane.kubectl(['get', 'secret', secretName, '-n', NAMESPACE, '-o', 'json']),
    ) as V1Secret;
    mkdirSync(join(root, mountPath), { recursive: true });
    for (const [key, value] of Object.entries(secret.data ?? {})) {
      writeFileSync(join(root, mountPath, key), Buffer.from(value, 'base64'));
    }
  }
  return (text) => text.replaceAll('/etc/counterpoise', join(root, '/etc/counterpoise'));
}
