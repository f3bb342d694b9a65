import assert from 'node:assert/strict';
import { generateResourceId, isResourceId } from '../../../src/balancer/resource-id.ts';
import { answer, applied, conditionOf, GENERATED_ID, SMALLEST_SPEC, UID } from '../../support/balancer.ts';

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

describe('an id that status has lost', () => {
  const random = answer({ status: { resourceId: 'random' } }).children;
  const chosen = { ...SMALLEST_SPEC, resourceId: 'chosen' };
  const ofKind = (kind: string) => random.filter((child) => child.kind === kind);
  const named = (name: string) =>
    random.map((child) => ({ ...child, metadata: { ...child.metadata, name } }));
  const deleted = random.map((child) => ({
    ...child,
    metadata: { ...child.metadata, deletionTimestamp: '2026-11-30T14:00:00Z' },
  }));

  const rows: readonly (readonly [string, readonly unknown[], string])[] = [
    ['comes back from the names of the children', random, 'random'],
    ['comes back from a Service without its Deployment', ofKind('Service'), 'random'],
    [
      "is the Deployment's where another Service is observed too",
      [...answer({ status: { resourceId: 'another' } }).children, ...ofKind('Deployment')].filter(
        ({ kind, metadata }) => kind === 'Service' || metadata.name === 'mzrandom-balancerd',
      ),
      'random',
    ],
    ["does not come back from another's name", named('balancerd'), 'chosen'],
    ['does not come back from a name whose id is none', named('mz-A-balancerd'), 'chosen'],
    ['does not come back from children on their way out', deleted, 'chosen'],
  ];
  for (const [name, children, id] of rows) {
    it(name, () => {
      assert.equal(answer({ spec: chosen, children }).status.resourceId, id);
    });
  }

  it('leaves Ready to the Deployment, under an invalid spec too', () => {
    const available = { status: { conditions: [{ type: 'Available', status: 'True' }] } };
    const children = random.map((child) => applied(child, child.kind === 'Deployment' ? available : {}));
    const held = answer({ spec: { ...chosen, replicas: -1 }, children });
    assert.equal(held.status.resourceId, 'random');
    assert.equal(conditionOf(held, 'Ready')?.status, 'True');
  });
});
