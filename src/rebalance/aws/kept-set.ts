import type { Clock } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { keepRenewed } from '../../foundation/renewed.ts';
import { ok, type Result } from '../../foundation/result.ts';
import { timedOut } from './failures.ts';
import type { AwsCredentials, CredentialFailure, CredentialSet } from './port.ts';
import { isSame } from './renewal.ts';

/** Credentials as they were got. */
export interface Loaded {
  readonly credentials: AwsCredentials;
  /** undefined: they do not say, as keys of a file. */
  readonly expiresAtMs: number | undefined;
}

/** Gets credentials; ends with the deadline, by `timedOut` when it has passed. */
export type Load = (deadline: Deadline) => Promise<Result<Loaded, CredentialFailure>>;

/** A set whose credentials are kept while they are good. */
export function keepSet(key: string, load: Load, clock: Clock): CredentialSet {
  const renewed = keepRenewed<AwsCredentials, CredentialFailure>({
    load: async (deadline) => {
      const loaded = await load(deadline);
      if (!loaded.ok) return loaded;
      const { credentials, expiresAtMs } = loaded.value;
      return ok({ value: credentials, expiresAtMs });
    },
    clock,
    isSame,
    late: timedOut,
    isLate: ({ reason }) => reason === 'CredentialsTimeout',
  });
  return { key, ...renewed };
}
