import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

/** A Kubernetes API of one token that serves what a test puts there, over real HTTP: what the hooks read, and Events. */
export interface KubernetesStandIn {
  /** "GET /apis/...", "POST /api/...", in order. */
  readonly requests: readonly string[];
  /** What was sent with them, where something was. */
  readonly bodies: readonly unknown[];
  /** What a GET of this path answers; undefined: 404. */
  put(path: string, object: object | undefined): void;
  readonly url: string;
  /** Writes a kubeconfig for it into `directory` and gives its path; `via` leads there through something else. */
  kubeconfig(directory: string, via?: Via): string;
  stop(): Promise<void>;
}

export interface Via {
  readonly url: string;
  /** File of the CA whose certificate it has, where it speaks TLS. */
  readonly caFile?: string | undefined;
}

const TOKEN = 'stand-in-token';

export async function startKubernetesStandIn(): Promise<KubernetesStandIn> {
  const objects = new Map<string, object>();
  const requests: string[] = [];
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    const { method = '', url: path = '' } = request;
    requests.push(`${method} ${path}`);
    const isKnown = request.headers.authorization === `Bearer ${TOKEN}`;
    const object = isKnown ? (objects.get(path) ?? listIn(objects, path)) : undefined;
    void text(request).then((sent) => sent !== '' && bodies.push(JSON.parse(sent)));
    if (method === 'POST' && isKnown) respond(201, {});
    else if (object !== undefined) respond(200, object);
    else respond(isKnown ? 404 : 401, failure(isKnown ? 404 : 401, path));

    function respond(code: number, body: object): void {
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
  });
  const listening = await listen(server);
  return {
    url: listening.url,
    requests,
    bodies,
    put: (path, object) => {
      if (object === undefined) objects.delete(path);
      else objects.set(path, object);
    },
    kubeconfig: (directory, via = listening) => {
      const file = join(directory, 'kubeconfig.json');
      writeFileSync(file, JSON.stringify(kubeconfigFor(via)));
      return file;
    },
    stop: () => listening.stop(),
  };
}

/** A Secret as the API gives it. */
export function secret(name: string, values: Readonly<Record<string, string>>): object {
  const data = Object.entries(values).map(
    ([key, text]) => [key, Buffer.from(text).toString('base64')] as const,
  );
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'default' },
    data: Object.fromEntries(data),
  };
}

/** A list of all namespaces, in one page: "/apis/<group>/<version>/<plural>?limit=..."; undefined: no list is asked for. */
function listIn(objects: ReadonlyMap<string, object>, path: string): object | undefined {
  const [, root = '', plural = ''] = /^(\/apis\/[^/]+\/[^/]+)\/([^/?]+)\?limit=\d+$/.exec(path) ?? [];
  if (plural === '') return undefined;
  const isOne = new RegExp(`^${root}/namespaces/[^/]+/${plural}/[^/]+$`);
  const items = [...objects].flatMap(([key, object]) => (isOne.test(key) ? [object] : []));
  return { metadata: {}, items };
}

function failure(code: number, path: string): object {
  const reason = code === 404 ? 'NotFound' : 'Unauthorized';
  return { apiVersion: 'v1', kind: 'Status', status: 'Failure', code, reason, message: `${path}: ${reason}` };
}

function kubeconfigFor({ url: server, caFile }: Via): object {
  // the client refuses plain HTTP without this
  const trust =
    caFile === undefined ? { 'insecure-skip-tls-verify': true } : { 'certificate-authority': caFile };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'it',
    clusters: [{ name: 'it', cluster: { server, ...trust } }],
    users: [{ name: 'it', user: { token: TOKEN } }],
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
  };
}
