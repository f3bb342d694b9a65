import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { createApiClient } from './api-client.ts';
import type { ControlPlane } from './control-plane.ts';

const REQUESTS = /^apiserver_request_total\{(.*)\} (\d+)$/;
const WRITING_VERBS = new Set(['POST', 'PUT', 'PATCH', 'APPLY', 'DELETE']);

/** Requests that the API server has answered since its start, by their labels; watches count when they end. */
async function requestsOf(
  plane: ControlPlane,
): Promise<readonly { readonly label: Readonly<Record<string, string>>; readonly count: number }[]> {
  const { text } = await plane.call({ path: '/metrics' });
  return text.split('\n').flatMap((line) => {
    const [, labels, count] = REQUESTS.exec(line) ?? [];
    if (labels === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]);
    return [{ label: Object.fromEntries(pairs) as Record<string, string>, count: Number(count) }];
  });
}

/** All of them, whoever asked. */
export async function countRequests(plane: ControlPlane): Promise<number> {
  return (await requestsOf(plane)).reduce((sum, { count }) => sum + count, 0);
}

/** Writes that the API server has taken since its start: "PUT deployments/status" -> count, of the given resources. */
async function writesOf(
  plane: ControlPlane,
  resources: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const writes = new Map<string, number>();
  for (const { label, count } of await requestsOf(plane)) {
    const { verb = '', resource = '', subresource = '' } = label;
    if (!WRITING_VERBS.has(verb) || !resources.includes(resource)) continue;
    const what = `${verb} ${resource}${subresource === '' ? '' : `/${subresource}`}`;
    writes.set(what, (writes.get(what) ?? 0) + count);
  }
  return writes;
}

/** What is written while `during` runs. */
export async function writesDuring(
  plane: ControlPlane,
  resources: readonly string[],
  during: () => Promise<void>,
): Promise<Readonly<Record<string, number>>> {
  const before = await writesOf(plane, resources);
  await during();
  const after = await writesOf(plane, resources);
  return Object.fromEntries(
    [...after].flatMap(([what, count]) => {
      const added = count - (before.get(what) ?? 0);
      return added === 0 ? [] : [[what, added]];
    }),
  );
}

interface Page {
  readonly metadata: { readonly resourceVersion: string };
}

/** How often each object of a collection changes while `during` runs, by name: every resourceVersion counts. */
export async function changesDuring(
  plane: ControlPlane,
  path: string,
  during: () => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  const client = createApiClient(plane.endpoint, plane.adminToken);
  const { resourceVersion } = (JSON.parse((await client.call({ path })).text) as Page).metadata;
  const changes = new Map<string, number>();
  const ended = new AbortController();
  const watching = client.stream(
    `${path}?watch=true&resourceVersion=${resourceVersion}`,
    ended.signal,
    (line) => {
      const { name } = (JSON.parse(line) as { readonly object: ObservedObject }).object.metadata;
      changes.set(name, (changes.get(name) ?? 0) + 1);
    },
  );
  try {
    await Promise.race([during(), watching.then(() => Promise.reject(new Error('the watch has ended')))]);
  } finally {
    ended.abort();
    await watching.catch(() => undefined);
    client.close();
  }
  return changes;
}
