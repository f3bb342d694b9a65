import assert from 'node:assert/strict';
import { judgeMissing, type LookUp, type Verdict } from '../../../src/balancer/missing.ts';
import { err, ok } from '../../../src/foundation/result.ts';
import type { ObjectReference, ObservedObject } from '../../../src/kubernetes/objects.ts';
import {
  answer,
  applied,
  conditionOf,
  decide,
  DEPLOYMENT,
  GENERATED_ID,
  ISSUER,
  NOW_MS,
  ofKind,
  SERVICE,
  SMALLEST_SPEC,
  UID,
  type BalancerCase,
} from '../../support/balancer.ts';

const NAME = `mz${GENERATED_ID}-balancerd`;

function missingSince(lastTransitionTime: unknown, status = 'False'): unknown {
  return {
    conditions: [{ type: 'ChildrenObserved', status, reason: 'Creating', message: '', lastTransitionTime }],
  };
}

/** The condition ChildrenObserved as [status, reason, message]. */
function told(given: BalancerCase, lookUps?: readonly LookUp[]): readonly unknown[] {
  const condition = conditionOf(answer(given, lookUps), 'ChildrenObserved');
  return [condition?.status, condition?.reason, condition?.message];
}

describe('children that are not observed', () => {
  it('are being created at first, and looked for again after 10 seconds', () => {
    assert.deepEqual(told({}), [
      'False',
      'Creating',
      `Deployment prod/${NAME} is not observed yet; Service prod/${NAME} is not observed yet`,
    ]);
    assert.equal(answer({}).resyncAfterSeconds, 10);
  });

  it('are nothing to tell of once all are there', () => {
    const given = { children: answer({}).children.map((child) => applied(child)) };
    assert.deepEqual(told(given), ['True', 'AllObserved', 'every child is observed']);
    assert.equal(answer(given).resyncAfterSeconds, undefined);
  });

  it('do not count where the name is that of another kind or API', () => {
    const [deployment, service] = answer({}).children.map((child) => applied(child));
    const children = [
      { ...deployment, apiVersion: 'apps/v2' },
      { ...service, kind: 'Ingress' },
    ];
    assert.deepEqual(told({ children }), told({}));
  });

  it('are told of one by one', () => {
    const children = [applied(ofKind(answer({}).children, 'Deployment'))];
    assert.deepEqual(told({ children }), ['False', 'Creating', `Service prod/${NAME} is not observed yet`]);
  });

  const due: readonly (readonly [string, unknown, boolean])[] = [
    ['missing for the first time', undefined, false],
    ['missing for 9 seconds', missingSince('2026-11-30T14:59:51Z'), false],
    ['missing for 10 seconds', missingSince('2026-11-30T14:59:50Z'), true],
    ['missing for a day', missingSince('2026-11-29T15:00:00Z'), true],
    [
      'missing since 9 seconds from now, by a clock that is ahead',
      missingSince('2026-11-30T15:00:09Z'),
      false,
    ],
    ['missing since next year, as a status by hand may say', missingSince('2027-11-30T15:00:00Z'), true],
    ['missing since a time that is none', missingSince('long ago'), false],
    ['all observed before', missingSince('2026-11-29T15:00:00Z', 'True'), false],
    ['not looked for before, the spec being invalid', missingSince('2026-11-29T15:00:00Z', 'Unknown'), false],
  ];
  for (const [name, status, isDue] of due) {
    it(`are ${isDue ? '' : 'not '}asked for at the API when ${name}`, () => {
      const decision = decide({ status });
      assert.ok(decision.kind === 'Wanted');
      assert.equal(decision.lookUp, isDue);
    });
  }

  it('are not asked for when none is missing, however long ago one was', () => {
    const children = answer({}).children.map((child) => applied(child));
    const decision = decide({ children, status: missingSince('2026-11-29T15:00:00Z') });
    assert.ok(decision.kind === 'Wanted');
    assert.equal(decision.lookUp, false);
  });

  it('keep the time since when they are missing, whatever the reason becomes', () => {
    const since = '2026-11-30T14:00:00Z';
    const response = answer({ status: missingSince(since) });
    const condition = conditionOf(response, 'ChildrenObserved');
    assert.deepEqual([condition?.reason, condition?.lastTransitionTime], ['Missing', since]);
    assert.equal(response.resyncAfterSeconds, 10);
  });

  it('are told of by the worst reason, and all their messages', () => {
    const given = {
      spec: { ...SMALLEST_SPEC, externalCertificateSpec: ISSUER },
      status: missingSince('2026-11-30T14:00:00Z'),
      nowMs: NOW_MS,
    };
    const stranger = { apiVersion: 'v1', kind: 'Service', metadata: { name: NAME } };
    const absent = err({ kind: 'NotFound', message: 'not found' } as const);
    const [status, reason, message] = told(given, [undefined, absent, ok(stranger)]);
    assert.deepEqual([status, reason], ['False', 'NameTaken']);
    assert.match(
      String(message),
      /^Certificate .* is not observed; look .*; Deployment .* does not exist; .*; Service .* exists and/,
    );
    assert.equal(told(given, [undefined, absent, absent])[1], 'CreateFailed');
    const ours = { ...stranger, metadata: { name: NAME, labels: { 'controller-uid': UID } } };
    assert.equal(told(given, [undefined, ok(ours), ok(ours)])[1], 'Missing');
    assert.equal(told(given, [ok(ours), ok(ours), ok(ours)])[1], 'Creating');
  });
});

function found(reference: ObjectReference, metadata: object, more: object = {}): LookUp {
  const object: ObservedObject = {
    apiVersion: reference.apiVersion,
    kind: reference.kind,
    metadata: { name: reference.name, namespace: reference.namespace, ...metadata },
    ...more,
  };
  return ok(object);
}

const OWNER = { apiVersion: 'v1', kind: 'Other', name: 'owner', uid: 'uid-2' };
const HAND_OVER_DEPLOYMENT =
  "Deployment prod/web exists and is not this Balancer's; hand it over with: kubectl -n prod label deployment.apps web --overwrite controller-uid=uid-1";

const VERDICTS: readonly (readonly [string, ObjectReference, LookUp, Verdict['reason'], string])[] = [
  [
    'without access to the API',
    DEPLOYMENT,
    undefined,
    'Missing',
    'Deployment prod/web is not observed; look with: kubectl -n prod get deployment.apps web --show-labels; if it was made for this Balancer, hand it over with: kubectl -n prod label deployment.apps web --overwrite controller-uid=uid-1',
  ],
  [
    'that may not be read',
    SERVICE,
    err({ kind: 'Forbidden', message: 'services "web" is\nforbidden' }),
    'Missing',
    'Service prod/web is not observed, and the API did not say why (services "web" is forbidden); look with: kubectl -n prod get service web --show-labels',
  ],
  [
    'while the API is away',
    SERVICE,
    err({ kind: 'Unavailable', message: 'timeout' }),
    'Missing',
    'Service prod/web is not observed, and the API did not say why (timeout); look with: kubectl -n prod get service web --show-labels',
  ],
  [
    'that does not exist',
    DEPLOYMENT,
    err({ kind: 'NotFound', message: 'not found' }),
    'CreateFailed',
    "Deployment prod/web was asked for and does not exist; the events of the Balancer and Metacontroller's log say why",
  ],
  [
    'that is ours by its controller',
    DEPLOYMENT,
    found(DEPLOYMENT, { ownerReferences: [{ ...OWNER, uid: 'uid-1', controller: true }] }),
    'Creating',
    'Deployment prod/web is not observed yet',
  ],
  [
    'that is about to be adopted',
    DEPLOYMENT,
    found(DEPLOYMENT, { labels: { 'controller-uid': 'uid-1' } }),
    'Creating',
    'Deployment prod/web is not observed yet',
  ],
  ['that belongs to nobody', DEPLOYMENT, found(DEPLOYMENT, {}), 'NameTaken', HAND_OVER_DEPLOYMENT],
  [
    'that is owned by us but not controlled, as orchestratord leaves it',
    DEPLOYMENT,
    found(DEPLOYMENT, { ownerReferences: [{ ...OWNER, uid: 'uid-1' }] }),
    'NameTaken',
    HAND_OVER_DEPLOYMENT,
  ],
  [
    'that is labelled for another parent',
    DEPLOYMENT,
    found(DEPLOYMENT, { labels: { 'controller-uid': 'uid-2' } }),
    'NameTaken',
    HAND_OVER_DEPLOYMENT,
  ],
  [
    'that another controls, whatever its label says',
    DEPLOYMENT,
    found(DEPLOYMENT, {
      labels: { 'controller-uid': 'uid-1' },
      ownerReferences: [OWNER, { ...OWNER, controller: true }],
    }),
    'NameTaken',
    'Deployment prod/web exists and belongs to Other owner; free its name with: kubectl -n prod delete deployment.apps web',
  ],
  [
    'that is a headless Service of ours, as orchestratord leaves it',
    SERVICE,
    found(SERVICE, { ownerReferences: [{ ...OWNER, uid: 'uid-1' }] }, { spec: { clusterIP: 'None' } }),
    'NameTaken',
    "Service prod/web exists and is not this Balancer's; hand it over with: kubectl -n prod label service web --overwrite controller-uid=uid-1",
  ],
  [
    'that is a headless Service of a stranger',
    SERVICE,
    found(SERVICE, { ownerReferences: [OWNER] }, { spec: { clusterIP: 'None' } }),
    'NameTaken',
    "Service prod/web exists and is not this Balancer's, and its selector and ports would stay beside ours; free its name with: kubectl -n prod delete service web",
  ],
  [
    'that is a Service with an address',
    SERVICE,
    found(SERVICE, {}, { spec: { clusterIP: '10.0.0.1' } }),
    'NameTaken',
    'Service prod/web exists and has an address, which cannot be taken from it; free its name with: kubectl -n prod delete service web',
  ],
];

describe('a child missing for 10 seconds', () => {
  for (const [name, reference, lookUp, reason, message] of VERDICTS) {
    it(`${name}: ${reason}`, () => {
      assert.deepEqual(judgeMissing(reference, 'uid-1', { lookUp }), { reason, message });
    });
  }
});
