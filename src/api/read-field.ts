import type { z } from 'zod';
import { parseRfc3339 } from '../foundation/clock.ts';
import { isRecord } from '../foundation/record.ts';

/** A field of a status as its schema reads it; undefined where it is missing or unreadable. */
export function read<T>(schema: z.ZodType<T>, raw: unknown): T | undefined {
  const parsed = schema.safeParse(raw);
  return parsed.success ? parsed.data : undefined;
}

/** A time that is one, unlike what only has a time's schema, such as a 31st of February. */
export function readTime(raw: unknown): string | undefined {
  return typeof raw === 'string' && parseRfc3339(raw) !== undefined ? raw : undefined;
}

/** The fields of an object, for reading them one by one; none where it is no object. */
export function fieldsOf(raw: unknown): Readonly<Record<string, unknown>> {
  return isRecord(raw) ? raw : {};
}
