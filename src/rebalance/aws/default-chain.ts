import { fromHttp } from '@aws-sdk/credential-provider-http';
import { defaultProvider, type DefaultProviderInit } from '@aws-sdk/credential-provider-node';
import { beforeDeadline, type Deadline } from '../../foundation/deadline.ts';
import { defined } from '../../foundation/defined.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import { abortable, type StsConnection } from './connection.ts';
import { agentFailure, chainFailure, timedOut } from './failures.ts';
import type { Loaded } from './kept-set.ts';
import type { CredentialFailure } from './port.ts';

/**
 * What the process finds, in the SDK's order: environment, shared files, web identity, Pod Identity, instance. Nothing is
 * kept: the SDK's own memory is left behind with its provider, and files are read anew.
 */
export async function loadFromProcess(
  connection: StsConnection,
  deadline: Deadline,
): Promise<Result<Loaded, CredentialFailure>> {
  return beforeDeadline(deadline, askChain(connection, deadline), err(timedOut()));
}

async function askChain(
  connection: StsConnection,
  deadline: Deadline,
): Promise<Result<Loaded, CredentialFailure>> {
  const init: DefaultProviderInit = {
    ignoreCache: true,
    // Of the agent and the instance's metadata service, which are next door; a later attempt is the retry.
    timeout: 1_000,
    maxRetries: 0,
  };
  // What the SDK's own clients of STS take over.
  const callerClientConfig = {
    region: connection.region,
    requestHandler: abortable(connection.handler, deadline.signal),
  };
  try {
    return ok(toLoaded(await defaultProvider(init)({ callerClientConfig })));
  } catch (thrown) {
    const agent = isNoneFound(thrown) ? agentOfProcess(init) : undefined;
    if (agent === undefined) return err(chainFailure(thrown));
    // The chain hides what the agent says behind its next link; asked once more it says so, or gives them.
    return agent().then(
      (credentials) => ok(toLoaded(credentials)),
      (refusal: unknown) => err(agentFailure(refusal)),
    );
  }
}

function isNoneFound(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'CredentialsProviderError';
}

/** undefined: the environment names none. */
function agentOfProcess(init: DefaultProviderInit): ReturnType<typeof fromHttp> | undefined {
  try {
    return fromHttp(init);
  } catch {
    return undefined;
  }
}

interface Found {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}

function toLoaded({ accessKeyId, secretAccessKey, sessionToken, expiration }: Found): Loaded {
  return {
    credentials: defined({ accessKeyId, secretAccessKey, sessionToken }),
    expiresAtMs: expiration?.getTime(),
  };
}
