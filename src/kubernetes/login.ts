import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { beforeDeadline, type Deadline } from '../foundation/deadline.ts';
import { defined } from '../foundation/defined.ts';
import { oneLine } from '../foundation/one-line.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import { tokenFile, type CredentialSource } from './credential.ts';
import { createExecPlugin, type Environment } from './exec-plugin.ts';
import { readKubeconfig, type CurrentContext } from './kubeconfig.ts';

/** Where the API server is and who we are to it. */
export type KubernetesLocation =
  /** As `readKubeconfig` reads them. */
  | { readonly kind: 'Kubeconfig'; readonly paths: readonly string[] }
  /** The pod's service account: its token is read again as the kubelet rotates it. */
  | { readonly kind: 'InCluster' };

/** A way to sign requests in. */
export interface Login {
  /** The URL of the API server, without a slash at the end. */
  readonly server: string;
  readonly isByProxy: boolean;
  /** Headers, certificates and agent of the next request; the error is one line. It waits no longer than the deadline. */
  options(deadline: Deadline): Promise<Result<RequestOptions, string>>;
  /** The API server does not know us (any more): HTTP 401. */
  refused(): void;
}

/**
 * Opens a kubeconfig or the pod's service account; the error says what is wrong with the kubeconfig. KubeConfig signs in
 * with what stands there, and by OIDC; but it does not know `tokenFile`, and runs a plugin without a limit and once for
 * each request that waits. `environment`: that of a plugin.
 */
export function openLogin(location: KubernetesLocation, environment: Environment): Result<Login, string> {
  const config = new KubeConfig();
  if (location.kind === 'InCluster') {
    config.loadFromCluster();
    return ok(loginOf(config, undefined));
  }
  const current = readKubeconfig(location.paths);
  if (!current.ok) return current;
  const { cluster, user } = current.value;
  const source = sourceOf(user, environment);
  if (!source.ok) return source;
  // a source that changes is asked in place of what does not
  const own = source.value === undefined ? user : { ...user, exec: undefined, token: undefined };
  config.loadFromString(JSON.stringify(documentOf({ cluster, user: own })));
  if (source.value !== undefined) config.addAuthenticator(authenticatorOf(source.value));
  return ok(loginOf(config, source.value));
}

/** undefined: the kubeconfig itself says who we are, or KubeConfig knows how to find out. */
function sourceOf(
  { exec, tokenFile: path }: CurrentContext['user'],
  environment: Environment,
): Result<CredentialSource | undefined, string> {
  if (exec !== undefined && exec !== null) return createExecPlugin(exec, environment);
  return ok(typeof path === 'string' ? tokenFile(path) : undefined);
}

/** A kubeconfig of one context. KubeConfig refuses plain HTTP, as of kubectl proxy, unless this is said, which is of TLS alone. */
function documentOf({ cluster, user }: CurrentContext): object {
  const name = 'current';
  const isPlain = cluster.server.startsWith('http:');
  return {
    clusters: [{ name, cluster: isPlain ? { ...cluster, 'insecure-skip-tls-verify': true } : cluster }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
}

/** As KubeConfig calls it, of whom it knows no other way to sign in. */
function authenticatorOf(source: CredentialSource) {
  return {
    isAuthProvider: () => true,
    applyAuthentication: async (_user: unknown, options: RequestOptions): Promise<void> => {
      const credential = await source.current();
      // the library has no other way to say it
      if (!credential.ok) throw new Error(credential.error);
      const { token, cert, key } = credential.value;
      const headers = token === undefined ? undefined : withToken(options, token);
      Object.assign(options, defined({ headers, cert, key }));
    },
  };
}

function withToken({ headers }: RequestOptions, token: string): OutgoingHttpHeaders {
  return { ...(headers as OutgoingHttpHeaders), Authorization: `Bearer ${token}` };
}

function loginOf(config: KubeConfig, source: CredentialSource | undefined): Login {
  const cluster = config.getCurrentCluster();
  const sign = async (): Promise<Result<RequestOptions, string>> => {
    const options: RequestOptions = {};
    try {
      await config.applyToHTTPSOptions(options);
      return ok(options);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return err(oneLine(`cannot sign in to the Kubernetes API: ${why}`));
    }
  };
  return {
    server: cluster?.server.replace(/\/+$/, '') ?? '',
    isByProxy: cluster?.proxyUrl !== undefined,
    options: (deadline) =>
      beforeDeadline(deadline, sign(), err('signing in to the Kubernetes API took too long')),
    refused: () => source?.forget(),
  };
}
