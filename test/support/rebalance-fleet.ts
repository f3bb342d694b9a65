import { err, ok } from '../../src/foundation/result.ts';
import type { Deps } from '../../src/hooks/deps.ts';
import { syncRebalance } from '../../src/hooks/rebalance.ts';
import type { KubernetesApi } from '../../src/kubernetes/api.ts';
import { isRecord } from '../../src/foundation/record.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import type { RebalanceStatus } from '../../src/rebalance/status.ts';
import { createRoute53Store } from '../../src/rebalance/targets/route53.ts';
import { KEYS_BY_REGION } from './aws-keys.ts';
import { testDeps, testSettings } from './deps.ts';
import { wireSpec } from './rebalance.ts';
import type { VirtualRoute53 } from './route53-virtual.ts';
import type { VirtualTime } from './virtual-clock.ts';
import { weightedRecord } from './weighted-record.ts';

/** A Rebalance of a fleet: ours ("aws") beside a reference ("onprem") of weight 64, in a set of its own. */
export interface Member {
  readonly name: string;
  readonly zoneId: string;
  readonly recordName: string;
  status: RebalanceStatus;
  /** When an evaluation of it came to a decision. */
  readonly evaluatedMs: number[];
}

/** Many Rebalances, the cluster that holds them, and as much of Metacontroller as moves them. */
export interface Fleet {
  readonly members: readonly Member[];
  /** A process of counterpoise and a Metacontroller of its own that calls it from now on, with the workers of our notes. */
  start(options?: { readonly workers?: number; readonly flags?: readonly string[] }): Deps;
  /** Asks for this demand from now on; the target is 1,000. */
  demand(value: number): void;
  readonly weightOf: (member: Member) => number | undefined;
}

export interface FleetOptions {
  readonly time: VirtualTime;
  readonly route53: VirtualRoute53;
  readonly size: number;
  readonly zones: number;
  readonly interval: string;
}

/** Weight of the reference; demand 2,000 asks for as much. */
export const BASE = 64;
const QUERY_MS = 20;

export function createFleet({ time, route53, size, zones, interval }: FleetOptions): Fleet {
  let demand = 1_000;
  const members = Array.from({ length: size }, (_, index): Member => {
    const zone = index % zones;
    const zoneId = `Z${String(zone).padStart(9, '0')}`;
    const recordName = `r${index}.zone${zone}.example`;
    return { name: `r${index}`, zoneId, recordName, status: {}, evaluatedMs: [] };
  });
  for (const { zoneId, recordName } of members.slice(0, zones))
    route53.createZone(zoneId, recordName.replace(/^r\d+\./, ''));
  for (const { zoneId, recordName } of members) {
    route53.putRecord(zoneId, { ...weightedRecord(recordName, 'aws', 0) });
    route53.putRecord(zoneId, { ...weightedRecord(recordName, 'onprem', BASE) });
  }

  const specs = new Map(members.map((member) => [member.name, specOf(member, interval)]));
  const parentOf = (member: Member): Parent => ({
    apiVersion: 'rebalancer.ch1aki.github.io/v1',
    kind: 'Rebalance',
    metadata: { namespace: 'default', name: member.name, uid: `u-${member.name}`, generation: 1 },
    spec: specs.get(member.name),
    status: structuredClone(member.status),
  });
  const byName = new Map(members.map((member) => [member.name, member]));
  const kubernetes: KubernetesApi = {
    get: ({ name }) => {
      const member = byName.get(name);
      return Promise.resolve(
        member === undefined ? err({ kind: 'NotFound', message: 'not found' }) : ok(parentOf(member)),
      );
    },
    list: () => Promise.resolve(ok(members.map(parentOf))),
    getSecret: () => Promise.resolve(err({ kind: 'NotFound', message: 'no Secrets here' })),
    label: () => Promise.reject(new Error('a Rebalance labels nothing')),
    deleteAlone: () => Promise.reject(new Error('a Rebalance deletes nothing')),
    record: () => undefined,
  };

  return {
    members,
    demand: (value) => {
      demand = value;
    },
    weightOf: ({ zoneId, recordName }) => route53.record(zoneId, recordName, 'A', 'aws')?.Weight,
    start: ({ workers = 200, flags = [] } = {}) => {
      const deps = depsOf({ time, route53, flags, kubernetes, readDemand: () => demand });
      const sync = async (member: Member): Promise<number> => {
        const before = member.status.lastEvaluatedAt;
        const deadline = time.deadline(deps.settings.hookBudgetMs);
        const request = {
          parent: parentOf(member),
          children: [],
          managedKinds: new Set<string>(),
          finalizing: false,
        };
        const answered = await syncRebalance(request, { deps, nowMs: time.nowMs(), deadline });
        if (answered.kind !== 'Answered') throw new Error(answered.message);
        const { status, resyncAfterSeconds = 0 } = answered.response;
        if (!isRecord(status)) throw new Error('no status');
        member.status = status;
        if (member.status.lastEvaluatedAt !== before) member.evaluatedMs.push(time.nowMs());
        return resyncAfterSeconds * 1_000;
      };
      work(time, members, { workers, sync });
      return deps;
    },
  };
}

interface Parent {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly generation: number;
  };
  readonly spec: unknown;
  readonly status: unknown;
  readonly [field: string]: unknown;
}

/**
 * Metacontroller's work queue: who is due waits in line for one of the workers, never twice at once, and comes back after
 * resyncAfterSeconds.
 */
function work(
  time: VirtualTime,
  members: readonly Member[],
  { workers, sync }: { readonly workers: number; readonly sync: (member: Member) => Promise<number> },
): void {
  const line = [...members];
  let busy = 0;
  const next = (): void => {
    const member = busy < workers ? line.shift() : undefined;
    if (member === undefined) return;
    busy += 1;
    void sync(member).then((resyncMs) => {
      busy -= 1;
      time.after(resyncMs, () => {
        line.push(member);
        next();
      });
      next();
    });
    next();
  };
  next();
}

interface Surroundings {
  readonly time: VirtualTime;
  readonly route53: VirtualRoute53;
  readonly flags: readonly string[];
  readonly kubernetes: KubernetesApi;
  readonly readDemand: () => number;
}

/** As cli/deps.ts makes them, in virtual time. */
function depsOf({ time, route53, flags, kubernetes, readDemand }: Surroundings): Deps {
  const settings = testSettings(...flags);
  const metrics = createMetrics();
  return testDeps({
    settings,
    clock: time,
    metrics,
    kubernetes,
    metricSource: {
      read: async (_metric, { deadline }) => {
        await time.sleep(QUERY_MS, deadline.signal);
        return ok({ kind: 'Value', text: String(readDemand()) });
      },
    },
    targetStore: createRoute53Store({
      requestHandler: route53.requestHandler,
      credentials: KEYS_BY_REGION,
      timer: time,
      ratePerSecond: settings.rebalance.route53RatePerSecond,
      listWindowMs: settings.rebalance.route53ListWindowMs,
      onTurn: (waitedMs) => metrics.counterpoise_route53_wait_seconds.observe(waitedMs / 1000),
      onBatch: (size) => metrics.counterpoise_route53_batch_changes.observe(size),
    }),
  });
}

function specOf({ zoneId, recordName }: Member, interval: string): unknown {
  const resource = { name: recordName, type: 'A', identifier: 'aws' };
  const target = { route53: { hostedZoneID: zoneId, region: 'us-east-1', resource } };
  return wireSpec({ baseValue: BASE }, { interval, target });
}
