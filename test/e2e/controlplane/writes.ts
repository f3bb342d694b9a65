import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlane } from './control-plane.ts';

const WRITES = /^apiserver_request_total\{(.*)\} (\d+)$/;
const WRITING_VERBS = new Set(['POST', 'PUT', 'PATCH', 'APPLY', 'DELETE']);

/** Writes that the API server has taken since its start: "PUT deployments/status" -> count, of the given resources. */
export async function writesOf(
  plane: ControlPlane,
  resources: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { text } = await plane.call({ path: '/metrics' });
  const writes = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, labels = '', count = '0'] = WRITES.exec(line) ?? [];
    const label = Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    );
    const { verb = '', resource = '', subresource = '' } = label;
    if (!WRITING_VERBS.has(verb) || !resources.includes(resource)) continue;
    const what = `${verb} ${resource}${subresource === '' ? '' : `/${subresource}`}`;
    writes.set(what, (writes.get(what) ?? 0) + Number(count));
  }
  return writes;
}

/** What is written in `seconds` of watching; empty when there is no update loop. */
export async function writesDuring(
  plane: ControlPlane,
  resources: readonly string[],
  seconds: number,
): Promise<Readonly<Record<string, number>>> {
  const before = await writesOf(plane, resources);
  await sleep(seconds * 1000);
  const after = await writesOf(plane, resources);
  return Object.fromEntries(
    [...after].flatMap(([what, count]) => {
      const added = count - (before.get(what) ?? 0);
      return added === 0 ? [] : [[what, added]];
    }),
  );
}
