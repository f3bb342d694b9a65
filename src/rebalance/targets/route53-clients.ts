import { createHash } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Route53Client } from '@aws-sdk/client-route-53';
import { LRUCache } from 'lru-cache';
import { ok, type Result } from '../../foundation/result.ts';
import type { CallContext, SecretFailure } from '../secrets.ts';
import type { Route53Auth, Route53Target } from '../spec.ts';
import { watchCalls, type Route53Call } from './route53-calls.ts';

export interface Route53Options {
  /** Another endpoint than AWS' own: an emulator. */
  readonly endpoint?: string | undefined;
  /** Told of every request. */
  readonly onCall?: (call: Route53Call) => void;
}

/** The clients of all credential sets in use. */
export interface Route53Clients {
  /** The client of the target's credentials; Secrets are read each time, so a rotated key gets another client. */
  clientOf(target: Route53Target, context: CallContext): Promise<Result<Route53Client, SecretFailure>>;
}

interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Credential sets kept at once; the least recently used one is built anew when it comes back. */
const MAX_CLIENTS = 128;

/** Where Route 53 of the aws partition is signed for, when nothing names a region. */
const DEFAULT_REGION = 'us-east-1';

/**
 * One client per region and credential set. All share one pool of connections, which belongs to none of them: a client
 * that is dropped while a call of it runs leaves that call alone, and holds nothing once it is gone.
 */
export function createRoute53Clients({ endpoint, onCall }: Route53Options): Route53Clients {
  const requestHandler = {
    httpAgent: new HttpAgent({ keepAlive: true }),
    httpsAgent: new HttpsAgent({ keepAlive: true }),
  };
  const clients = new LRUCache<string, Route53Client>({ max: MAX_CLIENTS });
  const regionOfProcess = ambientRegion();

  const build = (region: string | undefined, credentials: Keys | undefined): Route53Client => {
    const client = new Route53Client({
      region: region ?? regionOfProcess,
      requestHandler,
      retryMode: 'standard',
      maxAttempts: 3,
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(credentials === undefined ? {} : { credentials }),
    });
    if (onCall !== undefined) watchCalls(client, onCall);
    return client;
  };

  return {
    clientOf: async ({ region, auth }, context) => {
      const keys = await readKeys(auth, context);
      if (!keys.ok) return keys;
      const id = fingerprint(region, keys.value);
      const client = clients.get(id) ?? build(region, keys.value);
      clients.set(id, client);
      return ok(client);
    },
  };
}

/** What the SDK finds in AWS_REGION or the shared config, looked up once: another partition is chosen so. */
function ambientRegion(): () => Promise<string> {
  let region: Promise<string> | undefined;
  return () => (region ??= new Route53Client({}).config.region().catch(() => DEFAULT_REGION));
}

/** undefined: the SDK's default chain, which renews by itself. */
async function readKeys(
  auth: Route53Auth,
  { secrets, deadline }: CallContext,
): Promise<Result<Keys | undefined, SecretFailure>> {
  if (auth.kind === 'DefaultChain') return ok(undefined);
  const [accessKeyId, secretAccessKey] = await Promise.all([
    secrets.read(auth.accessKeyId, deadline),
    secrets.read(auth.secretAccessKey, deadline),
  ]);
  if (!accessKeyId.ok) return accessKeyId;
  if (!secretAccessKey.ok) return secretAccessKey;
  // A line break at the end is what `kubectl create secret --from-file` often adds; no key has one.
  return ok({ accessKeyId: accessKeyId.value.trim(), secretAccessKey: secretAccessKey.value.trim() });
}

/** The cache's key: no secret stays in it. */
function fingerprint(region: string | undefined, keys: Keys | undefined): string {
  const parts = JSON.stringify([region, keys?.accessKeyId, keys?.secretAccessKey]);
  return createHash('sha256').update(parts).digest('base64');
}
