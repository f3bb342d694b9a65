import assert from 'node:assert/strict';
import { weightedRecord } from '../support/weighted-record.ts';
import { conditionOf, rebalance, sync, type RebalanceStatus, type SyncAnswer } from './rebalance.ts';
import { theWorld } from './world.ts';
import { createZone, type Zone } from './zone.ts';

const NAME = 'www.several-metrics.example.';
/** The weight before each evaluation, between those that the rows ask for. */
const BEFORE = 16;

/** What each query is to answer; undefined: no series. */
interface Numbers {
  /** Against a target of 1000 and base 8: 2000 asks for 8, 5000 for 32. */
  readonly load: string | undefined;
  /** That of the additional metric. Against a target of 100: 200 asks for 8, 500 for 32. */
  readonly queue: string | undefined;
  /** That of the guard. */
  readonly headroom: string | undefined;
}

interface Row {
  readonly given: string;
  readonly numbers: Numbers;
  readonly stops?: 'Increase' | 'Both';
  readonly weight: number;
  readonly reason: string;
  readonly because: RegExp;
  /** As "<status> <reason>: <message>"; what is not said is as it is where all queries gave numbers above 0. */
  readonly metricAvailable?: string;
  readonly guardsPassed?: string;
}

const SAMPLED = 'True Sampled: each query gave one finite number';
const ABOVE_ZERO = 'True AboveZero: every guard is above 0';
const NO_QUEUE =
  'False NoSeries: metric "queue": spec.additionalMetrics[0].prometheus.query: the result has no series';
const NO_HEADROOM =
  'False NoSeries: guard "headroom": spec.guards[0].prometheus.query: the result has no series';
const CLOSED = 'False NotAboveZero: guard "headroom" is not above 0 and stops';

const ROWS: readonly Row[] = [
  {
    given: 'an additional metric that asks for more',
    numbers: { load: '3000', queue: '500', headroom: '1' },
    weight: 32,
    reason: 'Tracking',
    because: /^metric "queue" 500 against target 100 and base 8 asks for 32;/,
  },
  {
    given: 'an additional metric that asks for less',
    numbers: { load: '2000', queue: '150', headroom: '1' },
    weight: 8,
    reason: 'Tracking',
    because: /^metric 2000 against target 1000 and base 8 asks for 8;/,
  },
  {
    given: 'an additional metric without a series, and a load that asks for more',
    numbers: { load: '5000', queue: undefined, headroom: '1' },
    weight: 32,
    reason: 'Tracking',
    because: /^metric 5000 against target 1000 and base 8 asks for 32;/,
    metricAvailable: NO_QUEUE,
  },
  {
    given: 'an additional metric without a series, and a load that asks for less',
    numbers: { load: '2000', queue: undefined, headroom: '1' },
    weight: BEFORE,
    reason: 'HeldFromFall',
    because: /metric "queue" .*\(NoSeries\)/,
    metricAvailable: NO_QUEUE,
  },
  {
    given: 'no series of the load, and an additional metric that asks for less',
    numbers: { load: undefined, queue: '200', headroom: '1' },
    weight: BEFORE,
    reason: 'HeldFromFall',
    because: /metric .*\(NoSeries\)/,
    metricAvailable: 'False NoSeries: spec.metrics.prometheus.query: the result has no series',
  },
  {
    given: 'a guard at 0, and metrics that ask for more',
    numbers: { load: '5000', queue: '200', headroom: '0' },
    weight: BEFORE,
    reason: 'GuardStopped',
    because: /asks for 32; .*guard "headroom" is not above 0: the weight goes no further than 16$/,
    guardsPassed: `${CLOSED} Both`,
  },
  {
    given: 'a guard at 0, and metrics that ask for less',
    numbers: { load: '2000', queue: '200', headroom: '0' },
    weight: BEFORE,
    reason: 'GuardStopped',
    because: /asks for 8; .*guard "headroom" is not above 0: the weight goes no further than 16$/,
    guardsPassed: `${CLOSED} Both`,
  },
  {
    given: 'a guard at 0 that stops increases alone, and metrics that ask for less',
    numbers: { load: '2000', queue: '200', headroom: '0' },
    stops: 'Increase',
    weight: 8,
    reason: 'Tracking',
    because: /^metric 2000 /,
    guardsPassed: `${CLOSED} Increase`,
  },
  {
    given: 'a guard without a series, and metrics that ask for more',
    numbers: { load: '5000', queue: '200', headroom: undefined },
    weight: BEFORE,
    reason: 'GuardStopped',
    because: /guard "headroom" cannot be read \(NoSeries\): the weight goes no further than 16$/,
    guardsPassed: NO_HEADROOM,
  },
];

describe('Several metrics and a guard, asked of a real Prometheus', () => {
  let zone: Zone;
  before(async () => {
    zone = await createZone(theWorld().moto.url, 'several-metrics.example');
  });

  const show = async (numbers: Numbers): Promise<void> => {
    const { exporter, prometheus } = theWorld();
    const shown = Object.entries(numbers) as readonly (readonly [string, string | undefined])[];
    exporter.show(...shown.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])));
    for (const [name, value] of shown)
      await prometheus.waitFor(name, ...(value === undefined ? [] : [value]));
  };

  const evaluate = (stops: Row['stops'] = 'Both'): Promise<SyncAnswer> => {
    const { service, prometheus } = theWorld();
    const asked = (query: keyof Numbers) => ({ address: prometheus.url, query });
    return sync(
      service,
      rebalance({
        name: 'several-metrics',
        targettracking: { baseValue: 8, targetValue: 1000 },
        prometheus: asked('load'),
        zoneId: zone.id,
        record: { name: NAME, type: 'A', identifier: 'own' },
        others: {
          additionalMetrics: [{ name: 'queue', targetValue: 100, prometheus: asked('queue') }],
          guards: [{ name: 'headroom', stops, prometheus: asked('headroom') }],
        },
      }),
    );
  };

  for (const { given, numbers, stops, weight, reason, because, ...conditions } of ROWS) {
    it(`Given ${given}, When synced, Then ${reason} and weight ${weight}`, async () => {
      const { metricAvailable = SAMPLED, guardsPassed = ABOVE_ZERO } = conditions;
      await zone.put(weightedRecord(NAME, 'own', BEFORE), weightedRecord(NAME, 'reference', 8));
      await show(numbers);
      const { status } = await evaluate(stops);
      assert.equal(status.decision?.reason, reason, JSON.stringify(status));
      assert.match(status.decision.because ?? '', because);
      assert.equal(told(status, 'MetricAvailable'), metricAvailable);
      assert.equal(told(status, 'GuardsPassed'), guardsPassed);
      assert.deepEqual(answered(status), numbers);
      assert.deepEqual([status.actualValue, await zone.weightOf('own')], [weight, weight]);
    });
  }
});

/** What the status has of each query's answer. */
function answered({ metric, metrics, guards }: RebalanceStatus): Numbers {
  return { load: metric?.value, queue: metrics?.[0]?.value, headroom: guards?.[0]?.value };
}

function told(status: RebalanceStatus, type: string): string {
  const { status: holds, reason, message } = conditionOf(status, type);
  return `${holds} ${reason}: ${message}`;
}
