import { isRecord, isStringMap } from '../foundation/record.ts';
import { withoutNulls } from '../foundation/without-nulls.ts';
import type { DesiredObject, ObservedObject } from './objects.ts';

/** Where Metacontroller keeps what it was last asked for; its three-way merge starts from there. */
export const LAST_APPLIED_ANNOTATION = 'metacontroller.k8s.io/last-applied-configuration';

/**
 * The answer that leaves an observed child as it is: what was last asked for, word for word. A child that was never
 * applied by Metacontroller (freshly adopted) has no such annotation: its identity alone says nothing about any field,
 * so none changes. `namespace` is the parent's, for a body whose child names none.
 */
export function holdChild(observed: ObservedObject, namespace: string): DesiredObject {
  const { apiVersion, kind, metadata } = observed;
  const applied = lastApplied(observed);
  return {
    ...withoutKeys(applied, ['status']),
    apiVersion,
    kind,
    metadata: {
      ...pickRecords(applied['metadata'], ['labels', 'annotations']),
      name: metadata.name,
      namespace: metadata.namespace ?? namespace,
    },
  };
}

/** Every observed child held, once each. */
export function holdChildren(
  observed: readonly ObservedObject[],
  namespace: string,
): readonly DesiredObject[] {
  const held = observed.map((child) => holdChild(child, namespace));
  const identity = ({ apiVersion, kind, metadata }: DesiredObject): string =>
    JSON.stringify([apiVersion, kind, metadata.namespace, metadata.name]);
  return [...new Map(held.map((child) => [identity(child), child])).values()];
}

/** What the annotation says, or nothing where it is absent or no JSON object: Metacontroller refuses to merge that itself. */
function lastApplied(observed: ObservedObject): Readonly<Record<string, unknown>> {
  const text = observed.metadata.annotations?.[LAST_APPLIED_ANNOTATION];
  if (text === undefined) return {};
  try {
    const parsed: unknown = withoutNulls(JSON.parse(text));
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function withoutKeys(
  object: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** The named fields of `value` that are maps of strings. */
function pickRecords(
  value: unknown,
  keys: readonly string[],
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    keys.flatMap((key) => {
      const field = value[key];
      return isStringMap(field) ? [[key, field]] : [];
    }),
  );
}
