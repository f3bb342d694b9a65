import assert from 'node:assert/strict';
import { BALANCER, REBALANCE } from '../../../src/api/parent-kinds.ts';
import { NO_UID, parseManifest, readManifest } from '../../../src/cli/manifest.ts';

const HEAD = 'apiVersion: rebalancer.ch1aki.github.io/v1\nkind: Rebalance\nmetadata: {name: a}\n';

describe('a file with an object', () => {
  it('is read as a hook would be handed it, what only a cluster gives filled in', () => {
    const parsed = parseManifest(`${HEAD}spec: {interval: 1m}`, REBALANCE);
    assert.ok(parsed.ok);
    const { namespace, uid, generation } = parsed.value.metadata;
    assert.deepEqual([namespace, uid, generation], ['default', NO_UID, 1]);
    assert.deepEqual(parsed.value.spec, { interval: '1m' });
  });

  it('keeps what a cluster gave', () => {
    const text = `${HEAD.replace('name: a', 'name: a, namespace: prod, uid: u-1, generation: 7')}status: {failures: 1}`;
    const parsed = parseManifest(text, REBALANCE);
    assert.ok(parsed.ok);
    const { namespace, uid, generation } = parsed.value.metadata;
    assert.deepEqual([namespace, uid, generation], ['prod', 'u-1', 7]);
    assert.deepEqual(parsed.value.status, { failures: 1 });
  });

  it('may hold objects of other kinds beside it', () => {
    const parsed = parseManifest(`kind: Secret\n---\n${HEAD}---\n`, REBALANCE);
    assert.ok(parsed.ok);
    assert.equal(parsed.value.metadata.name, 'a');
  });

  const refusals: readonly { readonly name: string; readonly text: string; readonly says: string }[] = [
    { name: 'nothing at all', text: '', says: 'expected a Rebalance, found none' },
    { name: 'another kind', text: 'kind: Balancer', says: 'expected a Rebalance, found Balancer' },
    { name: 'two of them', text: `${HEAD}---\n${HEAD}`, says: 'expected one Rebalance, found several' },
    {
      name: 'another version of it',
      text: HEAD.replace('/v1', '/v2'),
      says: 'apiVersion: expected rebalancer.ch1aki.github.io/v1',
    },
    {
      name: 'no name',
      text: HEAD.replace('{name: a}', '{}'),
      says: 'metadata.name: expected a text that is not empty',
    },
    {
      name: 'what is not YAML',
      text: 'a: [1',
      says: 'not YAML: Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 6:',
    },
  ];
  for (const { name, text, says } of refusals) {
    it(`is refused with ${name}`, () => {
      assert.deepEqual(parseManifest(text, REBALANCE), { ok: false, error: says });
    });
  }

  it('is refused by the flag that named it where it does not exist', () => {
    assert.deepEqual(readManifest('--filename', '/nowhere/a.yaml', BALANCER), {
      ok: false,
      error: '--filename /nowhere/a.yaml: there is no such file',
    });
  });
});
