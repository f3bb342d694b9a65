import type { CoreV1Event } from '@kubernetes/client-node';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import type { Cluster } from './cluster.ts';
import { readPath } from './objects.ts';

/** What `kubectl describe` would show of an object's Events, in the order in which they came. */
export interface Told {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** The Events about one object, once those with the given reasons are among them: a hook does not wait for what it records. */
export async function untilTold(
  plane: Cluster,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  ...reasons: readonly string[]
): Promise<readonly Told[]> {
  const path = `/api/v1/namespaces/${namespace}/events?fieldSelector=involvedObject.name%3D${name}`;
  return waitFor(`the Events ${reasons.join(', ')} of ${name}`, { deadlineMs: 30_000 }, async () => {
    const { items } = await readPath<{ readonly items: readonly CoreV1Event[] }>(plane, path);
    const told = items.map(({ type = '', reason = '', message = '' }) => ({ type, reason, message }));
    return reasons.every((wanted) => told.some(({ reason }) => reason === wanted))
      ? arrived(told)
      : notYet(JSON.stringify(told));
  });
}
