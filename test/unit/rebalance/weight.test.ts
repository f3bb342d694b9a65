import assert from 'node:assert/strict';
import { asWeight, weight } from '../../../src/rebalance/weight.ts';

describe('a weight', () => {
  it('is an integer 0..255', () => {
    assert.deepEqual([0, 1, 255].map(asWeight), [0, 1, 255]);
    assert.equal(weight(255), 255);
  });

  it('is nothing else', () => {
    for (const value of [-1, 256, 1.5, NaN, Infinity, '8', null, undefined, {}])
      assert.equal(asWeight(value), undefined);
  });

  it('of a number that is none is a bug', () => {
    assert.throws(() => weight(256), /not a Route 53 weight: 256/);
  });
});
