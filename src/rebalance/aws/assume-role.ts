import { AssumeRoleCommand, STSClient, type AssumeRoleResponse } from '@aws-sdk/nested-clients/sts';
import { beforeDeadline, type Deadline } from '../../foundation/deadline.ts';
import { defined } from '../../foundation/defined.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import type { StsConnection } from './connection.ts';
import { assumeRoleFailure, timedOut, unreadableSession } from './failures.ts';
import type { Loaded } from './kept-set.ts';
import type { AwsCredentials, CredentialFailure } from './port.ts';

/** A session to ask STS for. */
export interface RoleSession {
  readonly roleArn: string;
  readonly externalId: string | undefined;
  readonly sessionName: string;
}

/** A session of the role, of STS' default length: an hour, which is also the longest that one role may have of another. */
export async function assumeRole(
  { roleArn, externalId, sessionName }: RoleSession,
  credentials: AwsCredentials,
  connection: StsConnection,
  deadline: Deadline,
): Promise<Result<Loaded, CredentialFailure>> {
  const client = new STSClient({
    region: connection.region,
    requestHandler: connection.handler,
    credentials,
    maxAttempts: 2,
  });
  const command = new AssumeRoleCommand({
    RoleArn: roleArn,
    RoleSessionName: sessionName,
    ExternalId: externalId,
  });
  // The SDK heeds the signal while it calls, not while it pauses before a retry.
  const session = client
    .send(command, { abortSignal: deadline.signal })
    .then(readSession, (thrown: unknown) =>
      err(deadline.signal.aborted ? timedOut() : assumeRoleFailure(thrown)),
    );
  return beforeDeadline(deadline, session, err(timedOut()));
}

function readSession({ Credentials: got }: AssumeRoleResponse): Result<Loaded, CredentialFailure> {
  if (got?.AccessKeyId === undefined || got.SecretAccessKey === undefined) return err(unreadableSession());
  const credentials = defined({
    accessKeyId: got.AccessKeyId,
    secretAccessKey: got.SecretAccessKey,
    sessionToken: got.SessionToken,
  });
  return ok({ credentials, expiresAtMs: got.Expiration?.getTime() });
}
