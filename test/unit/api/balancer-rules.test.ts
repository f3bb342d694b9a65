import assert from 'node:assert/strict';
import { z } from 'zod';
import { balancerObjectRules, balancerSpecSchema } from '../../../src/api/balancer.ts';
import { at } from '../../support/at.ts';

const SCHEMA: unknown = z.toJSONSchema(balancerSpecSchema, { target: 'openapi-3.0', io: 'input' });

/** The rules at a path below the spec. */
function rulesAt(path: string): unknown {
  return at(SCHEMA, `${path}x-kubernetes-validations`);
}

/** No JavaScript evaluates CEL; that the API server refuses by these what it should is tested on a real one. */
describe('the rules of the CRD', () => {
  it('demand static routing and nothing else, in the words of the hook', () => {
    assert.deepEqual(rulesAt(''), [
      {
        rule: 'has(self.staticRouting) || has(self.fronteggRouting)',
        message: 'no routing configuration present',
      },
      {
        rule: '!has(self.staticRouting) || !has(self.fronteggRouting)',
        message: 'multiple routing configurations present',
      },
      {
        rule: 'has(self.staticRouting) || !has(self.fronteggRouting)',
        message: 'frontegg routing is not yet implemented',
      },
    ]);
  });

  it('look at key sizes of the external certificate alone, where issuer, algorithm and size are its own', () => {
    const given = '!has(self.issuerRef) || !has(self.privateKeySize) || !has(self.privateKeyAlgorithm)';
    assert.deepEqual(rulesAt('properties.externalCertificateSpec.'), [
      {
        rule: `${given} || self.privateKeyAlgorithm != 'ECDSA' || self.privateKeySize in [256, 384, 521]`,
        message: 'ECDSA key size must be one of 256, 384, or 521 bits',
      },
      {
        rule: `${given} || self.privateKeyAlgorithm != 'RSA' || self.privateKeySize >= 2048`,
        message: 'RSA key size must be at least 2048 bits',
      },
    ]);
    assert.equal(rulesAt('properties.internalCertificateSpec.'), undefined);
  });

  it('bound the name of the object, which becomes the value of a label', () => {
    assert.deepEqual(balancerObjectRules, [
      {
        rule: 'size(self.metadata.name) <= 63',
        message:
          'must be at most 63 characters: it becomes the value of a label; make the Balancer anew with a shorter name',
      },
    ]);
  });

  it('bound the keys of labels, annotations and resources', () => {
    const maps = [
      'podLabels',
      'podAnnotations',
      'resourceRequirements.properties.limits',
      'resourceRequirements.properties.requests',
      'externalCertificateSpec.properties.secretTemplate.properties.labels',
      'externalCertificateSpec.properties.secretTemplate.properties.annotations',
    ];
    for (const path of maps) {
      assert.deepEqual(
        rulesAt(`properties.${path}.`),
        [
          {
            rule: "self.all(key, key.matches(r'^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$'))",
            message:
              'expected keys of at most 63 letters, digits, "-", "_" or "." after an optional DNS name and "/"',
          },
        ],
        path,
      );
    }
  });
});
