import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions, type RequestOptions } from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import axios from 'axios';
import type { Deadline } from '../foundation/deadline.ts';
import { parseJson } from '../foundation/json.ts';
import { oneLine } from '../foundation/one-line.ts';
import { RAW_ANSWER, USER_AGENT } from '../foundation/raw-answer.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import type { ApiFailure } from './api.ts';
import type { Environment } from './exec-plugin.ts';
import { openLogin, type KubernetesLocation, type Login } from './login.ts';

/** The verbs of the ClusterRoles, as HTTP has them; `patch` is a JSON merge patch (RFC 7386). */
const METHODS = { get: 'GET', list: 'GET', create: 'POST', patch: 'PATCH', delete: 'DELETE' } as const;
export type Verb = keyof typeof METHODS;

export interface KubernetesRequest {
  readonly verb: Verb;
  /** The plural, as in the path. */
  readonly resource: string;
  /** Absolute, with every segment escaped. */
  readonly path: string;
  readonly body?: object;
  readonly deadline: Deadline;
}

/** One request to the API server; the value is the body as JSON. */
export type KubernetesConnection = (request: KubernetesRequest) => Promise<Result<unknown, ApiFailure>>;

/** An object may be 1.5 MiB in etcd; managedFields and JSON add to it. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * Connects as a kubeconfig or the pod's service account says; the error says what is wrong with the kubeconfig.
 *
 * Requests are ours, because the API classes of @kubernetes/client-node 2.0 make a new connection, and a new TLS handshake,
 * for each. `environment`: that of a kubeconfig's plugin.
 */
export function connect(
  location: KubernetesLocation,
  environment: Environment,
): Result<KubernetesConnection, string> {
  const login = openLogin(location, environment);
  return login.ok ? ok(connectionOf(login.value)) : login;
}

function connectionOf(login: Login): KubernetesConnection {
  const httpAgent = new HttpAgent({ keepAlive: true });
  const httpsAgentOf = keepHttpsAgent();
  return async ({ verb, path, body, deadline }) => {
    const { signal } = deadline;
    const signed = await login.options(deadline);
    if (!signed.ok) return err({ kind: 'Unavailable', message: signed.error });
    const options = signed.value;
    try {
      const response = await axios.request<string>({
        ...RAW_ANSWER,
        method: METHODS[verb],
        url: `${login.server}${path}`,
        headers: {
          ...(options.headers as Readonly<Record<string, string>>),
          Accept: 'application/json',
          'User-Agent': USER_AGENT,
          ...(verb === 'patch' ? { 'Content-Type': 'application/merge-patch+json' } : {}),
        },
        ...basicAuthOf(options.auth),
        ...(body === undefined ? {} : { data: body }),
        signal,
        httpAgent,
        httpsAgent: login.isByProxy ? options.agent : httpsAgentOf(options),
        maxContentLength: MAX_ANSWER_BYTES,
      });
      if (response.status === 401) login.refused();
      return readResponse(response.status, response.data);
    } catch (error) {
      return err({ kind: 'Unavailable', message: signal.aborted ? TIMED_OUT : unreachable(error) });
    }
  };
}

/** One pool of connections, replaced when the kubeconfig's certificates have been rotated. */
function keepHttpsAgent(): (options: RequestOptions) => HttpsAgent {
  let kept: { readonly material: AgentOptions; readonly agent: HttpsAgent } | undefined;
  return ({ ca, cert, key, rejectUnauthorized, servername }) => {
    const material: AgentOptions = { ca, cert, key, rejectUnauthorized, servername };
    if (kept === undefined || !isDeepStrictEqual(kept.material, material))
      kept = { material, agent: new HttpsAgent({ ...material, keepAlive: true }) };
    return kept.agent;
  };
}

/** Basic auth of a kubeconfig, as node's `user:password`. */
function basicAuthOf(auth: string | null | undefined): {
  readonly auth?: { readonly username: string; readonly password: string };
} {
  if (typeof auth !== 'string') return {};
  const [username = '', ...password] = auth.split(':');
  return { auth: { username, password: password.join(':') } };
}

const TIMED_OUT = 'the Kubernetes API did not answer in time';

/** Kubernetes' errors are a meta/v1 Status with a message of its own; anything else did not come from it. */
function readResponse(httpStatus: number, text: string): Result<unknown, ApiFailure> {
  const body = parseJson(text);
  if (httpStatus < 300) {
    return body === undefined
      ? err({ kind: 'Unavailable', message: 'the answer is not one of the Kubernetes API' })
      : ok(body);
  }
  const { kind, message } = (body ?? {}) as { readonly kind?: unknown; readonly message?: unknown };
  if (kind !== 'Status' || typeof message !== 'string')
    return err({
      kind: 'Unavailable',
      message: `the Kubernetes API answered HTTP ${httpStatus} without saying why`,
    });
  if (httpStatus === 404) return err({ kind: 'NotFound', message: oneLine(message) });
  if (httpStatus === 409) return err({ kind: 'Conflict', message: oneLine(message) });
  if (httpStatus === 403) return err({ kind: 'Forbidden', message: oneLine(message) });
  return err({
    kind: 'Unavailable',
    message: oneLine(`the Kubernetes API answered HTTP ${httpStatus}: ${message}`),
  });
}

function unreachable(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  const what = code === 'ECONNREFUSED' ? 'refused the connection' : 'cannot be reached';
  return oneLine(`the Kubernetes API ${what} (${code ?? message ?? 'no reason'})`);
}
