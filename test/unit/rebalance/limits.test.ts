import assert from 'node:assert/strict';
import { rescueFromAllZero } from '../../../src/rebalance/limits.ts';
import { setOf } from '../../support/rebalance.ts';

describe('the second look after a write of 0', () => {
  it('asks for 1 where the set is all zero now', () => {
    assert.equal(rescueFromAllZero(setOf(0, 0, 0)), 1);
    assert.equal(rescueFromAllZero(setOf(0)), 1);
  });

  it('asks for nothing where another record, or ours again, has a weight', () => {
    assert.equal(rescueFromAllZero(setOf(0, 0, 3)), undefined);
    assert.equal(rescueFromAllZero(setOf(5, 0)), undefined);
  });
});
