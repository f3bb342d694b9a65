import { mkdtempSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { KubeConfig } from '@kubernetes/client-node';
import { runProcess } from '../../support/process.ts';
import { buildTools } from '../tools/build.ts';
import type { ApiAnswer, ApiCall } from './api.ts';

/** A Kubernetes that scenarios work with: a control plane of our own, or one that somebody has. */
export interface Cluster {
  /** Path of a kubeconfig that may do what the scenarios do. */
  readonly kubeconfig: string;
  /** Holds the logs. */
  readonly directory: string;
  /** What every object that a scenario applies carries: the run's controllers serve parents with these labels. */
  readonly labels: Readonly<Record<string, string>>;
  /** Runs the pinned kubectl and gives its stdout; `input` is its stdin (`-f -`). */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  /** One raw call. */
  call(call: ApiCall): Promise<ApiAnswer>;
}

/** The cluster of a kubeconfig that exists, as its current context has it. Programs that give credentials see our environment. */
export async function connectTo(
  kubeconfig: string,
  labels: Readonly<Record<string, string>>,
  log: (line: string) => void,
): Promise<Cluster> {
  const { kubectl } = await buildTools(['kubectl'], { log });
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const directory = mkdtempSync(join(tmpdir(), 'counterpoise-cluster-'));
  const env = { ...definedOf(process.env), KUBECONFIG: kubeconfig };
  return {
    kubeconfig,
    directory,
    labels,
    kubectl: (args, input) =>
      runProcess({ name: `kubectl ${args.join(' ')}`, command: kubectl, args, env }, input),
    call: (call) => callThrough(config, call),
  };
}

async function callThrough(config: KubeConfig, { method = 'GET', path, body }: ApiCall): Promise<ApiAnswer> {
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new Error('the kubeconfig has no current context');
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const options = { method, headers: { 'content-type': type } };
  await config.applyToHTTPSOptions(options);
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, cluster.server), options, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, text: answer }), reject);
    });
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function definedOf(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
