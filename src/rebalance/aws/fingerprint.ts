import { createHash } from 'node:crypto';

/** A name for what the parts say together, from which none of them can be had. */
export function fingerprint(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
