import assert from 'node:assert/strict';
import { holdChild, holdChildren, LAST_APPLIED_ANNOTATION } from '../../../src/kubernetes/hold.ts';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';

const PARENT = { namespace: 'prod', uid: 'uid-1' };

function observed(lastApplied: unknown, name = 'web'): ObservedObject {
  const annotations =
    lastApplied === undefined
      ? {}
      : {
          [LAST_APPLIED_ANNOTATION]:
            typeof lastApplied === 'string' ? lastApplied : JSON.stringify(lastApplied),
        };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'prod', resourceVersion: '7', labels: { live: 'yes' }, annotations },
    spec: { replicas: 5 },
    status: { replicas: 5 },
  };
}

const IDENTITY = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'prod' } };

const APPLIED = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'prod',
    labels: { a: 'b', 'controller-uid': 'uid-1' },
    annotations: { c: '' },
  },
  spec: { replicas: 2, template: { spec: { containers: [{ name: 'x', args: [''] }] } } },
};

const ROWS: readonly (readonly [string, unknown, unknown])[] = [
  ['says nothing but its identity where it was never applied', undefined, IDENTITY],
  ['says nothing but its identity where the annotation is no JSON', '{', IDENTITY],
  ['says nothing but its identity where the annotation is no object', [1], IDENTITY],
  ['is what was last asked for, word for word', APPLIED, APPLIED],
  [
    'keeps its own identity, whatever the annotation was edited to say',
    { apiVersion: 'v9', kind: 'Other', metadata: { name: 'other', namespace: 'else' }, spec: {} },
    { ...IDENTITY, spec: {} },
  ],
  [
    'carries nothing that is not ours to set',
    {
      metadata: {
        labels: { 'controller-uid': 'uid-2', a: 'b' },
        annotations: { wrong: 1 },
        ownerReferences: [],
        resourceVersion: '1',
        uid: 'x',
      },
      status: { replicas: 1 },
      spec: { gone: null, kept: true, list: [null, 1] },
    },
    {
      ...IDENTITY,
      metadata: { name: 'web', namespace: 'prod', labels: { a: 'b' } },
      spec: { kept: true, list: [1] },
    },
  ],
];

describe('a held child', () => {
  for (const [name, lastApplied, held] of ROWS) {
    it(name, () => {
      assert.deepEqual(holdChild(observed(lastApplied), PARENT), held);
    });
  }

  it("lives in its parent's namespace, also where a body says none or another", () => {
    const { metadata, ...rest } = observed(undefined);
    const elsewhere = { ...rest, metadata: { ...metadata, namespace: 'else' } };
    assert.deepEqual(holdChild(elsewhere, PARENT), IDENTITY);
  });

  it('is answered once, where a body names it twice', () => {
    const twice = [observed(undefined), observed(undefined), observed(undefined, 'api')];
    assert.deepEqual(
      holdChildren(twice, PARENT).map(({ metadata }) => metadata.name),
      ['web', 'api'],
    );
  });
});
