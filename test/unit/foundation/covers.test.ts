import assert from 'node:assert/strict';
import { covers } from '../../../src/foundation/covers.ts';

const ROWS: readonly (readonly [string, unknown, unknown, boolean])[] = [
  ['the same number', 1, 1, true],
  ['another text', 'a', 'b', false],
  ['a number for a text', 1, '1', false],
  ['an object with a default more', { a: 1, b: 2 }, { a: 1 }, true],
  ['an object with a default more, deep in a list', [{ a: { b: 1, c: 2 } }], [{ a: { b: 1 } }], true],
  ['an object without the key', { b: 2 }, { a: 1 }, false],
  ['a key that every object has', {}, { constructor: Object }, false],
  ['a list for an object', [], {}, false],
  ['an object for a list', {}, [], false],
  ['a list that is longer', [1, 2], [1], false],
  ['a list in another order', [2, 1], [1, 2], false],
  ['the same list', [1, 2], [1, 2], true],
  ['nothing', undefined, {}, false],
  ['null', null, {}, false],
];

describe('what is wanted', () => {
  for (const [name, value, wanted, isCovered] of ROWS) {
    it(`is ${isCovered ? '' : 'not '}covered by ${name}`, () => {
      assert.equal(covers(value, wanted), isCovered);
    });
  }
});
