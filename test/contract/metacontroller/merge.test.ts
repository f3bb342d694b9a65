import assert from 'node:assert/strict';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { applyUpdate, LAST_APPLIED, merge } from '../../support/metacontroller/merge.ts';

const rows = [
  {
    name: 'a field that was never asked for stays',
    observed: { a: 1, set: 'by someone' },
    last: { a: 1 },
    desired: { a: 2 },
    merged: { a: 2, set: 'by someone' },
  },
  {
    name: 'a field that is no longer asked for goes',
    observed: { a: 1, b: 2 },
    last: { a: 1, b: 2 },
    desired: { a: 1 },
    merged: { a: 1 },
  },
  {
    name: 'a field that is no longer asked for goes, even if somebody changed it',
    observed: { a: 1, b: 3 },
    last: { a: 1, b: 2 },
    desired: { a: 1 },
    merged: { a: 1 },
  },
  {
    name: 'without a last-applied annotation nothing goes',
    observed: { a: 1, b: 2 },
    last: undefined,
    desired: { a: 3 },
    merged: { a: 3, b: 2 },
  },
  {
    name: 'a list of scalars is replaced',
    observed: { args: ['a', 'b'] },
    last: { args: ['a', 'b'] },
    desired: { args: ['c'] },
    merged: { args: ['c'] },
  },
  {
    name: 'a list whose items have names is merged by name, observed items first',
    observed: { env: [{ name: 'injected' }, { name: 'b', value: '1', extra: true }] },
    last: { env: [{ name: 'b', value: '1' }] },
    desired: {
      env: [
        { name: 'c', value: '3' },
        { name: 'b', value: '2' },
      ],
    },
    merged: {
      env: [{ name: 'injected' }, { name: 'b', value: '2', extra: true }, { name: 'c', value: '3' }],
    },
  },
  {
    name: 'an item that is no longer asked for goes, one that was never asked for stays',
    observed: { env: [{ name: 'injected' }, { name: 'b' }] },
    last: { env: [{ name: 'b' }] },
    desired: { env: [] },
    merged: { env: [{ name: 'injected' }] },
  },
  {
    name: 'containerPort wins over name: a renamed port is the same port',
    observed: { ports: [{ containerPort: 80, name: 'old', protocol: 'TCP' }] },
    last: { ports: [{ containerPort: 80, name: 'old' }] },
    desired: { ports: [{ containerPort: 80, name: 'new' }] },
    merged: { ports: [{ containerPort: 80, name: 'new', protocol: 'TCP' }] },
  },
  {
    name: 'the same mountPath is the same mount, whatever its volume',
    observed: { mounts: [{ mountPath: '/a', name: 'v1', readOnly: true }] },
    last: { mounts: [{ mountPath: '/a', name: 'v1' }] },
    desired: { mounts: [{ mountPath: '/a', name: 'v2' }] },
    merged: { mounts: [{ mountPath: '/a', name: 'v2', readOnly: true }] },
  },
  {
    name: 'two ports of one number and different protocols both become the later one',
    observed: {
      ports: [
        { port: 53, protocol: 'UDP' },
        { port: 53, protocol: 'TCP' },
      ],
    },
    last: undefined,
    desired: {
      ports: [
        { port: 53, protocol: 'UDP' },
        { port: 53, protocol: 'TCP' },
      ],
    },
    merged: {
      ports: [
        { port: 53, protocol: 'TCP' },
        { port: 53, protocol: 'TCP' },
      ],
    },
  },
  {
    name: 'one item without the key, on any of the three sides, and the list is replaced',
    observed: { items: [{ path: 'a' }] },
    last: { items: [{ key: 'a' }] },
    desired: { items: [{ path: 'b' }] },
    merged: { items: [{ path: 'b' }] },
  },
  {
    name: 'items with keys that are not known are replaced as a list',
    observed: { conditions: [{ type: 'a' }] },
    last: { conditions: [{ type: 'a' }] },
    desired: { conditions: [{ type: 'b' }] },
    merged: { conditions: [{ type: 'b' }] },
  },
  {
    name: 'a null is a value like any other: it differs for ever, so never answer one',
    observed: { a: {} },
    last: {},
    desired: { b: null },
    merged: { a: {}, b: null },
  },
  {
    name: 'where two types meet, what is asked for counts as absent: it is never applied',
    observed: { a: { b: 1 }, c: [1] },
    last: {},
    desired: { a: 'text', c: 'text' },
    merged: { a: { b: 1 }, c: [] },
  },
] as const;

describe('Metacontroller: the three-way merge', () => {
  for (const { name, observed, last, desired, merged } of rows) {
    it(`[three-way-merge] ${name}`, () => {
      assert.deepEqual(merge(observed, last, desired), merged);
    });
  }

  const observed: ObservedObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'a',
      uid: 'u1',
      resourceVersion: '7',
      generation: 3,
      annotations: { [LAST_APPLIED]: '{"spec":{"gone":1}}', other: 'stays' },
    },
    spec: { gone: 1, kept: 2 },
    status: { ready: true },
  };

  it('writes the new last-applied annotation, and leaves status and system fields alone', () => {
    const desired = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', uid: 'other', resourceVersion: '1', deletionTimestamp: 'now' },
      spec: { new: 3 },
      status: { ready: false },
    };
    const updated = applyUpdate(observed, desired);
    assert.ok(updated.ok);
    assert.deepEqual(updated.value, {
      ...observed,
      metadata: {
        ...observed.metadata,
        annotations: {
          other: 'stays',
          [LAST_APPLIED]:
            '{"apiVersion":"v1","kind":"Service","metadata":{"deletionTimestamp":"now","name":"a",' +
            '"resourceVersion":"1","uid":"other"},"spec":{"new":3},"status":{"ready":false}}',
        },
      },
      spec: { kept: 2, new: 3 },
    });
  });

  it('does not let the annotation contain itself when a hook answers what it observed', () => {
    const once = applyUpdate(observed, observed);
    assert.ok(once.ok);
    const annotation = once.value.metadata.annotations?.[LAST_APPLIED];
    assert.ok(annotation !== undefined);
    assert.doesNotMatch(annotation, /last-applied/);
  });

  it('says that an annotation cannot be read', () => {
    const broken = { ...observed, metadata: { name: 'a', annotations: { [LAST_APPLIED]: '{' } } };
    assert.deepEqual(applyUpdate(broken, observed), {
      ok: false,
      error: `cannot read the annotation ${LAST_APPLIED}`,
    });
  });
});
