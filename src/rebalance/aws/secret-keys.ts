import { defined } from '../../foundation/defined.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import type { CallContext } from '../secrets.ts';
import type { AwsBase, SecretKeyReference } from '../spec.ts';
import { fingerprint } from './fingerprint.ts';
import type { AwsCredentials, CredentialFailure, CredentialSet } from './port.ts';

type SecretKeys = Extract<AwsBase, { kind: 'SecretKeys' }>;

/** The keys as they stand in the Secrets now; other keys are another set. */
export async function readSecretKeys(
  { accessKeyId, secretAccessKey, sessionToken }: SecretKeys,
  context: CallContext,
): Promise<Result<CredentialSet, CredentialFailure>> {
  const [id, secret, token] = await Promise.all([
    readKey(accessKeyId, context),
    readKey(secretAccessKey, context),
    sessionToken === undefined ? ok(undefined) : readKey(sessionToken, context),
  ]);
  if (!id.ok) return id;
  if (!secret.ok) return secret;
  if (!token.ok) return token;
  if (token.value === undefined && isTemporary(id.value)) return err(tokenMissing(accessKeyId));
  const keys = { accessKeyId: id.value, secretAccessKey: secret.value, sessionToken: token.value };
  return ok(fixedSet(defined(keys)));
}

async function readKey(
  reference: SecretKeyReference,
  { secrets, deadline }: CallContext,
): Promise<Result<string, CredentialFailure>> {
  const read = await secrets.read(reference, deadline);
  if (!read.ok) return read;
  // A line break at the end is what `kubectl create secret --from-file` often adds; no key has one.
  const key = read.value.trim();
  return /^[!-~]+$/.test(key) ? ok(key) : err(notAKey(reference));
}

/** IAM User Guide, "IAM identifiers": the prefix of keys that STS made. */
function isTemporary(accessKeyId: string): boolean {
  return accessKeyId.startsWith('ASIA');
}

function notAKey({ name, key }: SecretKeyReference): CredentialFailure {
  const message = `Secret ${name} has no AWS key under "${key}": expected one word of ASCII characters`;
  return { reason: 'InvalidCredentials', message };
}

function tokenMissing({ name, key }: SecretKeyReference): CredentialFailure {
  const message = `Secret ${name} has a temporary access key under "${key}", which needs its session token; name it by sessionTokenSecretRef`;
  return { reason: 'InvalidCredentials', message };
}

/** There are no newer ones before the Secrets are read again, which the next evaluation does. */
function fixedSet(credentials: AwsCredentials): CredentialSet {
  return {
    key: fingerprint(credentials),
    current: () => Promise.resolve(ok(credentials)),
    forget: () => undefined,
  };
}
