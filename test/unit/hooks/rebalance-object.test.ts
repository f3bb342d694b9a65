import assert from 'node:assert/strict';
import { asAnswered } from '../../../src/hooks/rebalance-object.ts';

describe('a status that is answered as it is', () => {
  it('keeps its bytes', () => {
    const text = '{"b":1,"a":{"z":[],"y":""},"conditions":[{"type":"Ready"}],"10":0}';
    assert.equal(JSON.stringify(asAnswered(JSON.parse(text))), JSON.stringify(JSON.parse(text)));
  });

  it('loses what no cluster holds: nulls, numbers beyond JSON', () => {
    assert.deepEqual(asAnswered(JSON.parse('{"a":null,"b":[1,null,1e999],"c":{"d":-1e999,"e":0}}')), {
      b: [1],
      c: { e: 0 },
    });
  });

  it('is empty where it is no object', () => {
    for (const odd of [undefined, null, 'x', 7, [1]]) assert.deepEqual(asAnswered(odd), {});
  });

  it('keeps a key that would reach a prototype a plain key', () => {
    const answered = asAnswered(JSON.parse('{"__proto__":{"polluted":1},"a":1}'));
    assert.equal(JSON.stringify(answered), '{"__proto__":{"polluted":1},"a":1}');
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });
});
