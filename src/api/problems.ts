import type { z } from 'zod';
import { oneLine } from '../foundation/one-line.ts';
import { holdsAtMost } from '../foundation/record.ts';
import type { Result } from '../foundation/result.ts';
import { err, ok } from '../foundation/result.ts';
import type { SpecProblem } from '../kubernetes/spec-problem.ts';

/**
 * Many times what any of our objects has, as their CRDs bound their lists. A schema reads all of a list before it finds it too
 * long, and remembers what is wrong with each item: a forged body of megabytes would take a hundred times its memory.
 */
export const MAX_VALUES = 20_000;

/**
 * Reads `raw` by a wire schema; a problem for each field that is wrong carries its path under `root` and what was expected
 * there. A schema that has a text of its own for a rule (`z.string().regex(pattern, text)`) keeps it.
 */
export function readBySchema<T>(
  schema: z.ZodType<T>,
  raw: unknown,
  root: string,
): Result<T, readonly SpecProblem[]> {
  if (!holdsAtMost(MAX_VALUES, raw))
    return err([{ path: root, message: `expected at most ${MAX_VALUES} values` }]);
  const parsed = schema.safeParse(raw, { error: describe });
  if (parsed.success) return ok(parsed.data);
  const byPath = new Map<string, SpecProblem>();
  for (const issue of parsed.error.issues) {
    const path = fieldPath(root, issue.path);
    if (!byPath.has(path)) byPath.set(path, { path, message: issue.message });
  }
  return err([...byPath.values()]);
}

/** `spec.metrics[0].name`; a key from outside is cleaned and cut. */
export function fieldPath(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (above, key) =>
      typeof key === 'number' ? `${above}[${key}]` : joinPath(above, oneLine(String(key), 64)),
    root,
  );
}

function joinPath(above: string, key: string): string {
  return above === '' ? key : `${above}.${key}`;
}

function describe(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `expected ${typeWords(issue.expected)}`;
    case 'invalid_value':
      return `expected ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return `expected at least ${sizeWords(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `expected at most ${sizeWords(issue.maximum, issue.origin)}`;
    default:
      return undefined;
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function typeWords(expected: string): string {
  return TYPE_WORDS[expected] ?? expected;
}

const UNIT_WORDS: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' items',
  object: ' keys',
};

function sizeWords(bound: number | bigint, origin: string): string {
  return `${bound}${UNIT_WORDS[origin] ?? ''}`;
}
