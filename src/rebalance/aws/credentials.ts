import { LRUCache } from 'lru-cache';
import { systemClock, type Clock } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { ok, type Result } from '../../foundation/result.ts';
import type { AwsRole } from '../spec.ts';
import { assumeRole, type RoleSession } from './assume-role.ts';
import { ambientRegion, createHandler, type StsConnection } from './connection.ts';
import { loadFromProcess } from './default-chain.ts';
import { fingerprint } from './fingerprint.ts';
import { keepSet, type Load, type Loaded } from './kept-set.ts';
import type { AwsCredentialSets, CredentialFailure, CredentialSet } from './port.ts';
import { withCredentials } from './renewal.ts';
import { readSecretKeys } from './secret-keys.ts';

/** Sets kept at once, as objects have sessions of their own; the least recently used one is got anew when it comes back. */
const MAX_SETS = 1_000;

/** STS API Reference, AssumeRole, RoleSessionName. */
const SESSION_NAME_LENGTH = 64;

/** The credentials of all objects: several accounts at once, each set shared by all that use it. */
export function createAwsCredentials(clock: Clock = systemClock): AwsCredentialSets {
  const sets = new LRUCache<string, CredentialSet>({ max: MAX_SETS });
  const handler = createHandler();
  const regionOfProcess = ambientRegion();
  const keptAs = (id: string, key: string, load: Load): CredentialSet => {
    const set = sets.get(id) ?? keepSet(key, load, clock);
    sets.set(id, set);
    return set;
  };
  const ofProcess = (region: string | undefined, connection: StsConnection): CredentialSet => {
    const key = fingerprint('process', region);
    return keptAs(key, key, (deadline) => loadFromProcess(connection, deadline));
  };

  return {
    of: async (auth, region, context) => {
      const regionOfSet = region === undefined ? regionOfProcess : () => Promise.resolve(region);
      const connection = { region: regionOfSet, handler };
      const base =
        auth.base.kind === 'SecretKeys'
          ? await readSecretKeys(auth.base, context)
          : ok(ofProcess(region, connection));
      if (!base.ok || auth.role === undefined) return base;
      const session = toSession(auth.role, context.caller);
      // What a session is called is for CloudTrail: anybody may call it anything, and all count against one account.
      const key = fingerprint(base.value.key, region, session.roleArn, session.externalId);
      const id = fingerprint(key, session.sessionName);
      return ok(keptAs(id, key, (deadline) => exchange(base.value, session, connection, deadline)));
    },
  };
}

/** A caller's name is one that the Kubernetes API let pass, but for a body that is believed as it comes. */
function toSession({ sessionName, ...role }: AwsRole, caller: string): RoleSession {
  const name = sessionName ?? caller.replace(/[^\w+=,.@-]/g, '-').slice(0, SESSION_NAME_LENGTH);
  return { ...role, sessionName: name };
}

function exchange(
  base: CredentialSet,
  session: RoleSession,
  connection: StsConnection,
  deadline: Deadline,
): Promise<Result<Loaded, CredentialFailure>> {
  return withCredentials(base, deadline, (credentials) =>
    assumeRole(session, credentials, connection, deadline),
  );
}
