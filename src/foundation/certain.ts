/** A value that cannot be missing here, for a reason that the types do not see; missing is a bug. */
export function certain<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`missing: ${what}`);
  return value;
}
