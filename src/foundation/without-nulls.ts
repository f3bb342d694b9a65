/** Deeper than any field that is read or answered, and no stack that a body could exhaust. */
const MAX_DEPTH = 64;

/**
 * JSON without its null fields: null means absent, as the API server reads it for fields that are not nullable. Items of
 * lists stay, null or not: a list with a hole is wrong, not shorter. What lies deeper than 64 levels is left out.
 */
export function withoutNulls(value: unknown): unknown {
  return prune(value, MAX_DEPTH);
}

function prune(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return undefined;
  if (Array.isArray(value))
    return value.map((item) => prune(item, depth - 1)).filter((item) => item !== undefined);
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, field]) => [key, prune(field, depth - 1)] as const)
      .filter(([, field]) => field !== null && field !== undefined),
  );
}
