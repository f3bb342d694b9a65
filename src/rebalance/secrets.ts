import type { Deadline } from '../foundation/deadline.ts';
import type { Result } from '../foundation/result.ts';
import type { SecretKeyReference } from './spec.ts';

/** Why a value of a Secret could not be had. `message` names the Secret and key, never a value. */
export interface SecretFailure {
  readonly reason:
    'SecretMissing' | 'SecretKeyMissing' | 'SecretForbidden' | 'SecretUnavailable' | 'SecretNamespaceRefused';
  readonly message: string;
}

/**
 * Reads Secrets of one Rebalance, by name, at each evaluation: a rotated key needs no restart, and nothing of the
 * cluster's Secrets is cached. Adapters ask it; a value never leaves the adapter that asked.
 */
export interface SecretReader {
  read(reference: SecretKeyReference, deadline: Deadline): Promise<Result<string, SecretFailure>>;
}

/** What every outside call of one evaluation gets. */
export interface CallContext {
  readonly secrets: SecretReader;
  /** Who calls, as an audit trail should name it: `counterpoise-<namespace>-<name>`. */
  readonly caller: string;
  readonly deadline: Deadline;
  /** How often the caller means to come; undefined: once. */
  readonly intervalMs?: number;
}
