import { rfc3339, systemClock } from '../../../src/foundation/clock.ts';
import { err, ok, type Result } from '../../../src/foundation/result.ts';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import type { Change, Kind, Store, StoreFailure } from '../../support/metacontroller/store.ts';
import type { ApiClient } from './api-client.ts';
import type { ApiCall } from './api.ts';
import { startMirror, type Mirror } from './mirror.ts';

type KindName = Pick<Kind, 'apiVersion' | 'kind'>;
type Answer = Result<ObservedObject, StoreFailure>;

/** The store of the double of Metacontroller over a real API server, with the rights of the client. */
export interface ApiStore extends Store {
  /** Ends every watch. */
  close(): void;
}

/**
 * Lists come from watches, which start with the first list of a kind; everything else is one request. `log` hears what
 * nobody else does: a watch that breaks or is refused, an Event that is lost.
 */
export function createApiStore(client: ApiClient, log: (line: string) => void): ApiStore {
  const listeners = new Set<(change: Change) => void>();
  const mirrors = new Map<string, Mirror>();
  const groups = new Map<string, Promise<readonly Kind[]>>();

  /** A kind that is served under an apiVersion; asked once, and again while there is none: its CRD may come. */
  async function kindOf(apiVersion: string, isIt: (kind: Kind) => boolean): Promise<Kind | undefined> {
    const asked = groups.get(apiVersion) ?? discoverGroup(client, apiVersion);
    groups.set(apiVersion, asked);
    const kind = (await asked.catch(() => [])).find(isIt);
    if (kind === undefined) groups.delete(apiVersion);
    return kind;
  }

  async function pathOf({ apiVersion, kind }: KindName, namespace?: string): Promise<string> {
    const served = await kindOf(apiVersion, (known) => known.kind === kind);
    const resource = served?.resource ?? `${kind.toLowerCase()}s`;
    const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
    return `${rootOf(apiVersion)}${scope}/${resource}`;
  }

  async function mirrorOf(of: KindName): Promise<Mirror> {
    const path = await pathOf(of);
    const mirror =
      mirrors.get(path) ??
      startMirror(
        client,
        { ...of, path },
        {
          onChange: (change) => {
            for (const listener of listeners) listener(change);
          },
          onTrouble: log,
        },
      );
    mirrors.set(path, mirror);
    return mirror;
  }

  async function send(of: ObservedObject, call: Omit<ApiCall, 'path'>, suffix: string): Promise<Answer> {
    const path = await pathOf(of, of.metadata.namespace);
    return ask(client, { ...call, path: `${path}${suffix}` });
  }

  return {
    discover: (apiVersion, resource) => kindOf(apiVersion, (kind) => kind.resource === resource),
    get: async (of, namespace, name) => ask(client, { path: `${await pathOf(of, namespace)}/${name}` }),
    list: async ({ apiVersion, kind }, namespace) => {
      const all = await (await mirrorOf({ apiVersion, kind })).objects();
      return all.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
    },
    create: (object) => send(object, { method: 'POST', body: object }, ''),
    update: (object) => send(object, { method: 'PUT', body: object }, `/${object.metadata.name}`),
    updateStatus: (object) =>
      send(object, { method: 'PUT', body: object }, `/${object.metadata.name}/status`),
    remove: async (object, propagationPolicy = 'Background') => {
      const preconditions = { uid: object.metadata.uid };
      const body = {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions,
        propagationPolicy,
      };
      const removed = await send(object, { method: 'DELETE', body }, `/${object.metadata.name}`);
      return removed.ok ? ok(undefined) : removed;
    },
    record: async ({ regarding, type, reason, message }) => {
      const { name, namespace } = regarding;
      const time = rfc3339(systemClock.nowMs());
      const event = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: '', generateName: `${name}.`, namespace },
        involvedObject: regarding,
        type,
        reason,
        message: message.slice(0, MAX_EVENT_MESSAGE),
        source: { component: 'metacontroller' },
        firstTimestamp: time,
        lastTimestamp: time,
        count: 1,
      };
      // An Event that is lost loses nothing else.
      const recorded = await send(event, { method: 'POST', body: event }, '');
      if (!recorded.ok) log(`lost the Event ${reason} about ${namespace}/${name}: ${recorded.error.message}`);
    },
    watch: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => {
      for (const mirror of mirrors.values()) mirror.stop();
      client.close();
    },
  };
}

/** core/v1 Event, `message`. */
const MAX_EVENT_MESSAGE = 1024;

function rootOf(apiVersion: string): string {
  return `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}`;
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string }[];
}

async function discoverGroup(client: ApiClient, apiVersion: string): Promise<readonly Kind[]> {
  const { status, text } = await client.call({ path: rootOf(apiVersion) });
  if (status !== 200) return [];
  const { resources } = JSON.parse(text) as ResourceList;
  const names = new Set(resources.map(({ name }) => name));
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind }) => ({
      apiVersion,
      kind,
      resource: name,
      hasStatusSubresource: names.has(`${name}/status`),
    }));
}

async function ask(client: ApiClient, call: ApiCall): Promise<Answer> {
  try {
    const { status, text } = await client.call(call);
    if (status >= 200 && status < 300) return ok(JSON.parse(text) as ObservedObject);
    return err(failureOf(status, text));
  } catch (error) {
    return err({ reason: 'Unavailable', message: error instanceof Error ? error.message : String(error) });
  }
}

const REASONS = ['NotFound', 'AlreadyExists', 'Conflict', 'Invalid'] as const;

/** https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/ */
function failureOf(status: number, text: string): StoreFailure {
  if (status === 429 || status >= 500) return { reason: 'Unavailable', message: `${status} ${text}` };
  const refusal = JSON.parse(text) as { readonly reason?: string; readonly message?: string };
  const reason = REASONS.find((known) => known === refusal.reason) ?? 'Refused';
  return { reason, message: refusal.message ?? text };
}
