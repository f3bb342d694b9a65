import assert from 'node:assert/strict';
import { parseBalancerSpec } from '../../../src/api/balancer.ts';
import { SMALLEST_SPEC } from '../../support/balancer.ts';

/** Name, what is laid over the smallest spec, reason, path and message of the one problem. */
const INVALID: readonly (readonly [string, Readonly<Record<string, unknown>>, string, string, string])[] = [
  ['no routing', { staticRouting: undefined }, 'NoRouting', 'spec', 'no routing configuration present'],
  ['null routing', { staticRouting: null }, 'NoRouting', 'spec', 'no routing configuration present'],
  [
    'both routings',
    { fronteggRouting: {} },
    'MultipleRoutings',
    'spec',
    'multiple routing configurations present',
  ],
  [
    'frontegg routing',
    { staticRouting: undefined, fronteggRouting: {} },
    'FronteggNotImplemented',
    'spec',
    'frontegg routing is not yet implemented',
  ],
  [
    'an image that is missing',
    { balancerdImageRef: null },
    'InvalidField',
    'spec.balancerdImageRef',
    'is required',
  ],
  [
    'an image that is no text',
    { balancerdImageRef: 5 },
    'InvalidField',
    'spec.balancerdImageRef',
    'expected a string',
  ],
  [
    'an empty image',
    { balancerdImageRef: '' },
    'InvalidField',
    'spec.balancerdImageRef',
    'must not be empty',
  ],
  ['replicas below zero', { replicas: -1 }, 'InvalidField', 'spec.replicas', 'expected at least 0'],
  [
    'replicas beyond 32 bits',
    { replicas: 2_147_483_648 },
    'InvalidField',
    'spec.replicas',
    'expected at most 2147483647',
  ],
  ['half a replica', { replicas: 1.5 }, 'InvalidField', 'spec.replicas', 'expected an integer'],
  ['replicas as a text', { replicas: '2' }, 'InvalidField', 'spec.replicas', 'expected a number'],
  [
    'half a routing',
    { staticRouting: { environmentdNamespace: 'a' } },
    'InvalidField',
    'spec.staticRouting.environmentdServiceName',
    'is required',
  ],
  [
    'a Service that is no DNS label',
    { staticRouting: { environmentdNamespace: 'a', environmentdServiceName: 'a.b' } },
    'InvalidField',
    'spec.staticRouting.environmentdServiceName',
    'expected lower case letters, digits and "-", starting and ending with a letter or digit',
  ],
  [
    'a ConfigMap that is no DNS name',
    { configmapName: 'A' },
    'InvalidField',
    'spec.configmapName',
    'expected the name of a ConfigMap: lower case letters, digits, "-" and "."',
  ],
  [
    'an id of which a Service name would have 64 characters',
    { resourceId: 'a'.repeat(52) },
    'InvalidField',
    'spec.resourceId',
    'expected at most 51 characters',
  ],
  [
    'an empty id',
    { resourceId: '' },
    'InvalidField',
    'spec.resourceId',
    'expected lower case letters, digits and "-", starting and ending with a letter or digit',
  ],
  [
    'a quantity that is none',
    { resourceRequirements: { limits: { cpu: '1 core' } } },
    'InvalidField',
    'spec.resourceRequirements.limits.cpu',
    'expected a quantity such as 500m, 2 or 1.5Gi, not negative and below 2 to the power of 63',
  ],
  [
    'a quantity that is a list',
    { resourceRequirements: { requests: { cpu: [] } } },
    'InvalidField',
    'spec.resourceRequirements.requests.cpu',
    'expected a quantity such as 500m, 2 or 1.5Gi, not negative and below 2 to the power of 63',
  ],
  [
    'a pod label whose value is too long',
    { podLabels: { a: 'b'.repeat(64) } },
    'InvalidField',
    'spec.podLabels.a',
    'expected at most 63 characters',
  ],
  [
    'a pod label that is a number',
    { podLabels: { a: 1 } },
    'InvalidField',
    'spec.podLabels.a',
    'expected a string',
  ],
  [
    'a pod annotation whose key is none',
    { podAnnotations: { 'a b': '' } },
    'InvalidField',
    'spec.podAnnotations.a b',
    'expected keys of at most 63 letters, digits, "-", "_" or "." after an optional DNS name and "/"',
  ],
  [
    'too many pod labels',
    { podLabels: Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`l${index}`, ''])) },
    'InvalidField',
    'spec.podLabels',
    'expected at most 64 keys',
  ],
  ['labels that are a list', { podLabels: ['a'] }, 'InvalidField', 'spec.podLabels', 'expected an object'],
  [
    'an issuer without a name',
    { externalCertificateSpec: { issuerRef: { kind: 'Issuer' } } },
    'InvalidField',
    'spec.externalCertificateSpec.issuerRef.name',
    'is required',
  ],
  [
    'an unknown algorithm',
    { externalCertificateSpec: { privateKeyAlgorithm: 'DSA' } },
    'InvalidField',
    'spec.externalCertificateSpec.privateKeyAlgorithm',
    'expected one of RSA, ECDSA, Ed25519',
  ],
  [
    'a duration that is none',
    { internalCertificateSpec: { duration: '90 days' } },
    'InvalidField',
    'spec.internalCertificateSpec.duration',
    'expected a Go duration such as 90s or 1h30m',
  ],
  [
    'a hole in a list',
    { externalCertificateSpec: { dnsNames: ['a', null] } },
    'InvalidField',
    'spec.externalCertificateSpec.dnsNames[1]',
    'expected a string',
  ],
  [
    'too many names',
    { externalCertificateSpec: { dnsNames: Array.from({ length: 129 }, () => 'a') } },
    'InvalidField',
    'spec.externalCertificateSpec.dnsNames',
    'expected at most 128 items',
  ],
];

describe('the spec of a Balancer', () => {
  for (const [name, over, reason, path, message] of INVALID) {
    it(`is invalid by ${name}`, () => {
      const parsed = parseBalancerSpec({ ...SMALLEST_SPEC, ...over });
      assert.deepEqual(parsed, { ok: false, error: [{ path, message, reason }] });
    });
  }

  for (const raw of [undefined, null]) {
    it(`is required: ${String(raw)} is none`, () => {
      assert.deepEqual(parseBalancerSpec(raw), {
        ok: false,
        error: [{ path: 'spec', message: 'is required', reason: 'InvalidField' }],
      });
    });
  }

  it('is an object', () => {
    assert.deepEqual(parseBalancerSpec([]), {
      ok: false,
      error: [{ path: 'spec', message: 'expected an object', reason: 'InvalidField' }],
    });
  });

  it('has every problem told at once', () => {
    const parsed = parseBalancerSpec({ replicas: 'x', resourceId: 5 });
    assert.deepEqual(parsed.ok ? [] : parsed.error.map(({ path }) => path), [
      'spec.balancerdImageRef',
      'spec.replicas',
      'spec.resourceId',
    ]);
  });

  it('has two replicas where none are said, and nothing that was not said', () => {
    assert.deepEqual(parseBalancerSpec(SMALLEST_SPEC), {
      ok: true,
      value: {
        spec: {
          image: 'materialize/balancerd:v26.44.0',
          replicas: 2,
          resources: undefined,
          externalCertificate: {},
          internalCertificate: {},
          podAnnotations: {},
          podLabels: {},
          configMapName: undefined,
          routing: { environmentdNamespace: 'materialize', environmentdServiceName: 'environmentd' },
          resourceId: undefined,
        },
        unknownFields: [],
      },
    });
  });

  it('lists the fields that mean nothing, at any depth, and reads the rest', () => {
    const parsed = parseBalancerSpec({
      ...SMALLEST_SPEC,
      replica: 3,
      gone: null,
      constructor: 1,
      podLabels: { anything: 'goes' },
      fronteggRouting: null,
      staticRouting: { ...SMALLEST_SPEC.staticRouting, port: 1 },
      resourceRequirements: { claims: [{ name: 'a', extra: true }] },
      externalCertificateSpec: { issuerRef: { name: 'a', kinds: 'b' }, usages: [] },
    });
    assert.deepEqual(parsed.ok ? parsed.value.unknownFields : parsed.error, [
      'spec.staticRouting.port',
      'spec.replica',
      'spec.constructor',
      'spec.resourceRequirements.claims[0].extra',
      'spec.externalCertificateSpec.issuerRef.kinds',
      'spec.externalCertificateSpec.usages',
    ]);
  });

  it('has a misspelt key cleaned before it is shown', () => {
    const parsed = parseBalancerSpec({ ...SMALLEST_SPEC, [`line\nbreak ${'x'.repeat(100)}`]: 1 });
    assert.deepEqual(parsed.ok ? parsed.value.unknownFields : parsed.error, [
      `spec.line break ${'x'.repeat(52)}…`,
    ]);
  });
});
