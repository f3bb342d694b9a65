import { covers } from '../foundation/covers.ts';
import { isRecord } from '../foundation/record.ts';
import { lastApplied } from '../kubernetes/hold.ts';
import type { DesiredObject, ObservedObject } from '../kubernetes/objects.ts';
import type { Blueprint } from './blueprint.ts';
import { renderPodTemplate } from './pod-template.ts';

/**
 * Whether podLabels and podAnnotations wait for the next change of the template, because they alone would roll the pods of
 * a Deployment that was taken over: nobody asked for its template here yet (Metacontroller's last word about it has none),
 * and it is what we would ask for but for them.
 */
export function isPodMetadataDeferred(deployment: ObservedObject | undefined, blueprint: Blueprint): boolean {
  // Asked first: the last word is a text of kilobytes, and most Balancers have nothing that could wait.
  if (!hasPodMetadata(blueprint)) return false;
  if (deployment === undefined || templateOf(lastApplied(deployment)) !== undefined) return false;
  const observed = templateOf(deployment);
  const plain = { ...blueprint, spec: { ...blueprint.spec, podLabels: {}, podAnnotations: {} } };
  return covers(observed, renderPodTemplate(plain)) && !covers(observed, renderPodTemplate(blueprint));
}

function hasPodMetadata({ spec: { podLabels, podAnnotations } }: Blueprint): boolean {
  return Object.keys(podLabels).length + Object.keys(podAnnotations).length > 0;
}

/**
 * The Deployment without a word about its template, so that it stays as it is, and stays known as one that nobody asked for.
 * Only for one that is observed: Metacontroller makes none anew that it sees.
 */
export function leaveTemplate(deployment: DesiredObject): DesiredObject {
  const spec = Object.entries(deployment['spec'] as object).filter(([field]) => field !== 'template');
  return { ...deployment, spec: Object.fromEntries(spec) };
}

function templateOf({ spec }: Readonly<Record<string, unknown>>): unknown {
  return isRecord(spec) ? spec['template'] : undefined;
}
