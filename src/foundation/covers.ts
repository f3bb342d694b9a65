import { isRecord } from './record.ts';

/**
 * Whether a JSON value holds everything that `wanted` says: objects may have more keys, at any depth, as the API server
 * adds defaults to what it stores; lists have the same length and cover item by item; all else is equal.
 */
export function covers(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((item, index) => covers(value[index], item))
    );
  if (isRecord(wanted))
    return (
      isRecord(value) &&
      Object.entries(wanted).every(([key, item]) => Object.hasOwn(value, key) && covers(value[key], item))
    );
  return value === wanted;
}
