import assert from 'node:assert/strict';
import { certain } from '../../../src/foundation/certain.ts';
import { defined } from '../../../src/foundation/defined.ts';

describe('defined', () => {
  it('leaves out what is undefined, in the same order, and keeps every other empty value', () =>
    assert.deepEqual(Object.entries(defined({ b: 0, a: undefined, d: null, c: '' })), [
      ['b', 0],
      ['d', null],
      ['c', ''],
    ]));
});

describe('certain', () => {
  it('gives a value that is there, 0 and "" too', () =>
    assert.deepEqual([certain(0, 'a count'), certain('', 'a text')], [0, '']));

  it('throws for a value that is missing: that is a bug', () => {
    assert.throws(() => certain(undefined, 'the end'), /missing: the end/);
    assert.throws(() => certain(null, 'the end'), /missing: the end/);
  });
});
