import { isDeepStrictEqual } from 'node:util';

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at `path`, or an empty one where there is none. */
export function recordAt(value: unknown, ...path: readonly string[]): JsonRecord {
  let here = value;
  for (const key of path) here = isRecord(here) ? here[key] : undefined;
  return isRecord(here) ? here : {};
}

/** The list under `key`, or an empty one. */
export function listAt(value: unknown, key: string): readonly unknown[] {
  const list = isRecord(value) ? value[key] : undefined;
  return Array.isArray(list) ? list : [];
}

/** A copy without some fields. */
export function omit<T extends object, K extends keyof T & string>(
  value: T,
  ...keys: readonly K[]
): Omit<T, K> {
  const kept = Object.entries(value).filter(([key]) => !(keys as readonly string[]).includes(key));
  return Object.fromEntries(kept) as Omit<T, K>;
}

/** Structural equality of JSON values, whatever the order of keys. */
export function sameJson(left: unknown, right: unknown): boolean {
  return isDeepStrictEqual(left, right);
}

/** What is left of a value after it has been sent as JSON. */
export function overTheWire<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** JSON as Go's encoding/json writes a map: keys sorted, `<`, `>` and `&` escaped; what an annotation holds byte for byte. */
export function goJson(value: unknown): string {
  return JSON.stringify(value, sortKeys).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function sortKeys(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
