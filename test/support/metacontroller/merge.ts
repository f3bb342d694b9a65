import { err, ok, type Result } from '../../../src/foundation/result.ts';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { goJson, isRecord, omit, recordAt, type JsonRecord } from '../json.ts';

export const LAST_APPLIED = 'metacontroller.k8s.io/last-applied-configuration';

/** The fields by which items of a list are guessed to be the same thing; the first that all items have wins. */
const MERGE_KEYS = ['containerPort', 'port', 'mountPath', 'name', 'uid', 'ip', 'path'] as const;

/** Fields of metadata that only the API server writes: what a hook says of them is not a difference. */
const SYSTEM_FIELDS = [
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
] as const;

/**
 * [three-way-merge] What `observed` becomes when the difference between what was asked for last and what is asked for now
 * is applied to it: fields that are no longer asked for go, fields that were never asked for stay, lists whose items all
 * share a merge key are merged item by item, other lists are replaced. What is not of the observed type counts as absent.
 */
export function merge(observed: unknown, lastApplied: unknown, desired: unknown): unknown {
  if (isRecord(observed)) return mergeRecords(observed, recordAt(lastApplied), recordAt(desired));
  if (Array.isArray(observed)) return mergeLists(observed, listOf(lastApplied), listOf(desired));
  return desired;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function mergeRecords(observed: JsonRecord, lastApplied: JsonRecord, desired: JsonRecord): JsonRecord {
  const isDropped = (key: string): boolean => Object.hasOwn(lastApplied, key) && !Object.hasOwn(desired, key);
  const kept = Object.entries(observed).filter(([key]) => !isDropped(key));
  const merged = Object.entries(desired).map(([key, wanted]) => {
    return [key, merge(observed[key], lastApplied[key], wanted)] as const;
  });
  return { ...Object.fromEntries(kept), ...Object.fromEntries(merged) };
}

function mergeLists(
  observed: readonly unknown[],
  lastApplied: readonly unknown[],
  desired: readonly unknown[],
): readonly unknown[] {
  const keyed = keyItems([observed, lastApplied, desired]);
  if (keyed === undefined) return desired;
  const [observedItems = [], lastItems = [], desiredItems = []] = keyed;
  const merged = mergeRecords(
    Object.fromEntries(observedItems),
    Object.fromEntries(lastItems),
    Object.fromEntries(desiredItems),
  );
  // Observed items keep their places, new ones follow in the order asked for.
  const places = observedItems.map(([name]) => name);
  const added = new Set(desiredItems.map(([name]) => name).filter((name) => !places.includes(name)));
  return [...places, ...added].filter((name) => Object.hasOwn(merged, name)).map((name) => merged[name]);
}

/** Each list as pairs of merge key and item, or undefined where the items do not all share one of MERGE_KEYS. */
function keyItems(
  lists: readonly (readonly unknown[])[],
): readonly (readonly (readonly [string, JsonRecord])[])[] | undefined {
  const items = lists.flat();
  const records = items.filter(isRecord);
  if (records.length === 0 || records.length < items.length) return undefined;
  const mergeKey = MERGE_KEYS.find((key) => records.every((item) => Object.hasOwn(item, key)));
  if (mergeKey === undefined) return undefined;
  return lists.map((list) => list.filter(isRecord).map((item) => [String(item[mergeKey]), item] as const));
}

/** The object as it will be written: `desired` merged into `observed`, the new last-applied annotation set. */
export function applyUpdate(
  observed: ObservedObject,
  desired: ObservedObject,
): Result<ObservedObject, string> {
  const lastApplied = readLastApplied(observed);
  if (!lastApplied.ok) return lastApplied;
  const wanted = withoutLastApplied(desired);
  const merged = recordAt(merge(observed, lastApplied.value, wanted));
  const metadata = revert(recordAt(merged, 'metadata'), recordAt(observed, 'metadata'), SYSTEM_FIELDS);
  // A child's status belongs to its own controller.
  const reverted = revert({ ...merged, metadata }, observed, ['status']);
  return ok(withLastApplied(reverted as unknown as ObservedObject, wanted));
}

/** `object` with the annotation that remembers `applied`. */
export function withLastApplied(object: ObservedObject, applied: ObservedObject): ObservedObject {
  const annotations = { ...object.metadata.annotations, [LAST_APPLIED]: goJson(applied) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** A hook that sends back what it observed must not make the annotation contain itself. */
function withoutLastApplied(object: ObservedObject): ObservedObject {
  if (object.metadata.annotations?.[LAST_APPLIED] === undefined) return object;
  const annotations = omit(object.metadata.annotations, LAST_APPLIED);
  return { ...object, metadata: { ...object.metadata, annotations } };
}

function readLastApplied(object: ObservedObject): Result<unknown, string> {
  const text = object.metadata.annotations?.[LAST_APPLIED];
  if (text === undefined || text === '') return ok(undefined);
  try {
    return ok(JSON.parse(text));
  } catch {
    return err(`cannot read the annotation ${LAST_APPLIED}`);
  }
}

/** `fields` as `original` has them: there with its value, or not there. */
function revert(changed: JsonRecord, original: JsonRecord, fields: readonly string[]): JsonRecord {
  const kept = Object.entries(changed).filter(([key]) => !fields.includes(key));
  const restored = fields.filter((key) => Object.hasOwn(original, key)).map((key) => [key, original[key]] as const);
  return Object.fromEntries([...kept, ...restored]);
}
