import { Route53Client, type Route53ClientConfig } from '@aws-sdk/client-route-53';
import { LRUCache } from 'lru-cache';
import { err, type Result } from '../../foundation/result.ts';
import { accountOfKey } from '../aws/account-of-key.ts';
import { ambientRegion, createHandler } from '../aws/connection.ts';
import { createAwsCredentials } from '../aws/credentials.ts';
import { fingerprint } from '../aws/fingerprint.ts';
import type { AwsCredentials, AwsCredentialSets, CredentialFailure } from '../aws/port.ts';
import { withCredentials } from '../aws/renewal.ts';
import type { CallContext } from '../secrets.ts';
import type { Route53Target } from '../spec.ts';
import type { TargetFailure } from './port.ts';
import { watchCalls, type Route53Call } from './route53-calls.ts';

export interface Route53ClientOptions {
  /** Another endpoint than AWS' own: an emulator. */
  readonly endpoint?: string | undefined;
  /** Told of every request. */
  readonly onCall?: (call: Route53Call) => void;
  /** How requests travel; where absent over the network. */
  readonly requestHandler?: Route53ClientConfig['requestHandler'];
  /** Where all that call AWS take their credentials from; where absent a source of its own. */
  readonly credentials?: AwsCredentialSets;
}

/** The clients of all credentials in use. */
export interface Route53Clients {
  /**
   * Acts with a client of the target's credentials; Secrets are read each time, so a rotated key gets another client. Where
   * AWS refuses the credentials, acts once more with newer ones, if there are any.
   */
  use<T>(
    target: Route53Target,
    context: CallContext,
    act: (client: KeyedClient) => Promise<Result<T, TargetFailure>>,
  ): Promise<Result<T, TargetFailure>>;
}

export interface KeyedClient {
  /** Of the credential set, the same while its credentials are renewed; no secret. */
  readonly key: string;
  /**
   * Who shares AWS' quota: the number of the account where the keys tell it, else the set's key. It is believed once AWS has
   * accepted the keys, so that nobody stands in another account's line by a made-up id.
   */
  readonly account: string;
  readonly client: Route53Client;
}

/** Clients kept at once; the least recently used one is built anew when it comes back. */
const MAX_CLIENTS = 128;
/** Credential sets that are known to be accepted; one that was forgotten has a line of its own for one sync. */
const MAX_ACCEPTED = 1_000;

/**
 * One client per region and credentials. All share one pool of connections, which belongs to none of them: a client that is
 * dropped while a call of it runs leaves that call alone, and holds nothing once it is gone.
 */
export function createRoute53Clients({
  endpoint,
  onCall,
  requestHandler = createHandler(),
  credentials: sets = createAwsCredentials(),
}: Route53ClientOptions): Route53Clients {
  const clients = new LRUCache<string, Route53Client>({ max: MAX_CLIENTS });
  const accepted = new LRUCache<string, true>({ max: MAX_ACCEPTED });
  const regionOfProcess = ambientRegion();

  const build = (region: string | undefined, credentials: AwsCredentials): Route53Client => {
    const client = new Route53Client({
      region: region ?? regionOfProcess,
      requestHandler,
      // A retry is a request like any other: it waits for its turn.
      maxAttempts: 1,
      credentials,
      ...(endpoint === undefined ? {} : { endpoint }),
    });
    if (onCall !== undefined) watchCalls(client, onCall);
    return client;
  };
  const clientOf = (region: string | undefined, credentials: AwsCredentials): Route53Client => {
    const id = fingerprint(region, credentials);
    const client = clients.get(id) ?? build(region, credentials);
    clients.set(id, client);
    return client;
  };

  const accountOf = (key: string, { accessKeyId }: AwsCredentials): string =>
    (accepted.has(key) ? accountOfKey(accessKeyId) : undefined) ?? key;

  return {
    use: async ({ region, auth }, context, act) => {
      const set = await sets.of(auth, region, context);
      const result = set.ok
        ? await withCredentials(set.value, context.deadline, (credentials) =>
            act({
              key: set.value.key,
              account: accountOf(set.value.key, credentials),
              client: clientOf(region, credentials),
            }),
          )
        : set;
      if (set.ok && result.ok) accepted.set(set.value.key, true);
      if (result.ok) return result;
      return err('outcomeUnknown' in result.error ? result.error : toTargetFailure(result.error));
    },
  };
}

function toTargetFailure({ reason, message }: CredentialFailure): TargetFailure {
  return { reason, message: `spec.target.route53.auth: ${message}`, outcomeUnknown: false };
}
