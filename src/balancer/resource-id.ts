import { createHash } from 'node:crypto';

/** What an id may look like: it is a label value, and part of a Service's name. */
export const RESOURCE_ID_PATTERN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
/** `mz<id>-balancerd` is a Service's name, at most 63 characters. */
export const RESOURCE_ID_MAX_LENGTH = 63 - 'mz-balancerd'.length;

const GENERATED_LENGTH = 10;

/**
 * The id of a Balancer that neither status nor spec names: 10 characters of [a-z0-9]. Upstream draws them at random; ours
 * come from the UID, so that a lost status write renames nothing.
 */
export function generateResourceId(uid: string): string {
  const digest = createHash('sha256').update(uid).digest('hex');
  const id = BigInt(`0x${digest}`) % 36n ** BigInt(GENERATED_LENGTH);
  return id.toString(36).padStart(GENERATED_LENGTH, '0');
}

/** Whether a text may name the children; what a status or a name holds may be anything. */
export function isResourceId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= RESOURCE_ID_MAX_LENGTH &&
    new RegExp(RESOURCE_ID_PATTERN).test(value)
  );
}
