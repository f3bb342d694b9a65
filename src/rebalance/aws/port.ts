import type { Deadline } from '../../foundation/deadline.ts';
import type { Result } from '../../foundation/result.ts';
import type { CallContext, SecretFailure } from '../secrets.ts';
import type { AwsAuth } from '../spec.ts';

/** What a request is signed with. Never logged, never in a message. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Temporary credentials have one. */
  readonly sessionToken?: string;
}

export type CredentialFailureReason =
  /** Neither the object nor the process has any. */
  | 'NoCredentials'
  /** AWS does not know them, or they are no keys at all. */
  | 'InvalidCredentials'
  | 'ExpiredToken'
  /** The web identity or Pod Identity token of the process cannot be read or is not accepted. */
  | 'InvalidIdentityToken'
  | 'AssumeRoleDenied'
  | 'CredentialsTimeout'
  | 'CredentialsUnreachable'
  /** Anything else that STS or the Pod Identity agent answered. */
  | 'CredentialsError'
  | SecretFailure['reason'];

/** `message`: one clean line without field path, secrets, session names, ports and times. */
export interface CredentialFailure {
  readonly reason: CredentialFailureReason;
  readonly message: string;
}

/** Who calls AWS: one identity, whose credentials are replaced as they expire or rotate. */
export interface CredentialSet {
  /**
   * Names the set without giving any of it away: equal for objects that use the same one, and for those that assume the same
   * role by sessions of other names. The set of a role, or of what the process finds, keeps it while its credentials are
   * renewed; other keys in a Secret are another set.
   */
  readonly key: string;
  /** Current credentials; what is asked for them ends with the deadline. */
  current(deadline: Deadline): Promise<Result<AwsCredentials, CredentialFailure>>;
  /** AWS refuses these: the next call gets newer ones. Of no effect once they have been replaced. */
  forget(credentials: AwsCredentials): void;
}

/** The credential sets of all objects. */
export interface AwsCredentialSets {
  /** The set that an object names; its Secrets are read now. `region`: of STS; undefined: the process' own. */
  of(
    auth: AwsAuth,
    region: string | undefined,
    context: CallContext,
  ): Promise<Result<CredentialSet, CredentialFailure>>;
}
