/** Deeper than any field that is read or answered, and no stack that a body could exhaust. */
const MAX_DEPTH = 64;

/**
 * JSON without its null fields: null means absent, as the API server reads it for fields that are not nullable. Null items
 * of lists stay, for a list with a hole is wrong and not shorter, unless holes are asked to be closed. What lies deeper than
 * 64 levels is left out.
 */
export function withoutNulls(value: unknown, holes: 'kept' | 'closed' = 'kept'): unknown {
  return prune(value, MAX_DEPTH, holes);
}

function prune(value: unknown, depth: number, holes: 'kept' | 'closed'): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return undefined;
  if (Array.isArray(value))
    return value
      .map((item) => prune(item, depth - 1, holes))
      .filter((item) => item !== undefined && (item !== null || holes === 'kept'));
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, field]) => [key, prune(field, depth - 1, holes)] as const)
      .filter(([, field]) => field !== null && field !== undefined),
  );
}
