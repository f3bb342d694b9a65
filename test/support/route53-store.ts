import assert from 'node:assert/strict';
import { startDeadline } from '../../src/foundation/deadline.ts';
import type { Result } from '../../src/foundation/result.ts';
import { systemTimer, type Timer } from '../../src/foundation/timer.ts';
import type { CallContext } from '../../src/rebalance/secrets.ts';
import type { Route53Target } from '../../src/rebalance/spec.ts';
import type {
  Change,
  RecordWeight,
  SetReading,
  TargetFailure,
  TargetStore,
} from '../../src/rebalance/targets/port.ts';
import { createRoute53Store } from '../../src/rebalance/targets/route53.ts';
import { weight } from '../../src/rebalance/weight.ts';
import { SECRET_KEYS } from './aws-keys.ts';
import { callContext, secretsOf } from './call-context.ts';
import { startRoute53StandIn, type Route53StandIn, type Route53StandInOptions } from './route53-stand-in.ts';
import type { ZoneRecord } from './route53-zone.ts';
import { weightedRecord } from './weighted-record.ts';

export const ZONE = 'Z0123456789ABC';
/** Where a failure of a record stands in the spec. */
export const RESOURCE = 'spec.target.route53.resource';

/** What the Secret "aws" holds by default. */
export const KEYS = { 'aws/id': 'AKIAEXAMPLE', 'aws/secret': 'wJalrXUtnFEMI' };

/** www.example.com, type A, of which "aws" is ours. */
export function target(overrides: Partial<Route53Target> = {}): Route53Target {
  return {
    kind: 'Route53',
    hostedZoneId: ZONE,
    region: 'us-east-1',
    name: 'www.example.com',
    type: 'A',
    records: [{ identifier: 'aws', share: 1 }],
    reference: undefined,
    compareAndSwap: false,
    auth: { base: SECRET_KEYS, role: undefined },
    ...overrides,
  };
}

/** A weight of our record. */
export function ours(value: number, identifier = 'aws'): readonly RecordWeight[] {
  return [{ identifier, weight: weight(value) }];
}

/** Our record as it stands in the zone, with weight 8. */
export function record(overrides: Partial<ZoneRecord> = {}): ZoneRecord {
  return { ...weightedRecord('www.example.com', 'aws', 8), ...overrides };
}

function without(given: ZoneRecord, ...fields: readonly string[]): ZoneRecord {
  return Object.fromEntries(
    Object.entries(given).filter(([field]) => !fields.includes(field)),
  ) as unknown as ZoneRecord;
}

/** A record without the fields that make it weighted, and with others. */
export function unweighted(fields: Partial<ZoneRecord>): ZoneRecord {
  return { ...without(record(), 'Weight', 'SetIdentifier'), ...fields };
}

/** A weighted alias record, which has no TTL and no values. */
export function aliasRecord(fields: Partial<ZoneRecord>): ZoneRecord {
  return { ...without(record(), 'TTL', 'ResourceRecords'), ...fields };
}

/** How much faster the store's time runs, so that pauses end early. */
const HASTE = 20;
export const hastyTimer: Timer = {
  nowMs: () => systemTimer.nowMs() * HASTE,
  after: (delayMs, act) => systemTimer.after(delayMs / HASTE, act),
};

/** A budget in milliseconds of the clock on the wall, told in the store's faster ones. */
export function context(budgetMs = 8_000, keys: Readonly<Record<string, string>> = KEYS): CallContext {
  const real = startDeadline(budgetMs);
  const deadline = {
    beganMs: real.beganMs * HASTE,
    signal: real.signal,
    remainingMs: () => real.remainingMs() * HASTE,
  };
  return callContext({ deadline, secrets: secretsOf(keys) });
}

export function failureOf(result: Result<unknown, TargetFailure>): TargetFailure {
  assert.ok(!result.ok, `expected a failure, got ${JSON.stringify(result)}`);
  return result.error;
}

export function valueOf<T>(result: Result<T, TargetFailure>): T {
  assert.ok(result.ok, `expected a value, got ${JSON.stringify(result)}`);
  return result.value;
}

/** A Route 53 with the zone of example.com, and a store that calls it. */
export interface StoredZone {
  readonly route53: Route53StandIn;
  readonly store: TargetStore;
  /** Begins anew with an empty zone. */
  restart(options: Route53StandInOptions): Promise<void>;
  /** Puts a record into the zone. */
  put(record: ZoneRecord): void;
  /** What the zone holds; undefined: no such record. */
  weightOf(identifier: string, name?: string, type?: string): number | undefined;
  readSet(overrides?: Partial<Route53Target>): Promise<SetReading>;
  readFailure(overrides?: Partial<Route53Target>, call?: CallContext): Promise<TargetFailure>;
  /** Reads the set and writes this weight of our record, or these weights. */
  write(weights: number | readonly RecordWeight[], overrides?: Partial<Route53Target>): Promise<Change>;
  /** Why that write failed; `call` is the write's. */
  writeFailure(
    weights: number | readonly RecordWeight[],
    overrides?: Partial<Route53Target>,
    call?: CallContext,
  ): Promise<TargetFailure>;
}

/** Around each test of the suite: a Route 53 and a store of its own. */
export function useStoredZone(): StoredZone {
  let route53: Route53StandIn;
  let store: TargetStore;

  async function start(options: Route53StandInOptions = {}): Promise<void> {
    route53 = await startRoute53StandIn(options);
    route53.createZone(ZONE, 'example.com');
    store = createRoute53Store({ endpoint: route53.url, timer: hastyTimer });
  }
  beforeEach(() => start());
  afterEach(() => route53.stop());

  async function readSet(overrides: Partial<Route53Target> = {}): Promise<SetReading> {
    return valueOf(await store.readSet(target(overrides), context()));
  }

  async function tryWrite(
    weights: number | readonly RecordWeight[],
    overrides: Partial<Route53Target>,
    call: CallContext,
  ): Promise<Result<Change, TargetFailure>> {
    const wanted = typeof weights === 'number' ? ours(weights) : weights;
    return store.writeWeights(target(overrides), await readSet(overrides), wanted, call);
  }

  return {
    get route53() {
      return route53;
    },
    get store() {
      return store;
    },
    restart: async (options) => {
      await route53.stop();
      await start(options);
    },
    put: (each) => route53.putRecord(ZONE, each),
    weightOf: (identifier, name = 'www.example.com', type = 'A') =>
      route53.record(ZONE, name, type, identifier)?.Weight,
    readSet,
    readFailure: async (overrides = {}, call = context()) =>
      failureOf(await store.readSet(target(overrides), call)),
    write: async (weights, overrides = {}) => valueOf(await tryWrite(weights, overrides, context())),
    writeFailure: async (weights, overrides = {}, call = context()) =>
      failureOf(await tryWrite(weights, overrides, call)),
  };
}
