import assert from 'node:assert/strict';
import { changedWeights, describeSplit, resourcesOf, splitWeight } from '../../../src/rebalance/split.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { severalOf, severalSpec } from '../../support/rebalance.ts';

interface Row {
  readonly name: string;
  readonly total: number;
  readonly shares: readonly number[];
  /** Of blue, green, red and white. */
  readonly weights: readonly number[];
}

const rows: readonly Row[] = [
  { name: 'one record has the whole, whatever its share', total: 16, shares: [7], weights: [16] },
  { name: 'parts that are whole are exact', total: 16, shares: [3, 1], weights: [12, 4] },
  {
    name: 'the largest fraction is rounded up: 6.25, 2.5 and 1.25 of 10',
    total: 10,
    shares: [5, 2, 1],
    weights: [6, 3, 1],
  },
  {
    name: 'as many fractions are rounded up as are missing: 3.6, 3.6 and 1.8 of 9',
    total: 9,
    shares: [2, 2, 1],
    weights: [4, 3, 2],
  },
  {
    name: 'of equal fractions that of the larger share is rounded up: 0.5 and 4.5 of 5',
    total: 5,
    shares: [1, 9],
    weights: [0, 5],
  },
  {
    name: 'of equal shares that of the first identifier is rounded up',
    total: 1,
    shares: [1, 1, 1],
    weights: [1, 0, 0],
  },
  {
    name: 'less than one each leaves some at 0, but never all',
    total: 2,
    shares: [1, 1, 1],
    weights: [1, 1, 0],
  },
  { name: 'nothing is nothing for each', total: 0, shares: [3, 1], weights: [0, 0] },
  { name: 'the most there is', total: 255, shares: [255, 1, 1], weights: [253, 1, 1] },
];

function parts(total: number, shares: readonly number[]): readonly number[] {
  return splitWeight(weight(total), severalSpec(shares).target.records).map((record) => record.weight);
}

describe('splitting a weight over records by their shares', () => {
  for (const { name, total, shares, weights } of rows)
    it(name, () => assert.deepEqual(parts(total, shares), weights));

  it('keeps the order of the list, which changes no part', () => {
    const records = [
      { identifier: 'green', share: 1 },
      { identifier: 'blue', share: 1 },
    ];
    assert.deepEqual(splitWeight(weight(3), records), [
      { identifier: 'green', weight: 1 },
      { identifier: 'blue', weight: 2 },
    ]);
  });

  it('may lower one part as the whole rises, as every method that is never off by one must', () =>
    assert.deepEqual(
      [parts(10, [6, 6, 2]), parts(11, [6, 6, 2])],
      [
        [4, 4, 2],
        [5, 5, 1],
      ],
    ));

  it('changes only the records that have another weight', () => {
    const { own } = severalOf([10, 6], 8);
    const wanted = splitWeight(weight(16), severalSpec([5, 3]).target.records);
    assert.deepEqual(changedWeights(wanted, own), []);
    const equal = splitWeight(weight(12), severalSpec().target.records);
    assert.deepEqual(changedWeights(equal, own), [{ identifier: 'blue', weight: 6 }]);
  });
});

describe('telling a split', () => {
  it('is the weight alone for one record', () =>
    assert.equal(describeSplit(16, severalOf([16]).own.records), '16'));
  it('is what each record has for several', () =>
    assert.equal(describeSplit(16, severalOf([10, 6]).own.records), '16 (blue 10, green 6)'));
  it('is one short line for many', () => {
    const many = Array.from({ length: 100 }, (_, n) => ({ identifier: `r${n}`, weight: weight(1) }));
    assert.equal(describeSplit(100, many), '100 (r0 1, r1 1, r2 1, r3 1, r4 1 and 95 more)');
  });
  it('is one short line for identifiers of any length and of any characters', () => {
    const odd = ['a\nb', 'x'.repeat(128), 'y'.repeat(128)];
    const text = describeSplit(
      3,
      odd.map((identifier) => ({ identifier, weight: weight(1) })),
    );
    assert.match(text, /^3 \(a b 1, x+ 1, y+…\)$/);
    assert.equal(text.length, '3 ()'.length + 256);
  });
  it('is nothing in the status of one record, whose weight is the whole', () =>
    assert.equal(resourcesOf(severalOf([16]).own.records, severalOf([16]).own.records), undefined));
});
