import type { ObservedMetadata, ObservedObject } from '../../../src/kubernetes/objects.ts';
import { omit, recordAt, type JsonRecord } from '../json.ts';
import type { KindRules } from './kinds.ts';

/** Fields of metadata that no client can write. */
const SYSTEM_FIELDS: readonly string[] = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'managedFields',
];

export function keyOf({ apiVersion, kind, metadata }: ObservedObject): string {
  return `${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

export function nameOf({ kind, metadata }: ObservedObject): string {
  return `${kind} "${metadata.name}"`;
}

export function identityOf({ apiVersion, kind, metadata }: ObservedObject): ObservedObject {
  return { apiVersion, kind, metadata };
}

export function withMetadata(
  object: ObservedObject,
  fields: Partial<ObservedMetadata> & { readonly managedFields?: readonly JsonRecord[] },
): ObservedObject {
  return { ...object, metadata: { ...object.metadata, ...fields } };
}

/** [resource-version-conflict] A uid or resourceVersion that is sent must be the stored one. */
export function isOutdated(sent: ObservedObject, stored: ObservedObject): boolean {
  const { uid = stored.metadata.uid, resourceVersion = stored.metadata.resourceVersion } = sent.metadata;
  return uid !== stored.metadata.uid || resourceVersion !== stored.metadata.resourceVersion;
}

/** `sent` with what a client cannot set taken from the stored object. */
export function replaceContent(
  rules: KindRules,
  before: ObservedObject,
  sent: ObservedObject,
): ObservedObject {
  const status = rules.hasStatusSubresource ? before['status'] : sent['status'];
  const isSystem = ([key]: readonly [string, unknown]): boolean => SYSTEM_FIELDS.includes(key);
  const metadata = {
    ...Object.fromEntries(Object.entries(sent.metadata).filter((field) => !isSystem(field))),
    ...Object.fromEntries(Object.entries(before.metadata).filter(isSystem)),
    name: sent.metadata.name,
  };
  return {
    ...omit(sent, 'status'),
    ...identityOf(sent),
    metadata,
    ...(status === undefined ? {} : { status }),
  };
}

/** [generation] The next generation, or undefined for a kind without. */
export function generationAfter(
  rules: KindRules,
  before: ObservedObject,
  after: ObservedObject,
): number | undefined {
  const { generation } = before.metadata;
  if (rules.bumpsGeneration === undefined || generation === undefined) return undefined;
  return rules.bumpsGeneration(before, after) ? generation + 1 : generation;
}

/** Marked for deletion, and nobody's finalizer holds it any more. */
export function isFinalized({ metadata }: ObservedObject): boolean {
  const finalizers = recordAt(metadata)['finalizers'];
  const isHeld = Array.isArray(finalizers) && finalizers.length > 0;
  return metadata.deletionTimestamp !== undefined && !isHeld;
}
