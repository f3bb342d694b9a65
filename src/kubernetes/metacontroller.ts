import { isRecord, isStringMap } from '../foundation/record.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import { isLabelValue } from './labels.ts';
import { isDnsLabel, isDnsSubdomain } from './names.ts';
import type { DesiredObject, ObservedObject, OwnerReference } from './objects.ts';

/**
 * The wire format of a CompositeController's sync hook (v1, and v2's keys), as read in and measured against
 * Metacontroller v4.17.2: https://metacontroller.github.io/metacontroller/api/compositecontroller.html#sync-hook.
 * Metacontroller always sends all five fields; a person with curl does not, so only what cannot be done without is
 * demanded. Metadata is read, not the inner keys, so both hook versions are understood.
 */

/** The parent as posted: `spec` and `status` are whatever came, read later by the parent's own schema. */
export interface ObservedParent {
  /** Metacontroller always sends it, curl may not. */
  readonly kind?: string | undefined;
  readonly metadata: ObservedObject['metadata'] & {
    readonly namespace: string;
    readonly uid: string;
    /** 0 where the body has none (curl). */
    readonly generation: number;
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** What a sync hook works on. */
export interface SyncRequest {
  readonly parent: ObservedParent;
  /** Every observed child, of whatever kind and name. */
  readonly children: readonly ObservedObject[];
  /** Keys of `children` as sent (`Deployment.apps/v1`): a missing one means that the controller does not manage it. */
  readonly managedKinds: ReadonlySet<string>;
  readonly finalizing: boolean;
}

/** The answer of a sync hook. `children` is always an array: an omitted one deletes every owned child. */
export interface SyncResponse {
  readonly status: Readonly<Record<string, unknown>>;
  readonly children: readonly DesiredObject[];
  /** Seconds above 0 until one more sync; absent = only events and the controller's resync period. */
  readonly resyncAfterSeconds?: number;
}

/** Key of a kind under `children`; core kinds drop the group: `Service.v1`, `Deployment.apps/v1`. */
export function childKindKey(apiVersion: string, kind: string): string {
  return `${kind}.${apiVersion}`;
}

/** Which field of the envelope is wrong, and what was expected there. */
export interface EnvelopeError {
  readonly path: string;
  readonly expected: string;
}

type Read<T> = Result<T, EnvelopeError>;
type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Reads a sync request, or says which field of the envelope is wrong. By hand, for this is half of what a settled sync
 * does, and so that every observed child is seen, whatever its key is: a schema library skips what looks like a prototype.
 */
export function parseSyncRequest(body: unknown): Read<SyncRequest> {
  if (!isRecord(body)) return wrong('body', 'an object');
  const parent = readParent(body['parent']);
  if (!parent.ok) return parent;
  const children = readChildren(body['children'] ?? {});
  if (!children.ok) return children;
  const finalizing = body['finalizing'] ?? false;
  if (typeof finalizing !== 'boolean') return wrong('finalizing', 'true or false');
  return ok({ parent: parent.value, ...children.value, finalizing });
}

/**
 * The parent's identity goes into logs, metrics, paths of the API and commands that a person is told to run, so it is taken
 * in the shape that the API server gives it and in no other. The uid becomes the label controller-uid of every child.
 */
function readParent(raw: unknown): Read<ObservedParent> {
  if (!isRecord(raw)) return wrong('parent', 'an object');
  const problem = fieldProblem(raw, 'parent', { kind: TEXT });
  if (problem !== undefined) return err(problem);
  const { metadata: rawMetadata } = raw;
  const metadata = readMetadata(rawMetadata, 'parent.metadata');
  if (!metadata.ok) return metadata;
  const { name, namespace, uid, generation } = metadata.value;
  if (!isDnsSubdomain(name)) return wrong('parent.metadata.name', 'a DNS name of at most 253 characters');
  if (!isDnsLabel(namespace))
    return wrong('parent.metadata.namespace', 'a DNS label of at most 63 characters');
  if (uid === undefined || uid === '' || !isLabelValue(uid)) return wrong('parent.metadata.uid', 'a UID');
  const kind = raw['kind'] === null ? { kind: undefined } : {};
  return ok({
    ...raw,
    ...kind,
    metadata: { ...metadata.value, namespace, uid, generation: generation ?? 0 },
  });
}

function readChildren(raw: unknown): Read<Pick<SyncRequest, 'children' | 'managedKinds'>> {
  if (!isRecord(raw)) return wrong('children', 'an object');
  const children: ObservedObject[] = [];
  for (const [kind, byName] of Object.entries(raw)) {
    if (!isRecord(byName)) return wrong(`children.${kind}`, 'an object');
    for (const [name, object] of Object.entries(byName)) {
      const child = readChild(object, `children.${kind}.${name}`);
      if (!child.ok) return child;
      children.push(child.value);
    }
  }
  return ok({ children, managedKinds: new Set(Object.keys(raw)) });
}

function readChild(raw: unknown, path: string): Read<ObservedObject> {
  if (!isRecord(raw)) return wrong(path, 'an object');
  const { apiVersion, kind, metadata: rawMetadata } = raw;
  if (!isNonEmpty(apiVersion)) return wrong(`${path}.apiVersion`, 'a text that is not empty');
  if (!isNonEmpty(kind)) return wrong(`${path}.kind`, 'a text that is not empty');
  const metadata = readMetadata(rawMetadata, `${path}.metadata`);
  return metadata.ok ? ok({ ...raw, apiVersion, kind, metadata: metadata.value }) : metadata;
}

/** A check of a field that is there, and what it expects. */
interface FieldRule {
  readonly is: (value: unknown) => boolean;
  readonly expected: string;
}

const TEXT: FieldRule = { is: (value) => typeof value === 'string', expected: 'a string' };
const STRING_MAP: FieldRule = { is: isStringMap, expected: 'an object of strings' };

/** The optional fields of metadata that are read. */
const METADATA_RULES: Readonly<Record<string, FieldRule>> = {
  namespace: TEXT,
  uid: TEXT,
  resourceVersion: TEXT,
  generation: { is: Number.isSafeInteger, expected: 'an integer' },
  creationTimestamp: TEXT,
  deletionTimestamp: TEXT,
  labels: STRING_MAP,
  annotations: STRING_MAP,
  ownerReferences: {
    is: (value) => Array.isArray(value) && value.every(isOwnerReference),
    expected: 'a list of owner references',
  },
};

function isOwnerReference(value: unknown): value is OwnerReference {
  if (!isRecord(value)) return false;
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = value;
  return (
    [apiVersion, kind, name, uid].every((text) => typeof text === 'string') &&
    [controller, blockOwnerDeletion].every(
      (flag) => (flag ?? undefined) === undefined || typeof flag === 'boolean',
    )
  );
}

function readMetadata(raw: unknown, path: string): Read<ObservedObject['metadata']> {
  if (!isRecord(raw)) return wrong(path, 'an object');
  const { name } = raw;
  if (!isNonEmpty(name)) return wrong(`${path}.name`, 'a text that is not empty');
  const problem = fieldProblem(raw, path, METADATA_RULES);
  return problem === undefined ? ok({ ...withoutNullFields(raw), name }) : err(problem);
}

/** The first field that is there and not as its rule says. */
function fieldProblem(
  raw: JsonRecord,
  path: string,
  rules: Readonly<Record<string, FieldRule>>,
): EnvelopeError | undefined {
  for (const field in rules) {
    const rule = rules[field];
    const value = raw[field] ?? undefined;
    if (rule !== undefined && value !== undefined && !rule.is(value)) {
      return { path: `${path}.${field}`, expected: `expected ${rule.expected}` };
    }
  }
  return undefined;
}

/** null means absent. */
function withoutNullFields(raw: JsonRecord): JsonRecord {
  const entries = Object.entries(raw);
  return entries.some(([, value]) => value === null)
    ? Object.fromEntries(entries.filter(([, value]) => value !== null))
    : raw;
}

function isNonEmpty(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function wrong(path: string, expected: string): { readonly ok: false; readonly error: EnvelopeError } {
  return err({ path, expected: `expected ${expected}` });
}
