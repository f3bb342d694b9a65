import { recordAt } from '../../support/json.ts';
import { arrived, hopeless, notYet, waitFor } from '../../support/wait.ts';
import type { Cluster } from './cluster.ts';

/** `kubectl get ... -o json`; the caller says what comes. */
export async function getJson<T>(plane: Cluster, ...what: readonly string[]): Promise<T> {
  return JSON.parse(await plane.kubectl(['get', ...what, '-o', 'json'])) as T;
}

/**
 * The object at a path of the API, without a kubectl to start: for those who look often. "Come again" (429: storage that
 * initializes after a start) is obeyed, as kubectl does; throws at every other refusal.
 */
export async function readPath<T>(plane: Cluster, path: string): Promise<T> {
  return waitFor(path, { deadlineMs: 30_000 }, async () => {
    const { status, text } = await plane.call({ path });
    if (status === 200) return arrived(JSON.parse(text) as T);
    return (status === 429 ? notYet : hopeless)(`${status} ${text}`);
  });
}

/** Applies one object as a user does, with the strict validation that is kubectl's default. */
export async function applyObject(plane: Cluster, object: unknown): Promise<string> {
  return plane.kubectl(['apply', '-f', '-'], JSON.stringify(labelled(object, plane.labels)));
}

/** Makes a namespace of its own for a suite. */
export async function createNamespace(plane: Cluster, name: string): Promise<string> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await plane.kubectl(['create', '-f', '-'], JSON.stringify(labelled(namespace, plane.labels)));
  return name;
}

function labelled(object: unknown, labels: Cluster['labels']): unknown {
  if (Object.keys(labels).length === 0) return object;
  const { metadata, ...rest } = recordAt(object);
  return {
    ...rest,
    metadata: { ...recordAt(metadata), labels: { ...recordAt(metadata, 'labels'), ...labels } },
  };
}
