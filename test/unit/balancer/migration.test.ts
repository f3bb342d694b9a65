import assert from 'node:assert/strict';
import type { Migration } from '../../../src/balancer/migration.ts';
import { LAST_APPLIED_ANNOTATION } from '../../../src/kubernetes/hold.ts';
import type { DesiredObject } from '../../../src/kubernetes/objects.ts';
import { at } from '../../support/at.ts';
import {
  answer,
  applied,
  conditionOf,
  decide,
  GENERATED_ID,
  ofKind,
  SMALLEST_SPEC,
  UID,
} from '../../support/balancer.ts';

const NAME = `mz${GENERATED_ID}-balancerd`;
const wanted = ofKind(answer({}).children, 'Deployment');
const OLD = { 'materialize.cloud/name': NAME, app: 'balancerd' };
const CONTROLLER = { apiVersion: 'v1', kind: 'Balancer', name: 'acme', uid: UID, controller: true };
const SETTLED = { observedGeneration: 3, replicas: 2, updatedReplicas: 2, availableReplicas: 2 };

interface Change {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: unknown;
}

/** What was last answered to a Deployment with the old selector, settled, but for what a row changes of it. */
function observed({ metadata = {}, spec = {}, status = SETTLED }: Change = {}): DesiredObject {
  const asked = applied({
    ...wanted,
    spec: { ...(wanted['spec'] as object), selector: { matchLabels: OLD } },
  });
  return {
    ...asked,
    metadata: {
      ...asked.metadata,
      uid: 'd-1',
      resourceVersion: '7',
      generation: 3,
      ownerReferences: [CONTROLLER],
      ...metadata,
    },
    spec: { ...(asked['spec'] as object), ...spec },
    ...(status === null ? {} : { status }),
  } as DesiredObject;
}

function step(change: Change, spec: object = SMALLEST_SPEC): Migration {
  const decision = decide({ spec, children: [observed(change)] });
  assert.ok(decision.kind === 'Wanted');
  return decision.migration;
}

const template = (wanted['spec'] as { readonly template: object }).template;
const ORPHAN: Migration = {
  kind: 'Orphan',
  deployment: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'prod', name: NAME },
  uid: 'd-1',
  resourceVersion: '7',
};

const ROWS: readonly (readonly [string, Change, Migration['kind']])[] = [
  ['without a status yet', { status: null }, 'AwaitRollout'],
  [
    'whose controller has not seen it as it is',
    { status: { ...SETTLED, observedGeneration: 2 } },
    'AwaitRollout',
  ],
  ['with an old pod left', { status: { ...SETTLED, replicas: 3 } }, 'AwaitRollout'],
  ['with a new pod to come', { status: { ...SETTLED, updatedReplicas: 1 } }, 'AwaitRollout'],
  [
    'with a pod that is not available',
    { status: { ...SETTLED, availableReplicas: undefined } },
    'AwaitRollout',
  ],
  ['that Metacontroller has not written yet', { metadata: { annotations: {} } }, 'AwaitRollout'],
  [
    'that was asked for with another label',
    {
      metadata: {
        annotations: { [LAST_APPLIED_ANNOTATION]: JSON.stringify({ ...wanted, metadata: { labels: {} } }) },
      },
    },
    'AwaitRollout',
  ],
  [
    'whose pods lack a label of the new selector, by a hand',
    { spec: { template: { ...template, metadata: { labels: OLD } } } },
    'AwaitRollout',
  ],
  ['that is being deleted', { metadata: { deletionTimestamp: '2026-11-30T15:00:00Z' } }, 'AwaitRemoval'],
  [
    'that has our selector',
    { spec: { selector: (wanted['spec'] as { selector: object }).selector } },
    'None',
  ],
  ['that selects what our pods are not', { spec: { selector: { matchLabels: { a: 'b' } } } }, 'None'],
  ['that another controls', { metadata: { ownerReferences: [{ ...CONTROLLER, uid: 'other' }] } }, 'None'],
  ['that nobody controls, as in a body by curl', { metadata: { ownerReferences: [] } }, 'None'],
  ['without a uid', { metadata: { uid: undefined } }, 'None'],
  ['without a resourceVersion', { metadata: { resourceVersion: undefined } }, 'None'],
];

describe('a Deployment with an older selector', () => {
  it('is deleted without its pods, as it was observed, once it is asked for and rolled out', () => {
    assert.deepEqual(step({}), ORPHAN);
  });

  it('is so with no replica at all, too', () => {
    const zero = { ...SMALLEST_SPEC, replicas: 0 };
    const asked = ofKind(answer({ spec: zero, children: [observed()] }).children, 'Deployment');
    const { metadata } = applied(asked);
    const status = { observedGeneration: 3 };
    const change = { metadata: { annotations: metadata.annotations }, spec: { replicas: 0 }, status };
    assert.deepEqual(step(change, zero), ORPHAN);
  });

  it('is not deleted in the sync that changes it', () => {
    assert.equal(step({}, { ...SMALLEST_SPEC, balancerdImageRef: 'new' }).kind, 'AwaitRollout');
    assert.equal(step({}, { ...SMALLEST_SPEC, replicas: 3 }).kind, 'AwaitRollout');
  });

  it('keeps its selector in every answer until it is gone', () => {
    for (const [, change, kind] of [['settled', {}, 'Orphan'] as const, ...ROWS]) {
      if (kind === 'None') continue;
      const deployment = ofKind(answer({ children: [observed(change)] }).children, 'Deployment');
      assert.deepEqual(at(deployment, 'spec.selector.matchLabels'), OLD);
    }
  });

  for (const [name, change, kind] of ROWS) {
    it(`${name}: ${kind}`, () => {
      assert.equal(step(change).kind, kind);
    });
  }

  it('that is gone was migrating only where status says so', () => {
    const gone = (conditions: readonly object[]): unknown =>
      conditionOf(answer({ status: { conditions } }), 'Migrating')?.reason;
    const migrating = {
      type: 'Migrating',
      status: 'True',
      reason: 'Orphaning',
      message: '',
      lastTransitionTime: '2026-11-30T14:00:00Z',
    };
    assert.equal(gone([]), undefined);
    assert.equal(gone([migrating]), 'Recreating');
  });
});

describe('a Deployment that was taken over', () => {
  const spec = { ...SMALLEST_SPEC, podLabels: { team: 'a' } };
  /** As orchestratord made it, with what Metacontroller was last asked for. */
  const taken = (asked: object | undefined, more: object = {}): DesiredObject => ({
    ...wanted,
    metadata: {
      ...wanted.metadata,
      annotations: asked === undefined ? {} : { [LAST_APPLIED_ANNOTATION]: JSON.stringify(asked) },
    },
    spec: { ...(wanted['spec'] as object), ...more },
  });
  const rows: readonly (readonly [string, DesiredObject, object, boolean])[] = [
    ['was never asked for', taken(undefined), spec, true],
    ['was held by its name', taken({ metadata: { name: NAME } }), spec, true],
    ['was asked for without its template', taken({ spec: { replicas: 2 } }), spec, true],
    ['was asked for with a template', taken({ spec: { template } }), spec, false],
    ['is to get another image', taken(undefined), { ...spec, balancerdImageRef: 'new' }, false],
    ['wants neither labels nor annotations', taken(undefined), SMALLEST_SPEC, false],
    [
      'has the labels already',
      taken(undefined, ofKind(answer({ spec }).children, 'Deployment')['spec'] as object),
      spec,
      false,
    ],
    ['has no template, as in a body by curl', { ...taken(undefined), spec: 1 }, spec, false],
  ];
  for (const [name, deployment, wantedSpec, isDeferred] of rows) {
    it(`and ${name} ${isDeferred ? 'keeps' : 'is asked for with'} its template`, () => {
      const response = answer({ spec: wantedSpec, children: [deployment] });
      const answered = ofKind(response.children, 'Deployment');
      assert.equal(at(answered, 'spec.template') === undefined, isDeferred);
      assert.equal(at(answered, 'spec.replicas'), 2);
      assert.equal(conditionOf(response, 'PodMetadataDeferred')?.status, isDeferred ? 'True' : undefined);
    });
  }

  it('scales without its template', () => {
    const response = answer({ spec: { ...spec, replicas: 5 }, children: [taken(undefined)] });
    const answered = ofKind(response.children, 'Deployment');
    assert.deepEqual([at(answered, 'spec.replicas'), at(answered, 'spec.template')], [5, undefined]);
  });
});
