import assert from 'node:assert/strict';
import { generateResourceId, isResourceId } from '../../../src/balancer/resource-id.ts';
import { answer, GENERATED_ID, SMALLEST_SPEC, UID } from '../../support/balancer.ts';

describe('the generated id', () => {
  it('is 10 characters of [a-z0-9] that the UID alone decides', () => {
    assert.equal(generateResourceId(UID), GENERATED_ID);
    assert.equal(generateResourceId('11111111-2222-3333-4444-555555555555'), 'vyo83qxdn6');
  });
  it('keeps its length where the number has leading zeros', () => {
    assert.equal(generateResourceId('uid-17'), '0d4jt6hm27');
  });
});

describe('an id in status', () => {
  const rows: readonly (readonly [string, unknown, boolean])[] = [
    ['10 characters', 'qj3y6iowhb', true],
    ['one character', 'a', true],
    ['51 characters', 'a'.repeat(51), true],
    ['a dash inside', 'a-b', true],
    ['52 characters', 'a'.repeat(52), false],
    ['nothing', '', false],
    ['capitals', 'ABC', false],
    ['a dash at the end', 'a-', false],
    ['a number', 1234567890, false],
    ['a list', ['a'], false],
    ['a line break', 'a\n', false],
  ];
  for (const [name, id, usable] of rows) {
    it(`${usable ? 'wins' : 'counts as absent'} when it is ${name}`, () => {
      assert.equal(isResourceId(id), usable);
      const { status } = answer({ status: { resourceId: id } });
      assert.equal(status.resourceId, usable ? id : GENERATED_ID);
    });
  }

  it("loses against nothing, an unusable one against the spec's", () => {
    const spec = { ...SMALLEST_SPEC, resourceId: 'chosen' };
    assert.equal(answer({ spec, status: { resourceId: 'settled' } }).status.resourceId, 'settled');
    assert.equal(answer({ spec, status: { resourceId: 'NO' } }).status.resourceId, 'chosen');
  });

  it('is not settled anew while the spec is invalid, for the mended spec may name one', () => {
    const spec = { ...SMALLEST_SPEC, resourceId: 'chosen', replicas: -1 };
    assert.equal(answer({ spec }).status.resourceId, undefined);
    assert.equal(answer({ spec, status: { resourceId: 'settled' } }).status.resourceId, 'settled');
  });

  for (const status of [undefined, null, 'text', [], { resourceId: null, conditions: 'none' }]) {
    it(`is absent from the status ${JSON.stringify({ status })}`, () => {
      assert.equal(answer({ status }).status.resourceId, GENERATED_ID);
    });
  }
});
