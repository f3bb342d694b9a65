import assert from 'node:assert/strict';
import {
  answer,
  applied,
  balancerSettings,
  conditionOf,
  decide,
  ISSUER,
  SMALLEST_SPEC,
  UID,
} from '../../support/balancer.ts';

const SETTLED = answer({ spec: { ...SMALLEST_SPEC, externalCertificateSpec: ISSUER } }).children;

describe('an invalid Balancer', () => {
  it('has its children answered as they were last asked for', () => {
    const { children } = answer({
      spec: { ...SMALLEST_SPEC, balancerdImageRef: 'new', replicas: -1 },
      children: SETTLED.map((child) => applied(child)),
    });
    const labelled = SETTLED.map((child) => ({
      ...child,
      metadata: { ...child.metadata, labels: { ...child.metadata.labels, 'controller-uid': UID } },
    }));
    assert.deepEqual(children, labelled);
  });

  it('has every observed child held, whatever its kind and name', () => {
    const children = [
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'stranger' } },
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'older' } },
    ];
    const response = answer({ spec: {}, children });
    assert.deepEqual(response.children, [
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'older', namespace: 'prod' } },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'stranger', namespace: 'prod' } },
    ]);
    assert.equal(response.resyncAfterSeconds, undefined);
  });

  it('says why, and that nothing is asked for', () => {
    const { status } = answer({
      spec: { ...SMALLEST_SPEC, fronteggRouting: {} },
      status: { resourceId: 'settled' },
      parent: { generation: 7 },
    });
    const lastTransitionTime = '2026-11-30T15:00:00Z';
    assert.deepEqual(status, {
      resourceId: 'settled',
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'DeploymentStatus',
          message: 'balancerd deployment is not ready',
          lastTransitionTime,
        },
        {
          type: 'SpecValid',
          status: 'False',
          reason: 'MultipleRoutings',
          message: 'multiple routing configurations present',
          lastTransitionTime,
          observedGeneration: 7,
        },
        {
          type: 'ChildrenObserved',
          status: 'Unknown',
          reason: 'SpecInvalid',
          message: 'the spec is invalid: nothing is asked for, what exists is held',
          lastTransitionTime,
          observedGeneration: 7,
        },
      ],
    });
  });

  const rows: readonly (readonly [string, Parameters<typeof answer>[0], string, string])[] = [
    [
      'a name that cannot be a label value',
      { parent: { name: 'n'.repeat(64) } },
      'InvalidName',
      'metadata.name: must be at most 63 characters: it becomes the value of a label; make the Balancer anew with a shorter name',
    ],
    [
      'a name that is too long, beside a bad spec',
      { parent: { name: 'n'.repeat(64) }, spec: { ...SMALLEST_SPEC, replicas: -1 } },
      'InvalidName',
      'metadata.name: must be at most 63 characters: it becomes the value of a label; make the Balancer anew with a shorter name; spec.replicas: expected at least 0',
    ],
    [
      'more problems than a person reads',
      { spec: { ...SMALLEST_SPEC, podLabels: { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 } } },
      'InvalidField',
      'spec.podLabels.a: expected a string; spec.podLabels.b: expected a string; spec.podLabels.c: expected a string; spec.podLabels.d: expected a string; spec.podLabels.e: expected a string and 2 more',
    ],
    ['no spec', { spec: undefined }, 'InvalidField', 'spec: is required'],
  ];
  for (const [name, given, reason, message] of rows) {
    it(`can be one by ${name}`, () => {
      assert.equal(decide(given).kind, 'Held');
      const condition = conditionOf(answer(given), 'SpecValid');
      assert.deepEqual(
        [condition?.status, condition?.reason, condition?.message],
        ['False', reason, message],
      );
    });
  }
});

/** algorithm and size of the Balancer, of the default; what comes out. */
type KeyRow = readonly [string, object, object, string];
const KEYS: readonly KeyRow[] = [
  ['nothing said', {}, {}, 'ECDSA 256'],
  ['ECDSA 256', { privateKeyAlgorithm: 'ECDSA', privateKeySize: 256 }, {}, 'ECDSA 256'],
  ['ECDSA 384', { privateKeySize: 384 }, {}, 'ECDSA 384'],
  ['ECDSA 521', { privateKeySize: 521 }, {}, 'ECDSA 521'],
  ['RSA 2048', { privateKeyAlgorithm: 'RSA', privateKeySize: 2048 }, {}, 'RSA 2048'],
  ['RSA alone', { privateKeyAlgorithm: 'RSA' }, {}, 'RSA 4096'],
  ["RSA with the default's size", { privateKeyAlgorithm: 'RSA' }, { privateKeySize: 3072 }, 'RSA 3072'],
  ["the default's algorithm", { privateKeySize: 2048 }, { privateKeyAlgorithm: 'RSA' }, 'RSA 2048'],
  ['Ed25519 with a size', { privateKeyAlgorithm: 'Ed25519', privateKeySize: 3 }, {}, 'Ed25519'],
];
const OWN_PATH = 'spec.externalCertificateSpec.privateKeySize';
const DEFAULT_PATH = '--default-certificate-specs balancerdExternal.privateKeySize';
const ECDSA = 'ECDSA key size must be one of 256, 384, or 521 bits';
const RSA = 'RSA key size must be at least 2048 bits';
const BAD_KEYS: readonly KeyRow[] = [
  ['ECDSA 512', { privateKeyAlgorithm: 'ECDSA', privateKeySize: 512 }, {}, `${OWN_PATH}: ${ECDSA}`],
  ['the default algorithm with 2048 bits', { privateKeySize: 2048 }, {}, `${OWN_PATH}: ${ECDSA}`],
  ['RSA 2047', { privateKeyAlgorithm: 'RSA', privateKeySize: 2047 }, {}, `${OWN_PATH}: ${RSA}`],
  [
    "RSA with the default's 256",
    { privateKeyAlgorithm: 'RSA' },
    { privateKeySize: 256 },
    `${DEFAULT_PATH}: ${RSA}`,
  ],
  ["the default's size", {}, { privateKeySize: 1 }, `${DEFAULT_PATH}: ${ECDSA}`],
];

describe('the private key of a Certificate', () => {
  const given = (own: object, defaults: object): Parameters<typeof answer>[0] => ({
    spec: { ...SMALLEST_SPEC, externalCertificateSpec: { ...ISSUER, ...own } },
    settings: balancerSettings(
      `--default-certificate-specs=${JSON.stringify({ balancerdExternal: defaults })}`,
    ),
  });
  for (const [name, own, defaults, key] of KEYS) {
    it(`of ${name} is ${key}`, () => {
      const [certificate] = answer(given(own, defaults)).children;
      const [algorithm, size] = key.split(' ');
      assert.deepEqual((certificate?.['spec'] as Readonly<Record<string, unknown>>)['privateKey'], {
        algorithm,
        encoding: 'PKCS8',
        rotationPolicy: 'Always',
        ...(size === undefined ? {} : { size: Number(size) }),
      });
    });
  }
  for (const [name, own, defaults, message] of BAD_KEYS) {
    it(`cannot be ${name}`, () => {
      const condition = conditionOf(answer(given(own, defaults)), 'SpecValid');
      assert.deepEqual([condition?.reason, condition?.message], ['InvalidKeySize', message]);
    });
  }
  it('is not looked at where no Certificate is made', () => {
    const spec = {
      ...SMALLEST_SPEC,
      externalCertificateSpec: { privateKeySize: 1 },
      internalCertificateSpec: { ...ISSUER, privateKeySize: 1 },
    };
    assert.equal(decide({ spec }).kind, 'Wanted');
  });
});
