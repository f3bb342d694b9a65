import { parseJson } from '../foundation/json.ts';
import { isRecord, isStringMap } from '../foundation/record.ts';
import { withoutNulls } from '../foundation/without-nulls.ts';
import { CONTROLLER_UID_LABEL } from './labels.ts';
import type { DesiredObject, ObservedObject } from './objects.ts';

/** Where Metacontroller keeps what it was last asked for; its three-way merge starts from there. */
export const LAST_APPLIED_ANNOTATION = 'metacontroller.k8s.io/last-applied-configuration';

/** The parent whose children are held: they live in its namespace and carry no other parent's uid. */
export interface HoldingParent {
  readonly namespace: string;
  readonly uid: string;
}

/**
 * The answer that leaves an observed child as it is: what was last asked for, word for word. A child that Metacontroller
 * never applied (freshly adopted) has no such annotation: its identity alone says nothing about any field, so none
 * changes. The same where the annotation is no JSON object, which Metacontroller itself then refuses to merge.
 */
export function holdChild(observed: ObservedObject, parent: HoldingParent): DesiredObject {
  const { apiVersion, kind, metadata } = observed;
  const { metadata: appliedMetadata, ...applied } = lastApplied(observed);
  return {
    ...Object.fromEntries(Object.entries(applied).filter(([key]) => key !== 'status')),
    apiVersion,
    kind,
    metadata: {
      ...heldMetadata(appliedMetadata, parent),
      name: metadata.name,
      namespace: parent.namespace,
    },
  };
}

/** Every observed child held, each once (a body by curl may name one twice). */
export function holdChildren(
  observed: readonly ObservedObject[],
  parent: HoldingParent,
): readonly DesiredObject[] {
  const byIdentity = new Map(
    observed.map((child) => [JSON.stringify([child.apiVersion, child.kind, child.metadata.name]), child]),
  );
  return [...byIdentity.values()].map((child) => holdChild(child, parent));
}

/** What Metacontroller was last asked for; empty where it never applied the object, or left no readable word of it. */
export function lastApplied(observed: ObservedObject): Readonly<Record<string, unknown>> {
  const text = observed.metadata.annotations?.[LAST_APPLIED_ANNOTATION];
  if (text === undefined) return {};
  const parsed = withoutNulls(parseJson(text), 'closed');
  return isRecord(parsed) ? parsed : {};
}

function heldMetadata(applied: unknown, parent: HoldingParent): Partial<DesiredObject['metadata']> {
  if (!isRecord(applied)) return {};
  const { labels, annotations } = applied;
  return {
    ...(isStringMap(labels) ? { labels: ownLabels(labels, parent) } : {}),
    ...(isStringMap(annotations) ? { annotations } : {}),
  };
}

function ownLabels(
  labels: Readonly<Record<string, string>>,
  parent: HoldingParent,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(labels).filter(([key, value]) => key !== CONTROLLER_UID_LABEL || value === parent.uid),
  );
}
