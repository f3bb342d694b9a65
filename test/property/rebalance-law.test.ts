import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseRational, rational } from '../../src/foundation/rational.ts';
import { rawWeight, runLaw } from '../../src/rebalance/law.ts';
import type { TargetTracking } from '../../src/rebalance/spec.ts';
import { weight } from '../../src/rebalance/weight.ts';
import { specOf } from '../support/rebalance.ts';

const SEED = 20260304;

/** ceil(base x max(0, m - t) / t) for t > 0, in integers and nothing else. */
function ceilLaw(base: bigint, target: bigint, metric: bigint): bigint {
  const excess = metric - target;
  return excess <= 0n ? 0n : (base * excess + target - 1n) / target;
}

/** The original's arithmetic: floats all the way. */
function floatLaw(base: number, target: number, metric: number): number {
  return Math.ceil(base * Math.max(0, metric / target - 1));
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

describe('number 1: demand, exact against rational arithmetic', () => {
  it('for every integer in a sweep of 332,400 cases: 0 wrong, where floats are one too high in 802', function () {
    this.timeout(60_000);
    const { policy } = specOf();
    let cases = 0;
    let wrong = 0;
    let floatWrong = 0;
    for (const base of range(1, 20))
      for (const target of range(1, 60)) {
        const tracking = { ...policy, targetValue: rational(target) };
        for (const metric of range(0, 276)) {
          const exact = ceilLaw(BigInt(base), BigInt(target), BigInt(metric));
          const ours = rawWeight({
            demand: rational(metric),
            base,
            policy: tracking,
            lastWanted: weight(0),
          }).ceil();
          cases += 1;
          if (ours.n !== exact || ours.d !== 1n) wrong += 1;
          const float = floatLaw(base, target, metric);
          if (BigInt(float) !== exact) {
            floatWrong += 1;
            assert.equal(BigInt(float), exact + 1n);
          }
        }
      }
    assert.deepEqual({ cases, wrong, floatWrong }, { cases: 332_400, wrong: 0, floatWrong: 802 });
  });

  /** A decimal as digits and places: its text, and the integer that it is in units of 10^-18. */
  const UNITS = 18;
  const decimal = (maxDigits: bigint) =>
    fc
      .tuple(fc.bigInt({ min: 0n, max: maxDigits }), fc.integer({ min: 0, max: 9 }))
      .map(([digits, places]) => {
        const text = digits.toString().padStart(places + 1, '0');
        return {
          text: places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`,
          units: digits * 10n ** BigInt(UNITS - places),
        };
      });

  it('for decimals, through all stages of the law: 0 wrong of 5,000', () => {
    const policy: TargetTracking = specOf().policy;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 255 }),
        decimal(10n ** 12n).filter(({ units }) => units > 0n),
        decimal(10n ** 18n),
        (base, target, metric) => {
          const targetValue = parseRational(target.text);
          const load = parseRational(metric.text);
          assert.ok(targetValue !== undefined && load !== undefined);
          const { wanted } = runLaw({
            demand: load,
            base,
            policy: { ...policy, targetValue },
            lastWanted: weight(0),
          });
          assert.equal(wanted.n, ceilLaw(BigInt(base), target.units, metric.units));
          assert.equal(wanted.d, 1n);
        },
      ),
      { seed: SEED, numRuns: 5_000 },
    );
  });

  it('never falls when the load rises, and never rises when the target does', () => {
    const { policy } = specOf();
    const number = fc.double({ min: 0, max: 1e9, noNaN: true, noDefaultInfinity: true });
    const wanted = (load: number, target: number) =>
      rawWeight({
        demand: rational(load),
        base: 64,
        policy: { ...policy, targetValue: rational(target) },
        lastWanted: weight(0),
      });
    fc.assert(
      fc.property(
        number,
        number,
        number.filter((target) => target > 0),
        (load, more, target) => {
          assert.ok(wanted(load + more, target).gte(wanted(load, target)));
          assert.ok(wanted(load, target + more).lte(wanted(load, target)));
        },
      ),
      { seed: SEED, numRuns: 1_000 },
    );
  });
});
