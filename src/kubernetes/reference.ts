import type { DesiredObject, ObjectReference, ObservedObject } from './objects.ts';

/** What names an object that is asked for. */
export function referenceTo({ apiVersion, kind, metadata }: DesiredObject): ObjectReference {
  return { apiVersion, kind, namespace: metadata.namespace, name: metadata.name };
}

/** Whether an object of the reference's namespace is the one that it names. */
export function isNamedBy(
  { apiVersion, kind, metadata }: ObservedObject,
  reference: ObjectReference,
): boolean {
  return apiVersion === reference.apiVersion && kind === reference.kind && metadata.name === reference.name;
}
