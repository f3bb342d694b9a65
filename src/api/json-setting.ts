import { err, ok, type Result } from '../foundation/result.ts';
import { withoutNulls } from '../foundation/without-nulls.ts';

/** The JSON of a flag, without its nulls. The error leaves out the flag's name, which the caller knows. */
export function parseJsonSetting(json: string): Result<unknown, string> {
  try {
    return ok(withoutNulls(JSON.parse(json)));
  } catch {
    return err('expected JSON');
  }
}
