import assert from 'node:assert/strict';
import { childKindKey, parseSyncRequest } from '../../../src/kubernetes/metacontroller.ts';

const parent = { metadata: { name: 'example', namespace: 'default', uid: 'u-1' } };
const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'mzabc-balancerd' } };

describe('a sync request', () => {
  it('needs no more than a name, a namespace and a uid', () => {
    const parsed = parseSyncRequest({ parent });
    assert.ok(parsed.ok);
    assert.equal(parsed.value.parent.metadata.generation, 0, 'a missing generation is 0');
    assert.deepEqual(parsed.value.children, []);
    assert.equal(parsed.value.finalizing, false);
  });

  it('takes null for absent anywhere', () => {
    const parsed = parseSyncRequest({
      parent: { metadata: { ...parent.metadata, generation: null, labels: null, ownerReferences: null } },
      children: null,
      finalizing: null,
      related: null,
      controller: null,
    });
    assert.ok(parsed.ok);
    assert.equal(parsed.value.parent.metadata.labels, undefined);
  });

  for (const key of ['mzabc-balancerd', 'default/mzabc-balancerd', 'whatever']) {
    it(`reads a child's metadata, not its key: ${key}`, () => {
      const parsed = parseSyncRequest({ parent, children: { 'Service.v1': { [key]: service } } });
      assert.ok(parsed.ok);
      assert.deepEqual(
        parsed.value.children.map((child) => child.metadata.name),
        ['mzabc-balancerd'],
      );
    });
  }

  it('knows which kinds are managed, also those without a child', () => {
    const parsed = parseSyncRequest({
      parent,
      children: { 'Service.v1': {}, 'Certificate.cert-manager.io/v1': {} },
    });
    assert.ok(parsed.ok);
    assert.ok(parsed.value.managedKinds.has(childKindKey('cert-manager.io/v1', 'Certificate')));
    assert.ok(!parsed.value.managedKinds.has(childKindKey('apps/v1', 'Deployment')));
  });

  it('sees every child, also under keys that would reach a prototype, and keeps such labels', () => {
    const labels = '{"constructor":"a","toString":"b","__proto__":"c"}';
    const child = (name: string): string =>
      `{"apiVersion":"v1","kind":"Service","metadata":{"name":"${name}","labels":${labels}}}`;
    const children = `{"__proto__":{"a":${child('a')}},"constructor":{"__proto__":${child('b')}}}`;
    const parsed = parseSyncRequest(
      JSON.parse(
        `{"parent":${JSON.stringify(parent)},"children":${children},"__proto__":{"finalizing":true}}`,
      ),
    );
    assert.ok(parsed.ok);
    assert.deepEqual(
      parsed.value.children.map(({ metadata }) => [metadata.name, JSON.stringify(metadata.labels)]),
      [
        ['a', labels],
        ['b', labels],
      ],
    );
    assert.equal(parsed.value.finalizing, false);
    assert.deepEqual([...parsed.value.managedKinds], ['__proto__', 'constructor']);
  });

  it('keeps what it does not read', () => {
    const parsed = parseSyncRequest({ parent: { ...parent, spec: { a: 1 }, status: 'odd' } });
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.value.parent.spec, { a: 1 });
    assert.equal(parsed.value.parent.status, 'odd');
  });

  const rows: readonly { readonly name: string; readonly body: unknown; readonly path: string }[] = [
    { name: 'a body that is no object', body: 'hello', path: 'body' },
    { name: 'no parent', body: {}, path: 'parent' },
    {
      name: 'a parent without a name',
      body: { parent: { metadata: { namespace: 'a', uid: 'b' } } },
      path: 'parent.metadata.name',
    },
    {
      name: 'an empty uid',
      body: { parent: { metadata: { name: 'a', namespace: 'a', uid: '' } } },
      path: 'parent.metadata.uid',
    },
    ...['a\nb', 'a;b', 'a/b', 'A', '../a', 'a'.repeat(254)].map((name) => ({
      name: `the name ${JSON.stringify(name.slice(0, 9))}, which no object of the API server has`,
      body: { parent: { metadata: { ...parent.metadata, name } } },
      path: 'parent.metadata.name',
    })),
    {
      name: 'a namespace with a dot',
      body: { parent: { metadata: { ...parent.metadata, namespace: 'a.b' } } },
      path: 'parent.metadata.namespace',
    },
    {
      name: 'a uid that no label can hold',
      body: { parent: { metadata: { ...parent.metadata, uid: '$(reboot)' } } },
      path: 'parent.metadata.uid',
    },
    {
      name: 'a child without a kind',
      body: { parent, children: { x: { y: { apiVersion: 'v1', metadata: { name: 'z' } } } } },
      path: 'children.x.y.kind',
    },
    ...(
      [
        ['labels', { a: 1 }, 'labels that are no texts'],
        ['annotations', [], 'annotations that are a list'],
        ['generation', 1.5, 'half a generation'],
        ['deletionTimestamp', 5, 'a time that is a number'],
        ['ownerReferences', [{ kind: 'Balancer' }], 'an owner without a name'],
      ] as const
    ).map(([field, value, name]) => ({
      name,
      body: { parent: { metadata: { ...parent.metadata, [field]: value } } },
      path: `parent.metadata.${field}`,
    })),
    {
      name: 'a parent whose kind is a number',
      body: { parent: { ...parent, kind: 1 } },
      path: 'parent.kind',
    },
    {
      name: 'a kind whose children are a text',
      body: { parent, children: { 'Service.v1': 'none' } },
      path: 'children.Service.v1',
    },
    {
      name: 'a child that is null',
      body: { parent, children: { 'Service.v1': { a: null } } },
      path: 'children.Service.v1.a',
    },
    { name: 'finalizing that is a text', body: { parent, finalizing: 'no' }, path: 'finalizing' },
    { name: 'children that are a list', body: { parent, children: [] }, path: 'children' },
  ];
  for (const { name, body, path } of rows) {
    it(`is refused for ${name}, naming ${path}`, () => {
      const parsed = parseSyncRequest(body);
      assert.ok(!parsed.ok);
      assert.equal(parsed.error.path, path);
    });
  }
});
