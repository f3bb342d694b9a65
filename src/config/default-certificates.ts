import type { DefaultCertificateSpecs } from '../balancer/settings.ts';
import { ok, type Result } from '../foundation/result.ts';
import { parseJsonObject } from './values.ts';

/** `--default-certificate-specs`. */
export function parseDefaultCertificates(text: string): Result<DefaultCertificateSpecs, string> {
  const json = parseJsonObject(text);
  if (!json.ok) return json;
  return ok({ balancerdExternal: undefined, internal: undefined });
}
