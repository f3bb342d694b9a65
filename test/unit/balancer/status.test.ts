import assert from 'node:assert/strict';
import { BALANCER_CONDITIONS, BALANCER_REASONS } from '../../../src/balancer/reasons.ts';
import {
  ALL_KINDS,
  answer,
  applied,
  balancerSettings,
  type BalancerCase,
  conditionOf,
  GENERATED_ID,
  ISSUER,
  SMALLEST_SPEC,
} from '../../support/balancer.ts';

const EARLIER = '2026-11-30T12:00:00Z';

/** Children as observed, the Deployment with these conditions. */
function observedChildren(deploymentStatus: unknown): readonly unknown[] {
  return answer({}).children.map((child) =>
    applied(child, child.kind === 'Deployment' ? { status: deploymentStatus } : {}),
  );
}

function previously(type: string, status: string, lastTransitionTime = EARLIER): unknown {
  return { conditions: [{ type, status, reason: 'Old', message: 'old', lastTransitionTime }] };
}

const AVAILABLE = {
  conditions: [
    { type: 'Progressing', status: 'True' },
    { type: 'Available', status: 'True' },
  ],
};
const UNAVAILABLE = { conditions: [{ type: 'Available', status: 'False' }] };
const PROGRESSING = { conditions: [{ type: 'Progressing', status: 'True' }] };

describe('Ready', () => {
  const rows: readonly (readonly [string, BalancerCase, 'True' | 'False'])[] = [
    ['is False at first', {}, 'False'],
    ['is True when the Deployment is available', { children: observedChildren(AVAILABLE) }, 'True'],
    ['is False when it is not', { children: observedChildren(UNAVAILABLE) }, 'False'],
    ['is False when nothing is said about that', { children: observedChildren(PROGRESSING) }, 'False'],
    [
      'turns False with the Deployment',
      { children: observedChildren(UNAVAILABLE), status: previously('Ready', 'True') },
      'False',
    ],
    ['stays True while the Deployment is not observed', { status: previously('Ready', 'True') }, 'True'],
    ['stays False while the Deployment is not observed', { status: previously('Ready', 'False') }, 'False'],
    ['is False where it was Unknown', { status: previously('Ready', 'Unknown') }, 'False'],
    [
      'stays True while the Deployment has no status',
      { children: observedChildren(undefined), status: previously('Ready', 'True') },
      'True',
    ],
    [
      'stays True while the Deployment has no conditions',
      { children: observedChildren({ conditions: [] }), status: previously('Ready', 'True') },
      'True',
    ],
    [
      'stays True where the conditions are no list of objects',
      { children: observedChildren({ conditions: ['Available'] }), status: previously('Ready', 'True') },
      'True',
    ],
    [
      'follows the Deployment while the spec is invalid, once the id is settled',
      {
        spec: {},
        children: observedChildren(AVAILABLE),
        status: { resourceId: GENERATED_ID },
      },
      'True',
    ],
    [
      'is True only by a Deployment of ours',
      { children: observedChildren(AVAILABLE), status: { resourceId: 'other' } },
      'False',
    ],
  ];
  for (const [name, given, status] of rows) {
    it(name, () => {
      const ready = answer(given).status.conditions[0];
      assert.deepEqual(
        [ready.type, ready.status, ready.reason, ready.message],
        [
          'Ready',
          status,
          'DeploymentStatus',
          status === 'True' ? 'balancerd deployment is ready' : 'balancerd deployment is not ready',
        ],
      );
    });
  }

  it('keeps its time while its status is the same, and takes the time of now when it changes', () => {
    const settled = { children: observedChildren(AVAILABLE), status: previously('Ready', 'True') };
    assert.equal(conditionOf(answer(settled), 'Ready')?.lastTransitionTime, EARLIER);
    const turned = { ...settled, status: previously('Ready', 'False') };
    assert.equal(conditionOf(answer(turned), 'Ready')?.lastTransitionTime, '2026-11-30T15:00:00Z');
  });

  it('claims no generation, for the rollout lags behind the spec', () => {
    const { status } = answer({ parent: { generation: 3 } });
    assert.deepEqual(
      status.conditions.map(({ type, observedGeneration }) => [type, observedGeneration]),
      [
        ['Ready', undefined],
        ['SpecValid', 3],
        ['ChildrenObserved', 3],
      ],
    );
  });
});

/** Conditions that are there only while they apply: the case, and what stands beside the first three. */
const NOTES: readonly (readonly [string, BalancerCase, string, string, string])[] = [
  [
    'a Certificate that this controller does not manage',
    {
      spec: { ...SMALLEST_SPEC, externalCertificateSpec: ISSUER },
      managedKinds: ['Deployment.apps/v1', 'Service.v1'],
    },
    'CertificateUnmanaged',
    'NoCertificateKind',
    `Certificates are not managed here: provide the Secret prod/mz${GENERATED_ID}-balancerd-external-tls with tls.crt and tls.key, or no pod starts`,
  ],
  [
    'an id of the spec that came too late',
    { spec: { ...SMALLEST_SPEC, resourceId: 'late' }, status: { resourceId: 'settled' } },
    'ResourceIdIgnored',
    'ResourceIdSettled',
    'spec.resourceId "late" has no effect: status has settled the id "settled", which names every child',
  ],
  [
    'pod labels and annotations that are ours',
    {
      spec: {
        ...SMALLEST_SPEC,
        podLabels: { app: 'mine', team: 'x', 'materialize.cloud/app': 'balancerd' },
        podAnnotations: { 'prometheus.io/port': '1', other: 'y' },
      },
      settings: balancerSettings('--enable-prometheus-scrape-annotations'),
    },
    'PodMetadataOverridden',
    'ReservedKeys',
    'reserved keys keep our values: spec.podLabels[app], spec.podAnnotations[prometheus.io/port]',
  ],
  [
    'fields that mean nothing',
    { spec: { ...SMALLEST_SPEC, replica: 3, staticRouting: { ...SMALLEST_SPEC.staticRouting, port: 1 } } },
    'UnknownFields',
    'FieldsIgnored',
    'unknown fields are ignored: spec.staticRouting.port, spec.replica',
  ],
];

describe('a condition of its own', () => {
  for (const [name, given, type, reason, message] of NOTES) {
    it(`tells of ${name}`, () => {
      const { status } = answer(given);
      assert.deepEqual(
        status.conditions.map((condition) => condition.type),
        ['Ready', 'SpecValid', 'ChildrenObserved', type],
      );
      const condition = status.conditions[3];
      assert.deepEqual(
        [condition?.status, condition?.reason, condition?.message, condition?.observedGeneration],
        ['True', reason, message, 1],
      );
    });
  }

  const quiet: readonly (readonly [string, BalancerCase])[] = [
    ['all is well', {}],
    [
      'the id of the spec is the settled one',
      { spec: { ...SMALLEST_SPEC, resourceId: 'a' }, status: { resourceId: 'a' } },
    ],
    ['the controller manages no Certificates and none is needed', { managedKinds: ALL_KINDS.slice(1) }],
    ['pod labels say the same as ours', { spec: { ...SMALLEST_SPEC, podLabels: { app: 'balancerd' } } }],
    [
      'annotations are ours only where scraping is on',
      { spec: { ...SMALLEST_SPEC, podAnnotations: { 'prometheus.io/port': '1' } } },
    ],
  ];
  for (const [name, given] of quiet) {
    it(`is not there when ${name}`, () => {
      assert.deepEqual(
        answer(given).status.conditions.map(({ type }) => type),
        ['Ready', 'SpecValid', 'ChildrenObserved'],
      );
    });
  }

  it('goes away when it applies no longer', () => {
    const { status } = answer({ status: previously('UnknownFields', 'True') });
    assert.equal(
      status.conditions.some(({ type }) => type === 'UnknownFields'),
      false,
    );
  });
});

describe('a body by curl', () => {
  it('that names no child kinds at all gets a Certificate as well', () => {
    const spec = { ...SMALLEST_SPEC, externalCertificateSpec: ISSUER };
    const { children } = answer({ spec, managedKinds: [] });
    assert.deepEqual(
      children.map(({ kind }) => kind),
      ['Certificate', 'Deployment', 'Service'],
    );
  });
});

describe('the table of reasons', () => {
  it('has a reason for every condition, and a sentence for each', () => {
    const used = new Set(Object.values(BALANCER_REASONS).map(({ condition }) => condition));
    assert.deepEqual([...used].sort(), Object.keys(BALANCER_CONDITIONS).sort());
    for (const [reason, { meaning }] of Object.entries(BALANCER_REASONS)) {
      assert.match(reason, /^[A-Z][A-Za-z]+$/);
      assert.match(meaning, /^[A-Z].*\.$/);
    }
  });
});
