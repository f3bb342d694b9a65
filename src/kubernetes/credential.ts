import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '../foundation/clock.ts';
import { startDeadline } from '../foundation/deadline.ts';
import { oneLine } from '../foundation/one-line.ts';
import { keepRenewed, type Lasting } from '../foundation/renewed.ts';
import { err, ok, type Result } from '../foundation/result.ts';

/** Who we are to the API server: a token, or a certificate with its key, in PEM. */
export interface Credential {
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Where a credential comes from that does not last. */
export interface CredentialSource {
  /** The current one; the error is one line. */
  current(): Promise<Result<Credential, string>>;
  /** It is refused: the next call gets a new one. */
  forget(): void;
}

/** A source may ask a person or a slow server; what takes longer hangs. */
export const SOURCE_LIMIT_MS = 60_000;

/** Keeps what `load` gives for as long as it is good; all who need it at once share one load, which ends by itself. */
export function keepCredential(load: () => Promise<Result<Lasting<Credential>, string>>): CredentialSource {
  const renewed = keepRenewed<Credential, string>({
    load,
    clock: systemClock,
    isSame: isDeepStrictEqual,
    late: () => 'no credential in time',
    isLate: () => false,
  });
  let given: Credential | undefined;
  return {
    current: async () => {
      const credential = await renewed.current(startDeadline(2 * SOURCE_LIMIT_MS));
      if (credential.ok) given = credential.value;
      return credential;
    },
    forget: () => {
      if (given !== undefined) renewed.forget(given);
    },
  };
}

/** `user.tokenFile` of a kubeconfig: read again once a minute, as kubectl does, and when its token is refused. */
export function tokenFile(path: string): CredentialSource {
  return keepCredential(async () => {
    try {
      const token = (await readFile(path, 'utf8')).trim();
      if (token === '') return err(oneLine(`the kubeconfig's tokenFile ${path} is empty`));
      return ok({ value: { token }, expiresAtMs: undefined });
    } catch (error) {
      return err(oneLine(`cannot read the kubeconfig's tokenFile: ${(error as Error).message}`));
    }
  });
}
