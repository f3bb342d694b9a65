import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { LRUCache } from 'lru-cache';
import { defined } from '../../foundation/defined.ts';
import { fingerprint } from '../aws/fingerprint.ts';
import type { TlsIdentity } from './tls.ts';

/** What makes and keeps the connections of one TLS identity. */
export interface Agents {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
}

/** The connections of all objects. */
export interface Connections {
  /** Those of an identity; another certificate, key or name is another identity. */
  of(tls: TlsIdentity): Agents;
}

/** Identities whose connections are kept; the least recently used one's are made anew when it comes back. */
const MAX_IDENTITIES = 128;
/** Longer than the default interval, shorter than Prometheus keeps one that says nothing (web.read-timeout, 5m). */
const IDLE_MS = 120_000;

/** Connections are reused by all that have the same TLS identity; `lookup` has the last word on where they lead. */
export function createConnections(lookup: LookupFunction): Connections {
  const kept = new LRUCache<string, Agents>({ max: MAX_IDENTITIES, dispose: retire });
  return {
    of: (tls) => {
      const key = fingerprint(tls);
      const agents = kept.get(key) ?? createAgents(tls, lookup);
      kept.set(key, agents);
      return agents;
    },
  };
}

function createAgents(
  { ca, cert, key, serverName, insecureSkipVerify }: TlsIdentity,
  lookup: LookupFunction,
): Agents {
  const options = { keepAlive: true, timeout: IDLE_MS, lookup };
  const tls = defined({ ca, cert, key, servername: serverName });
  return {
    httpAgent: new HttpAgent(options),
    httpsAgent: new HttpsAgent({ ...options, ...tls, rejectUnauthorized: !insecureSkipVerify }),
  };
}

/** A call that is on its way ends as it would have; its connection, and those that wait, are closed. */
function retire({ httpAgent, httpsAgent }: Agents): void {
  for (const agent of [httpAgent, httpsAgent]) {
    agent.maxFreeSockets = 0;
    for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
  }
}
