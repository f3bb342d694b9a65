import assert from 'node:assert/strict';
import { renderResponse } from '../../../src/hooks/respond.ts';
import type { SyncResponse } from '../../../src/kubernetes/metacontroller.ts';

const PARENT = { namespace: 'default', uid: 'u-1' };
const SERVICE = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a', namespace: 'default' } };

function render(response: unknown): string {
  return renderResponse(response as SyncResponse, PARENT);
}

describe('an answer', () => {
  it('is rendered as it is when it keeps the rules', () => {
    const response = {
      status: { resourceId: 'x', conditions: [] },
      children: [SERVICE, { ...SERVICE, kind: 'Deployment', apiVersion: 'apps/v1', spec: { replicas: 0 } }],
      resyncAfterSeconds: 1,
    };
    assert.equal(render(response), JSON.stringify(response));
  });

  it("may carry its own parent's controller-uid, as a held child does", () => {
    const labels = { 'controller-uid': 'u-1' };
    const response = { status: {}, children: [{ ...SERVICE, metadata: { ...SERVICE.metadata, labels } }] };
    assert.equal(render(response), JSON.stringify(response));
  });

  const metadata = SERVICE.metadata;
  const rows: readonly { readonly name: string; readonly response: unknown; readonly says: RegExp }[] = [
    { name: 'without children', response: { status: {} }, says: /children: / },
    { name: 'with null for children', response: { status: {}, children: null }, says: /children: / },
    { name: 'without a status', response: { children: [] }, says: /status: / },
    { name: 'with another key', response: { status: {}, children: [], labels: {} }, says: /"labels"/ },
    {
      name: 'that asks for a sync in no time',
      response: { status: {}, children: [], resyncAfterSeconds: 0 },
      says: /resyncAfterSeconds: /,
    },
    {
      name: 'that asks for a sync in less than a second',
      response: { status: {}, children: [], resyncAfterSeconds: 0.9 },
      says: /resyncAfterSeconds: /,
    },
    {
      name: 'with an empty apiVersion',
      response: { status: {}, children: [{ ...SERVICE, apiVersion: '' }] },
      says: /children\.0\.apiVersion: /,
    },
    {
      name: 'with a child that has a status',
      response: { status: {}, children: [{ ...SERVICE, status: {} }] },
      says: /children\.0\.status: /,
    },
    ...['ownerReferences', 'resourceVersion', 'uid'].map((key) => ({
      name: `with a child that has ${key}`,
      response: { status: {}, children: [{ ...SERVICE, metadata: { ...metadata, [key]: 'x' } }] },
      says: new RegExp(`children\\.0\\.metadata\\.${key}: `),
    })),
    {
      name: 'with a child of another namespace',
      response: { status: {}, children: [{ ...SERVICE, metadata: { name: 'a', namespace: 'other' } }] },
      says: /Service\.v1 a is in another namespace than its parent/,
    },
    {
      name: 'with a child of another controller',
      response: {
        status: {},
        children: [{ ...SERVICE, metadata: { ...metadata, labels: { 'controller-uid': 'u-2' } } }],
      },
      says: /Service\.v1 a carries the controller-uid of another parent/,
    },
    {
      name: 'with the same child twice',
      response: { status: {}, children: [SERVICE, SERVICE] },
      says: /two children are Service\.v1 a/,
    },
    {
      name: 'with a null in a child',
      response: { status: {}, children: [{ ...SERVICE, spec: { ports: [{ name: null }] } }] },
      says: /answer\.children\.0\.spec\.ports\.0\.name is null/,
    },
    {
      name: 'with an undefined',
      response: { status: { a: undefined }, children: [] },
      says: /answer\.status\.a is undefined/,
    },
    {
      name: 'with a number that JSON has no word for',
      response: { status: { a: [Number.NaN] }, children: [] },
      says: /answer\.status\.a\.0 is not a finite number/,
    },
    {
      name: 'with a bigint',
      response: { status: { a: 1n }, children: [] },
      says: /answer\.status\.a is bigint/,
    },
  ];
  for (const { name, response, says } of rows) {
    it(`is a bug ${name}`, () => assert.throws(() => render(response), says));
  }
});
