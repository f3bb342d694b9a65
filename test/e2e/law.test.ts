import assert from 'node:assert/strict';
import fc from 'fast-check';
import pLimit from 'p-limit';
import { weightedRecord } from '../support/weighted-record.ts';
import { rebalance, sync } from './rebalance.ts';
import { theWorld } from './world.ts';
import { createZone, type Zone } from './zone.ts';

interface Case {
  readonly base: number;
  /** Decimal texts, as the spec and the exporter write them. */
  readonly target: string;
  readonly metric: string;
  readonly minimum: number;
  readonly maximum: number;
  /** Weight before. */
  readonly own: number;
}

const CASES = 120;
const SEED = 816;

const weight = fc.integer({ min: 0, max: 255 });
/** At most 15 significant digits: what a float64, and so Prometheus, gives back as it was written. */
const decimal = fc
  .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, scale]) => decimalText(digits, scale));
/** Around the places where a ceil goes wrong: exact multiples of target/base, and their neighbours. */
const onTheEdge = fc
  .record({
    base: fc.integer({ min: 1, max: 255 }),
    target: fc.integer({ min: 1, max: 10_000 }),
    steps: weight,
    off: fc.constantFrom(-1, 0, 1),
  })
  .map(({ base, target, steps, off }) => ({
    base,
    target: String(target * base),
    metric: String(Math.max(0, target * base + steps * target + off)),
  }));
const anywhere = fc.record({
  base: fc.integer({ min: 1, max: 255 }),
  target: decimal,
  metric: fc.oneof(decimal, fc.constantFrom('0', '1e18', '1e+06', '-5')),
});
const bounds = fc
  .tuple(weight, weight)
  .map(([a, b]) => ({ minimum: Math.min(a, b), maximum: Math.max(a, b) }));
const cases: fc.Arbitrary<Case> = fc
  .tuple(fc.oneof(onTheEdge, anywhere), fc.oneof(bounds, fc.constant({ minimum: 0, maximum: 255 })), weight)
  .map(([numbers, limits, own]) => ({ ...numbers, ...limits, own }));

describe('The law, on a real Prometheus and a Route 53 emulator', () => {
  let zone: Zone;
  before(async () => {
    zone = await createZone(theWorld().moto.url, 'law.example');
  });

  it(`Given ${CASES} random policies and metrics, When each is synced, Then every record is exactly ceil(base x max(0, m/target - 1)) within bounds`, async () => {
    const { service, exporter, prometheus } = theWorld();
    const sample = fc.sample(cases, { seed: SEED, numRuns: CASES });
    exporter.show(
      ...sample.map(({ metric }, index) => ({ name: 'law', labels: { case: `${index}` }, value: metric })),
    );
    await prometheus.waitFor('count(law)', String(CASES));
    await zone.put(...sample.flatMap(({ base, own }, index) => setOf(index, base, own)));

    const limit = pLimit(4);
    await Promise.all(
      sample.map((each, index) => limit(() => sync(service, policyOf(each, index, zone, prometheus.url)))),
    );

    const weights = new Map(
      (await zone.records()).map((record) => [record.SetIdentifier ?? '', record.Weight]),
    );
    const wrong = sample
      .map((each, index) => ({ ...each, index, expected: law(each), found: weights.get(`own-${index}`) }))
      .filter(({ expected, found }) => found !== expected);
    assert.deepEqual(wrong, []);
    const touched = sample.filter(({ base }, index) => weights.get(`reference-${index}`) !== base);
    assert.deepEqual(touched, [], 'a reference record was changed');
  });
});

function setOf(index: number, base: number, own: number): readonly ReturnType<typeof weightedRecord>[] {
  const name = `case-${index}.law.example.`;
  return [weightedRecord(name, `own-${index}`, own), weightedRecord(name, `reference-${index}`, base)];
}

function policyOf(
  { base, target, minimum, maximum }: Case,
  index: number,
  zone: Zone,
  address: string,
): ReturnType<typeof rebalance> {
  return rebalance({
    name: `case-${index}`,
    targettracking: { baseValue: base, targetValue: Number(target), minimum, maximum },
    prometheus: { address, query: `law{case="${index}"}` },
    zoneId: zone.id,
    record: { name: `case-${index}.law.example`, type: 'A', identifier: `own-${index}` },
  });
}

/** The law again, in another arithmetic than the code's: whole numbers only. */
function law({ base, target, metric, minimum, maximum }: Case): number {
  const scale = 10n ** 12n;
  const m = scaled(metric);
  const t = scaled(target);
  const wanted = m <= t ? 0n : (BigInt(base) * (m - t) + t - 1n) / t;
  return Number(clamp(wanted, BigInt(minimum), BigInt(maximum)));

  function scaled(text: string): bigint {
    const [mantissa = '', exponent = '0'] = text.split('e');
    const [whole = '', fraction = ''] = mantissa.split('.');
    return (BigInt(whole + fraction) * scale * 10n ** BigInt(exponent)) / 10n ** BigInt(fraction.length);
  }
}

function clamp(value: bigint, low: bigint, high: bigint): bigint {
  if (value < low) return low;
  return value > high ? high : value;
}

function decimalText(digits: number, scale: number): string {
  const text = String(digits).padStart(scale + 1, '0');
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
}
