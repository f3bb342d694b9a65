import assert from 'node:assert/strict';
import fc from 'fast-check';
import { splitWeight } from '../../src/rebalance/split.ts';
import type { TargetRecord } from '../../src/rebalance/spec.ts';
import { MAX_RECORDS, weight } from '../../src/rebalance/weight.ts';

const SEED = 20260304;

const totalArb = fc.integer({ min: 0, max: 255 });
const recordsArb: fc.Arbitrary<readonly TargetRecord[]> = fc.uniqueArray(
  fc.record({
    identifier: fc.string({ minLength: 1, maxLength: 3 }),
    share: fc.oneof(fc.constantFrom(1, 1, 2, 255), fc.integer({ min: 1, max: 255 })),
  }),
  { selector: ({ identifier }) => identifier, minLength: 1, maxLength: MAX_RECORDS },
);

function split(total: number, records: readonly TargetRecord[]): readonly number[] {
  return splitWeight(weight(total), records).map((record) => record.weight);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

describe('the split of any weight over any records', () => {
  const holds = (
    name: string,
    check: (total: number, records: readonly TargetRecord[], weights: readonly number[]) => void,
  ): void => {
    it(name, () => {
      fc.assert(
        fc.property(totalArb, recordsArb, (total, records) => check(total, records, split(total, records))),
        { seed: SEED, numRuns: 2_000 },
      );
    });
  };

  holds('sums up to the weight, so that one above 0 never leaves all at 0', (total, _, weights) =>
    assert.equal(sum(weights), total),
  );

  holds('gives each record its exact part, rounded down or up', (total, records, weights) => {
    const shares = sum(records.map(({ share }) => share));
    for (const [index, { share }] of records.entries()) {
      const off = Math.abs((weights[index] ?? NaN) * shares - total * share);
      assert.ok(off < shares, `off by ${off}/${shares}`);
    }
  });

  holds('gives a larger share no less than a smaller one', (_, records, weights) => {
    for (const [index, { share }] of records.entries())
      for (const [other, { share: otherShare }] of records.entries())
        if (share > otherShare) assert.ok((weights[index] ?? NaN) >= (weights[other] ?? NaN));
  });

  holds('does not depend on the order of the list', (total, records, weights) =>
    assert.deepEqual(split(total, records.toReversed()).toReversed(), weights),
  );

  holds('of one more gives no record more than one more', (total, records, weights) => {
    if (total === 255) return;
    for (const [index, more] of split(total + 1, records).entries())
      assert.ok(more - (weights[index] ?? NaN) <= 1);
  });

  it('of two records never falls for one of them as the weight rises', () => {
    const shareArb = fc.integer({ min: 1, max: 255 });
    fc.assert(
      fc.property(shareArb, shareArb, (blue, green) => {
        const records = [
          { identifier: 'blue', share: blue },
          { identifier: 'green', share: green },
        ];
        let [lastBlue, lastGreen] = [0, 0];
        for (let total = 0; total <= 255; total += 1) {
          const [nextBlue = NaN, nextGreen = NaN] = split(total, records);
          assert.ok(nextBlue >= lastBlue && nextGreen >= lastGreen, `at ${total}`);
          [lastBlue, lastGreen] = [nextBlue, nextGreen];
        }
      }),
      { seed: SEED, numRuns: 300 },
    );
  });
});
