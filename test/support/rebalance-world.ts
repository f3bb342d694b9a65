import request from 'supertest';
import { createApp } from '../../src/app.ts';
import { err, ok, type Result } from '../../src/foundation/result.ts';
import type { ApiFailure, KubernetesApi, KubernetesEvent } from '../../src/kubernetes/api.ts';
import type { ObservedMetadata } from '../../src/kubernetes/objects.ts';
import type { MetricFailure, MetricReading } from '../../src/rebalance/metrics/port.ts';
import type { RebalanceStatus } from '../../src/rebalance/status.ts';
import { withWeights } from '../../src/rebalance/split.ts';
import type { Change, TargetFailure, WeightedSet } from '../../src/rebalance/targets/port.ts';
import { testDeps, testSettings, type TestDeps } from './deps.ts';
import { NOON, setOf, severalOf, wireSpec } from './rebalance.ts';

/** What one answer of the hook was. */
export interface Answer {
  readonly code: number;
  readonly text: string;
  readonly status: RebalanceStatus;
  readonly resyncAfterSeconds: number | undefined;
}

export interface PostedObject {
  readonly metadata: ObservedMetadata;
  readonly spec?: unknown;
  readonly status?: unknown;
}

/**
 * One Rebalance, the README example, in a world of fakes that count: a cluster that holds the live object, a query, and
 * a record set with ours ("aws") and others. Anything may be changed between two syncs.
 */
export interface RebalanceWorld {
  nowMs: number;
  /** The object in the cluster; undefined: it is gone. */
  live: PostedObject | undefined;
  apiFailure: ApiFailure | undefined;
  /** The other Rebalances of the cluster. */
  rivals: readonly PostedObject[];
  listFailure: ApiFailure | undefined;
  /** How often the Rebalances of the cluster were listed. */
  lists: number;
  secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  reading: Result<MetricReading, MetricFailure>;
  /** What single queries, by their text, answer instead. */
  readings: Readonly<Record<string, Result<MetricReading, MetricFailure>>>;
  /** Our weight, or so many of them, then the others'. */
  weights: readonly number[];
  /** How many of the records are ours: "aws", or as in `severalOf`. */
  owned: number;
  setFailure: TargetFailure | undefined;
  /** What a list that others asked for a moment ago says; a fresh one is asked for in its own right. */
  sharedFailure: TargetFailure | undefined;
  /** What another sync read a moment ago is told to who does not ask for a fresh reading; undefined: all is fresh. */
  sharedWeights: readonly number[] | undefined;
  /** What the target's budget allows. */
  shortestIntervalMs: number;
  writeFailure: TargetFailure | undefined;
  /** How far the next change, or a change asked about, has come. */
  change: Result<Change, TargetFailure>;
  /** Runs after each accepted write: the outside world moves too. */
  afterWrite: () => void;
  /** Every outside call, in order: "get", "secret ...", "metric", "set", "write 16", "change C1"; "write 12 4" of several. */
  readonly calls: string[];
  readonly events: KubernetesEvent[];
  readonly deps: TestDeps;
  /** Posts an object as Metacontroller would; without an argument the live one. */
  sync(posted?: PostedObject, children?: object): Promise<Answer>;
  /** Syncs the live object and writes the answered status, as Metacontroller does. */
  settle(): Promise<Answer>;
  scrape(): Promise<string>;
}

const REBALANCE = { apiVersion: 'rebalancer.ch1aki.github.io/v1', kind: 'Rebalance' };
export const KEY = { namespace: 'default', name: 'example' };

export function value(text: string): Result<MetricReading, MetricFailure> {
  return ok({ kind: 'Value', text });
}

export function posted(spec: unknown = wireSpec(), status?: unknown): PostedObject {
  return {
    metadata: { ...KEY, uid: 'u-1', generation: 1 },
    spec,
    ...(status === undefined ? {} : { status }),
  };
}

/** `flags`: of the service, by default none. */
export function rebalanceWorld(...flags: readonly string[]): RebalanceWorld {
  const deps = testDeps({
    settings: testSettings(...flags),
    clock: { nowMs: () => world.nowMs },
    kubernetes: fakeKubernetes(() => world),
    metricSource: {
      read: async ({ auth, query }, { secrets, deadline }) => {
        if (auth.kind === 'Basic') {
          const [user, password] = await Promise.all([
            secrets.read(auth.user, deadline),
            secrets.read(auth.password, deadline),
          ]);
          if (!user.ok) return user;
          if (!password.ok) return password;
        }
        world.calls.push('metric');
        return world.readings[query] ?? world.reading;
      },
    },
    targetStore: {
      readSet: (_target, _context, freshness = 'Shared') => {
        const shared = freshness === 'Shared' ? world.sharedWeights : undefined;
        world.calls.push(shared === undefined ? 'set' : 'shared set');
        const weights = shared ?? world.weights;
        if (freshness === 'Shared' && world.sharedFailure !== undefined)
          return Promise.resolve(err(world.sharedFailure));
        return Promise.resolve(
          world.setFailure === undefined
            ? ok({ set: setIn({ ...world, weights }), asRead: weights, isFresh: shared === undefined })
            : err(world.setFailure),
        );
      },
      writeWeights: (_target, { asRead }, wanted) => {
        world.calls.push(`write ${wanted.map(({ weight }) => weight).join(' ')}`);
        if (world.writeFailure !== undefined) return Promise.resolve(err(world.writeFailure));
        if (asRead !== world.weights) throw new Error('written over a set that was not the one read');
        const written = withWeights(setIn(world).own.records, wanted).map(({ weight }) => weight);
        world.weights = [...written, ...world.weights.slice(world.owned)];
        world.afterWrite();
        return Promise.resolve(world.change);
      },
      readChange: (_target, id) => {
        world.calls.push(`change ${id}`);
        return Promise.resolve(world.change);
      },
      shortestIntervalMs: () => world.shortestIntervalMs,
    },
  });
  const app = createApp(deps);
  const sync: RebalanceWorld['sync'] = async (object = world.live ?? posted(), children = {}) => {
    const response = await request(app)
      .post('/rebalance/sync')
      .send({ controller: {}, parent: object, children, related: {}, finalizing: false });
    const body = (response.status === 200 ? response.body : {}) as Record<string, unknown>;
    return {
      code: response.status,
      text: response.text,
      status: body['status'] ?? {},
      resyncAfterSeconds: body['resyncAfterSeconds'] as number | undefined,
    };
  };
  const world: RebalanceWorld = {
    nowMs: NOON,
    live: posted(),
    apiFailure: undefined,
    rivals: [],
    listFailure: undefined,
    lists: 0,
    secrets: {},
    reading: value('3000'),
    readings: {},
    weights: [1, 8],
    owned: 1,
    setFailure: undefined,
    sharedFailure: undefined,
    sharedWeights: undefined,
    shortestIntervalMs: 0,
    writeFailure: undefined,
    change: ok({ id: 'C1', status: 'INSYNC' }),
    afterWrite: () => undefined,
    calls: [],
    events: [],
    deps,
    sync,
    settle: async () => {
      const answer = await sync();
      const { live } = world;
      if (answer.code === 200 && live !== undefined) {
        world.live = {
          ...live,
          status: { ...answer.status, observedGeneration: live.metadata.generation },
        };
      }
      return answer;
    },
    scrape: async () => (await request(app).get('/metrics')).text,
  };
  return world;
}

/** A world whose object was evaluated once, at noon, with nothing left to do. */
export async function settledWorld(...flags: readonly string[]): Promise<RebalanceWorld> {
  const world = rebalanceWorld(...flags);
  await world.settle();
  world.calls.length = 0;
  world.events.length = 0;
  return world;
}

/** The outside calls since this was last asked. */
export function takeCalls(world: RebalanceWorld): readonly string[] {
  return world.calls.splice(0);
}

function setIn({ weights, owned }: RebalanceWorld): WeightedSet {
  const [own, others] = [weights.slice(0, owned), weights.slice(owned)];
  return owned === 1 ? setOf(own[0] ?? 0, ...others) : severalOf(own, ...others);
}

function fakeKubernetes(now: () => RebalanceWorld): KubernetesApi {
  return {
    get: ({ namespace, name }) => {
      const { calls, live, apiFailure } = now();
      calls.push('get');
      if (apiFailure !== undefined) return Promise.resolve(err(apiFailure));
      if (live === undefined || namespace !== KEY.namespace || name !== KEY.name)
        return Promise.resolve(err({ kind: 'NotFound', message: 'not found' }));
      return Promise.resolve(
        ok({
          ...REBALANCE,
          ...live,
        }),
      );
    },
    list: () => {
      const { live, rivals, listFailure } = now();
      now().lists += 1;
      if (listFailure !== undefined) return Promise.resolve(err(listFailure));
      const objects = [...rivals, ...(live === undefined ? [] : [live])];
      return Promise.resolve(ok(objects.map((object) => ({ ...REBALANCE, ...object }))));
    },
    getSecret: (namespace, name) => {
      const { calls, secrets } = now();
      calls.push(`secret ${namespace}/${name}`);
      const data = secrets[`${namespace}/${name}`];
      return Promise.resolve(
        data === undefined
          ? err({ kind: 'NotFound', message: 'not found' })
          : ok(new Map(Object.entries(data))),
      );
    },
    label: () => Promise.reject(new Error('a Rebalance labels nothing')),
    deleteAlone: () => Promise.reject(new Error('a Rebalance deletes nothing')),
    record: (event) => void now().events.push(event),
  };
}
