import type { Deadline } from '../../foundation/deadline.ts';
import type { Result } from '../../foundation/result.ts';
import type { AwsCredentials, CredentialFailure, CredentialSet } from './port.ts';

/** What a call that AWS refused for its credentials ends with. */
interface Refusal {
  readonly reason: string;
  /** True where something may have been done nevertheless. */
  readonly outcomeUnknown?: boolean;
}

const REFUSED = new Set(['ExpiredToken', 'InvalidCredentials']);

/**
 * Acts with the current credentials of a set. Where AWS refuses them, which it does before it does anything, acts once
 * more with newer ones, if the set has any: a rotation fails no call.
 */
export async function withCredentials<T, F extends Refusal>(
  set: CredentialSet,
  deadline: Deadline,
  act: (credentials: AwsCredentials) => Promise<Result<T, F>>,
): Promise<Result<T, F | CredentialFailure>> {
  const current = await set.current(deadline);
  if (!current.ok) return current;
  const result = await act(current.value);
  if (result.ok || !REFUSED.has(result.error.reason) || result.error.outcomeUnknown === true) return result;

  set.forget(current.value);
  const renewed = await set.current(deadline);
  if (!renewed.ok) return renewed;
  return isSame(renewed.value, current.value) ? result : act(renewed.value);
}

/** Whether two credentials are the same keys, whenever they end. */
export function isSame(one: AwsCredentials, other: AwsCredentials): boolean {
  return (
    one.accessKeyId === other.accessKeyId &&
    one.secretAccessKey === other.secretAccessKey &&
    one.sessionToken === other.sessionToken
  );
}
