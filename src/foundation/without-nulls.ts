/** How deep nulls are looked for: deeper than any field that is read, and no stack that a body could exhaust. */
const MAX_DEPTH = 64;

/**
 * JSON without its null fields: null means absent, as the API server reads it for fields that are not nullable. Items of
 * lists stay, null or not: a list with a hole is wrong, not shorter.
 */
export function withoutNulls(value: unknown): unknown {
  return prune(value, MAX_DEPTH);
}

function prune(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => prune(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) =>
      field === null || field === undefined ? [] : [[key, prune(field, depth - 1)]],
    ),
  );
}
