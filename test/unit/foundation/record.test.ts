import assert from 'node:assert/strict';
import { holdsAtMost, rowOf } from '../../../src/foundation/record.ts';

describe('a JSON value', () => {
  const rows: readonly (readonly [name: string, value: unknown, values: number])[] = [
    ['a text', 'abc', 1],
    ['nothing', null, 1],
    ['an empty list', [], 1],
    ['a list', [1, 2, 3], 4],
    ['an object', { a: 1, b: { c: [null] } }, 5],
  ];
  for (const [name, value, values] of rows)
    it(`is counted with all that it holds: ${name}`, () => {
      assert.ok(holdsAtMost(values, value));
      assert.ok(!holdsAtMost(values - 1, value));
    });
  it('is counted however deep it is, and no further than asked for', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`);
    assert.ok(holdsAtMost(1_000_000, deep));
    assert.ok(!holdsAtMost(999_999, deep));
    assert.ok(
      !holdsAtMost(
        10,
        Array.from({ length: 1_000_000 }, () => deep),
      ),
    );
  });
});

describe('a row of a table', () => {
  it('is none where no row has the word, though every object has a member of that name', () => {
    assert.equal(rowOf({ a: 1 }, 'a'), 1);
    for (const word of Object.getOwnPropertyNames(Object.prototype))
      assert.equal(rowOf({ a: 1 }, word), undefined, word);
  });
});
