/** A JSON object: neither null nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The row of a table under a word from outside: none under `constructor`, which every object inherits. */
export function rowOf<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

/** Whether a JSON value holds at most so many, itself and those at any depth counted; looks at no more of them. */
export function holdsAtMost(limit: number, value: unknown): boolean {
  const open = [value];
  for (let seen = 0; seen + open.length <= limit; seen += 1) {
    if (open.length === 0) return true;
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inside: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (inside.length > limit) return false;
    open.push(...inside);
  }
  return false;
}

/** A JSON object whose values are all texts: labels, annotations. */
export function isStringMap(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((item) => typeof item === 'string');
}
