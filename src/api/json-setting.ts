import type { z } from 'zod';
import { parseJson } from '../foundation/json.ts';
import { isRecord } from '../foundation/record.ts';
import { err, type Result } from '../foundation/result.ts';
import { withoutNulls } from '../foundation/without-nulls.ts';
import { readBySchema } from './problems.ts';

/**
 * The JSON object that a flag holds, read by a wire schema without its nulls. The error is a clause that follows
 * "expected", as everywhere in config/, and names each field that is wrong.
 */
export function parseJsonSetting<T>(schema: z.ZodType<T>, json: string, what: string): Result<T, string> {
  const raw = parseJsonObject(json);
  if (raw === undefined) return err('a JSON object');
  const read = readBySchema(schema, raw, '');
  if (read.ok) return read;
  return err(`${what}, but ${read.error.map(({ path, message }) => `${path}: ${message}`).join('; ')}`);
}

function parseJsonObject(json: string): Readonly<Record<string, unknown>> | undefined {
  const parsed = withoutNulls(parseJson(json));
  return isRecord(parsed) ? parsed : undefined;
}
