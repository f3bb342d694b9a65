import assert from 'node:assert/strict';
import { parseJson } from '../../../src/foundation/json.ts';
import { listSome } from '../../../src/foundation/list-some.ts';
import { isRecord, isStringMap } from '../../../src/foundation/record.ts';
import { withoutEmpty } from '../../../src/foundation/without-empty.ts';
import { withoutNulls } from '../../../src/foundation/without-nulls.ts';

describe('parseJson', () => {
  it('reads what is JSON, null too, and nothing else', () => {
    assert.deepEqual(['{"a":[1]}', 'null', '', '{', '<html>'].map(parseJson), [
      { a: [1] },
      null,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('withoutNulls', () => {
  it('drops null fields at any depth, and keeps everything else', () => {
    assert.deepEqual(withoutNulls({ a: null, b: { c: null, d: [{ e: null, f: 0 }, ''] }, g: false }), {
      b: { d: [{ f: 0 }, ''] },
      g: false,
    });
  });
  it('keeps the items of a list, for a list with a hole is wrong and not shorter', () => {
    assert.deepEqual(withoutNulls([null, 1]), [null, 1]);
  });
  it('keeps what is no object', () => {
    assert.equal(withoutNulls(null), null);
    assert.equal(withoutNulls(undefined), undefined);
  });
  it('survives a body nested a million deep, leaving out what lies below 64 levels', () => {
    const deep: unknown = JSON.parse(`{"a":${'['.repeat(1e6)}${']'.repeat(1e6)},"b":1}`);
    const pruned = withoutNulls(deep);
    assert.ok(isRecord(pruned));
    assert.equal(pruned['b'], 1);
    assert.equal(JSON.stringify(pruned['a']), `${'['.repeat(63)}${']'.repeat(63)}`);
  });
  it('makes a key called __proto__ a field like any other', () => {
    const pruned = withoutNulls(JSON.parse('{"__proto__":{"polluted":true}}'));
    assert.deepEqual(Object.keys(pruned as object), ['__proto__']);
    assert.equal(({} as Readonly<Record<string, unknown>>)['polluted'], undefined);
  });
});

describe('withoutEmpty', () => {
  it('drops what says nothing, one level deep', () => {
    assert.deepEqual(
      withoutEmpty({ a: undefined, b: '', c: [], d: {}, e: 0, f: false, g: [''], h: { i: '' }, j: null }),
      { e: 0, f: false, g: [''], h: { i: '' }, j: null },
    );
  });
});

describe('a record', () => {
  it('is a JSON object', () => {
    assert.deepEqual([{}, [], null, 'a', undefined].map(isRecord), [true, false, false, false, false]);
  });
  it('is a map of texts when all its values are', () => {
    assert.deepEqual([{}, { a: '' }, { a: 1 }, []].map(isStringMap), [true, true, false, false]);
  });
});

describe('listSome', () => {
  it('names all of a short list', () => {
    assert.equal(listSome(['a', 'b', 'c', 'd', 'e']), 'a, b, c, d, e');
  });
  it('counts the rest of a long one', () => {
    assert.equal(listSome(['a', 'b', 'c'], '; ', 2), 'a; b and 1 more');
  });
});
