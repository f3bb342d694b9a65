import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { goJson, isRecord, listAt, omit, recordAt, sameJson, type JsonRecord } from '../json.ts';

/** A FieldsV1 tree: `f:` names a field, `k:` an item of a list by its keys; a leaf is an empty object. */
type FieldTree = JsonRecord;

export interface Write {
  readonly manager: string;
  readonly subresource: 'status' | undefined;
  /** RFC 3339. */
  readonly time: string;
}

/** Lists of which the API server tracks each item, with the fields that name an item. */
const ITEM_KEYS: Readonly<Record<string, readonly string[]>> = {
  ownerReferences: ['uid'],
  containers: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
};

const UNTRACKED_METADATA = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
];

/**
 * [managed-fields] metadata.managedFields after a write, in the form that the API server gives them: the writer owns what
 * it changed, nobody else does any more, and entries stand in the order of their times. Good for size and shape; which
 * maps and lists are tracked whole is guessed, where the API server knows the type.
 */
export function managedFieldsAfter(
  before: ObservedObject | undefined,
  after: ObservedObject,
  { manager, subresource, time }: Write,
): readonly JsonRecord[] {
  const isWriters = (entry: JsonRecord): boolean =>
    entry['manager'] === manager && entry['subresource'] === subresource;
  const entries = listAt(recordAt(before, 'metadata'), 'managedFields').map((entry) => recordAt(entry));
  const present = fieldsOf(tracked(after));
  const changed = difference(tracked(before), tracked(after));
  const others = entries
    .filter((entry) => !isWriters(entry))
    .map((entry) => ({ ...entry, fieldsV1: intersect(without(fieldsIn(entry), changed), present) }))
    .filter((entry) => Object.keys(entry.fieldsV1).length > 0);
  const own = intersect(union(fieldsIn(entries.find(isWriters)), changed), present);
  const ownEntry = {
    apiVersion: after.apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: own,
    manager,
    operation: 'Update',
    ...(subresource === undefined ? {} : { subresource }),
    time,
  };
  return [...others, ...(Object.keys(own).length === 0 ? [] : [ownEntry])].sort((a, b) =>
    orderOf(a) < orderOf(b) ? -1 : 1,
  );
}

function orderOf(entry: JsonRecord): string {
  return `${String(entry['time'])} ${String(entry['manager'])} ${String(entry['subresource'])}`;
}

function fieldsIn(entry: JsonRecord | undefined): FieldTree {
  return recordAt(entry, 'fieldsV1');
}

/** The part of an object whose fields have managers. */
function tracked(object: ObservedObject | undefined): JsonRecord {
  if (object === undefined) return {};
  const metadata = omit(recordAt(object.metadata), ...UNTRACKED_METADATA);
  const content = omit(object, 'apiVersion', 'kind', 'metadata');
  return Object.keys(metadata).length === 0 ? content : { ...content, metadata };
}

/** The fields of a value, by their names in a tree; undefined where the value is tracked whole. */
function childrenOf(name: string, value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [`f:${key}`, field]));
  }
  const keys = ITEM_KEYS[name];
  if (!Array.isArray(value) || keys === undefined) return undefined;
  const entries = value.map((item) => {
    const named = keys.map((key) => [key, recordAt(item)[key]]);
    return [`k:${goJson(Object.fromEntries(named))}`, item] as const;
  });
  return Object.fromEntries(entries);
}

function nameOf(field: string): string {
  return field.startsWith('f:') ? field.slice(2) : '';
}

function fieldsOf(value: unknown, name = ''): FieldTree {
  const children = Object.entries(childrenOf(name, value) ?? {});
  return Object.fromEntries(children.map(([field, child]) => [field, fieldsOf(child, nameOf(field))]));
}

/** The fields of `after` that `before` lacks or has otherwise. */
function difference(before: unknown, after: unknown, name = ''): FieldTree {
  const was = childrenOf(name, before) ?? {};
  const fields = Object.entries(childrenOf(name, after) ?? {})
    .filter(([field, child]) => !sameJson(was[field], child))
    .map(([field, child]) => [field, difference(was[field], child, nameOf(field))]);
  return recordAt(Object.fromEntries(fields));
}

function isLeaf(tree: FieldTree): boolean {
  return Object.keys(tree).length === 0;
}

function without(tree: FieldTree, taken: FieldTree): FieldTree {
  const kept = Object.entries(tree).flatMap(([field, child]) => {
    const other = taken[field];
    if (other === undefined) return [[field, child] as const];
    const rest = without(recordAt(child), recordAt(other));
    return isLeaf(rest) ? [] : [[field, rest] as const];
  });
  return Object.fromEntries(kept);
}

function intersect(tree: FieldTree, present: FieldTree): FieldTree {
  const kept = Object.entries(tree).filter(([field]) => Object.hasOwn(present, field));
  return Object.fromEntries(
    kept.map(([field, child]) => [field, intersect(recordAt(child), recordAt(present, field))]),
  );
}

function union(left: FieldTree, right: FieldTree): FieldTree {
  const added = Object.entries(right).map(
    ([field, child]) => [field, union(recordAt(left, field), recordAt(child))] as const,
  );
  return { ...left, ...Object.fromEntries(added) };
}
