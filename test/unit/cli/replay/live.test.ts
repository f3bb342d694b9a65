import assert from 'node:assert/strict';
import { parseRebalanceSpec } from '../../../../src/api/rebalance.ts';
import {
  pairOf,
  replaySync,
  type ReplayedObject,
  type ReplayState,
} from '../../../../src/cli/replay/replay.ts';
import { ok } from '../../../../src/foundation/result.ts';
import type { MetricReading } from '../../../../src/rebalance/metrics/port.ts';
import { noticesOf, usedIntervalMs } from '../../../../src/rebalance/notices.ts';
import { toSample } from '../../../../src/rebalance/sample.ts';
import { weight } from '../../../../src/rebalance/weight.ts';
import { sumOf } from '../../../support/rebalance-fold.ts';
import { posted, rebalanceWorld, value } from '../../../support/rebalance-world.ts';
import { MINUTE, NOON, only, setOf, severalOf, severalTarget, wireSpec } from '../../../support/rebalance.ts';

/** What a run through the hook leaves behind, to be replayed: what was read, when, and what came of it. */
interface Recorded {
  readonly atMs: number;
  readonly reading: ReturnType<typeof value>;
  readonly weights: readonly number[];
  readonly status: string;
}

/** Minutes at which the hook is called; some come late, twice, or between two intervals. */
const MINUTES = [0, 1, 2, 2, 3.5, 4, 5, 5.2, 6.6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];

const NOTHING: MetricReading = { kind: 'NoData', reason: 'NoSeries', message: 'no series' };
const TIMEOUT = { ok: false, error: { reason: 'MetricTimeout', message: 'too slow' } } as const;

/** Demand that rises, falls, fails and falls silent; answered as what the spec's signal measures. */
function readingAt(minute: number, share: number): ReturnType<typeof value> {
  if (minute === 9) return ok(NOTHING);
  if (minute === 11) return TIMEOUT;
  const demand = minute < 4 ? 1000 : minute < 14 ? 3000 + 37 * minute : 1800.25;
  return value(String(demand * share));
}

/** The text of a status without what Metacontroller adds to it, which a sync with nothing due answers as it came. */
function answered(status: object): string {
  return JSON.stringify({ ...status, observedGeneration: undefined });
}

/** Runs one object through the real hook, and keeps what it saw and answered. */
async function record(
  spec: Readonly<Record<string, unknown>>,
  load: boolean,
  owned: number,
): Promise<readonly Recorded[]> {
  const world = rebalanceWorld();
  world.live = posted(spec);
  Object.assign(world, { owned, weights: [1, ...Array<number>(owned - 1).fill(0), 8] });
  const recorded: Recorded[] = [];
  for (const minute of MINUTES) {
    const own = sumOf(world.weights.slice(0, owned));
    const reference = world.weights.at(-1) ?? 0;
    world.nowMs = NOON + minute * MINUTE;
    world.reading = readingAt(minute, load ? reference / (own + reference) : 1);
    const { status } = await world.settle();
    const { weights, reading } = world;
    const written = weights.slice(0, owned);
    recorded.push({ atMs: world.nowMs, reading, weights: written, status: answered(status) });
  }
  return recorded;
}

/** The same samples at the same times, through the replay. */
function replay(raw: Readonly<Record<string, unknown>>, recorded: readonly Recorded[]): readonly Recorded[] {
  const parsed = parseRebalanceSpec(raw);
  assert.ok(parsed.ok, 'the spec is valid');
  const { spec, unknownFields } = parsed.value;
  const grants = { minIntervalMs: 10_000, hookBudgetMs: 8_000 };
  const object: ReplayedObject = {
    spec,
    generation: 1,
    intervalMs: usedIntervalMs(spec.intervalMs, grants),
    notices: noticesOf(spec, unknownFields, grants),
  };
  const { records } = spec.target;
  const set = records.length === 1 ? setOf(1, 8) : severalOf([1, ...records.slice(1).map(() => 0)], 8);
  let state: ReplayState = { status: {}, set };
  return recorded.map(({ atMs, reading }) => {
    state = replaySync(object, state, atMs, () => only(toSample(reading, spec.metric.noData))).state;
    const weights = state.set.own.records.map((each) => each.weight);
    return { atMs, reading, weights, status: JSON.stringify(state.status) };
  });
}

describe('number 9: backtest equals live', () => {
  const prometheus = { address: 'http://prometheus:9090', query: 'scalar(load)', timeout: 3 };
  const behavior = {
    increase: {
      stabilizationWindowSeconds: 120,
      policies: [{ type: 'Weight', value: 6, periodSeconds: 60 }],
    },
    decrease: {
      stabilizationWindowSeconds: 180,
      policies: [{ type: 'Percent', value: 30, periodSeconds: 120 }],
    },
  };
  const floors = [{ startTime: '12:07', endTime: '12:13', value: 30 }];
  const rows: readonly {
    readonly name: string;
    readonly spec: Readonly<Record<string, unknown>>;
    readonly load?: boolean;
    /** How many records it steers. */
    readonly owned?: number;
  }[] = [
    { name: "the original's example", spec: wireSpec() },
    { name: 'a schedule with edges between two intervals', spec: wireSpec({ scheduled: floors }) },
    {
      name: 'a fallback, a tolerance and fields that are unknown',
      spec: wireSpec(
        { tolerance: 0.1, bogus: 1 },
        { interval: '5s', onFailure: { threshold: 0, action: 'Weight', weight: 40 } },
      ),
    },
    {
      name: 'a behavior, a tolerance and a fallback',
      spec: wireSpec(
        { tolerance: 0.05 },
        { behavior, onFailure: { threshold: 0, action: 'Weight', weight: 40 } },
      ),
    },
    {
      name: 'a load signal with a behavior, a tolerance, a fallback and disableScaleIn',
      spec: wireSpec(
        { signal: 'load', baseValue: null, tolerance: 0.02, disableScaleIn: true },
        {
          behavior,
          onFailure: { threshold: 0, action: 'Weight', weight: 40 },
          metrics: { prometheus: { ...prometheus, window: '2m' } },
        },
      ),
      load: true,
    },
    {
      name: 'a load signal, which remembers',
      spec: wireSpec(
        { signal: 'load', baseValue: null },
        { metrics: { prometheus: { ...prometheus, window: '2m' } } },
      ),
      load: true,
    },
    {
      name: 'three records of one weight',
      spec: wireSpec({}, { target: severalTarget([5, 2, 1]) }),
      owned: 3,
    },
  ];
  for (const { name, spec, load = false, owned = 1 } of rows) {
    it(`replaying the recorded samples and times of ${name} gives the same weights and statuses, byte for byte`, async () => {
      const recorded = await record(spec, load, owned);
      assert.deepEqual(replay(spec, recorded), recorded);
      assert.ok(new Set(recorded.map(({ weights }) => sumOf(weights))).size > 2, 'the weight moves');
    });
  }

  it('starts from a pair of records as the hook reads them', () => {
    const parsed = parseRebalanceSpec(wireSpec());
    assert.ok(parsed.ok, 'the spec is valid');
    const pair = { ownWeight: weight(1), referenceWeight: weight(8), ttlSeconds: 60 };
    assert.deepEqual(pairOf(parsed.value.spec, pair), {
      own: {
        records: [{ identifier: 'aws', weight: 1, ttlSeconds: 60, healthChecked: false }],
        total: 1,
      },
      others: [{ identifier: 'reference', weight: 8, ttlSeconds: 60, healthChecked: false }],
    });
  });
});
