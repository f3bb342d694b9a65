import { arrived, hopeless, notYet, waitFor } from '../../support/wait.ts';
import type { ControlPlane } from './control-plane.ts';

/** `kubectl get ... -o json`; the caller says what comes. */
export async function getJson<T>(plane: ControlPlane, ...what: readonly string[]): Promise<T> {
  return JSON.parse(await plane.kubectl(['get', ...what, '-o', 'json'])) as T;
}

/**
 * The object at a path of the API, without a kubectl to start: for those who look often. "Come again" (429: storage that
 * initializes after a start) is obeyed, as kubectl does; throws at every other refusal.
 */
export async function readPath<T>(plane: ControlPlane, path: string): Promise<T> {
  return waitFor(path, { deadlineMs: 30_000 }, async () => {
    const { status, text } = await plane.call({ path });
    if (status === 200) return arrived(JSON.parse(text) as T);
    return (status === 429 ? notYet : hopeless)(`${status} ${text}`);
  });
}

/** Applies one object as a user does, with the strict validation that is kubectl's default. */
export async function applyObject(plane: ControlPlane, object: unknown): Promise<string> {
  return plane.kubectl(['apply', '-f', '-'], JSON.stringify(object));
}

/** Makes a namespace of its own for a suite. */
export async function createNamespace(plane: ControlPlane, name: string): Promise<string> {
  await plane.kubectl(['create', 'namespace', name]);
  return name;
}
