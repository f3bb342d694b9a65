import assert from 'node:assert/strict';
import { planAdoption } from '../../../src/balancer/adoption.ts';
import { judgeMissing } from '../../../src/balancer/missing.ts';
import { ok } from '../../../src/foundation/result.ts';
import type { ObjectReference, ObservedObject } from '../../../src/kubernetes/objects.ts';
import { DEPLOYMENT, SERVICE } from '../../support/balancer.ts';

const OWNER = { apiVersion: 'materialize.cloud/v1alpha1', kind: 'Balancer', name: 'acme', uid: 'uid-1' };
const STRANGER = { apiVersion: 'v1', kind: 'Other', name: 'owner', uid: 'uid-2' };

/** As an orchestratord leaves it, but for what a row says. */
function found(reference: ObjectReference, metadata: object = {}, spec: object = {}): ObservedObject {
  const { apiVersion, kind, namespace, name } = reference;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid: 'u', resourceVersion: '7', ownerReferences: [OWNER], ...metadata },
    spec,
  };
}

const TAKEN: readonly (readonly [string, ObjectReference, ObservedObject])[] = [
  ['owned by the Balancer and controlled by nobody', DEPLOYMENT, found(DEPLOYMENT, { labels: { a: 'b' } })],
  [
    'owned by others as well, who do not control it',
    DEPLOYMENT,
    found(DEPLOYMENT, { ownerReferences: [{ ...STRANGER, controller: false }, OWNER] }),
  ],
  ['a headless Service', SERVICE, found(SERVICE, {}, { clusterIP: 'None' })],
];

const LEFT: readonly (readonly [string, ObjectReference, ObservedObject, string])[] = [
  ["a stranger's", DEPLOYMENT, found(DEPLOYMENT, { ownerReferences: [STRANGER] }), 'NameTaken'],
  ["nobody's", DEPLOYMENT, found(DEPLOYMENT, { ownerReferences: undefined }), 'NameTaken'],
  [
    'controlled by a stranger',
    DEPLOYMENT,
    found(DEPLOYMENT, { ownerReferences: [OWNER, { ...STRANGER, controller: true }] }),
    'NameTaken',
  ],
  [
    'controlled by the Balancer already',
    DEPLOYMENT,
    found(DEPLOYMENT, { ownerReferences: [{ ...OWNER, controller: true }] }),
    'Creating',
  ],
  [
    'labelled already, and adopted at any moment',
    DEPLOYMENT,
    found(DEPLOYMENT, { labels: { 'controller-uid': 'uid-1' } }),
    'Creating',
  ],
  [
    'labelled for another Balancer',
    DEPLOYMENT,
    found(DEPLOYMENT, { labels: { 'controller-uid': 'uid-2' } }),
    'NameTaken',
  ],
  ['being deleted', DEPLOYMENT, found(DEPLOYMENT, { deletionTimestamp: '2026-11-30T15:00:00Z' }), 'Creating'],
  ['a Service with an address', SERVICE, found(SERVICE, {}, { clusterIP: '10.0.0.1' }), 'NameTaken'],
  [
    'without a uid, which no API server leaves out',
    DEPLOYMENT,
    found(DEPLOYMENT, { uid: undefined }),
    'NameTaken',
  ],
  ['without a resourceVersion', DEPLOYMENT, found(DEPLOYMENT, { resourceVersion: undefined }), 'NameTaken'],
];

describe('an object under the name of a missing child', () => {
  for (const [name, reference, object] of TAKEN) {
    it(`is labelled, as it was read, when it is ${name}`, () => {
      assert.deepEqual(planAdoption(reference, object, 'uid-1'), {
        kind: 'Label',
        object: reference,
        uid: 'u',
        resourceVersion: '7',
      });
    });
  }
  for (const [name, reference, object, reason] of LEFT) {
    it(`is not touched when it is ${name}: ${reason}`, () => {
      assert.equal(planAdoption(reference, object, 'uid-1'), undefined);
      assert.equal(judgeMissing(reference, 'uid-1', { lookUp: ok(object) }).reason, reason);
    });
  }

  it('that is being deleted is said to be so', () => {
    const object = found(DEPLOYMENT, { deletionTimestamp: '2026-11-30T15:00:00Z' });
    assert.equal(
      judgeMissing(DEPLOYMENT, 'uid-1', { lookUp: ok(object) }).message,
      'Deployment prod/web is being deleted, and made anew then',
    );
  });
});
