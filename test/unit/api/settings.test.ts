import assert from 'node:assert/strict';
import { parseDefaultCertificateSpecs } from '../../../src/api/certificate-spec.ts';
import { parseDefaultResources } from '../../../src/api/resource-requirements.ts';
import { err, ok } from '../../../src/foundation/result.ts';

describe('the default certificate specs', () => {
  it('are empty for {}', () => {
    assert.deepEqual(parseDefaultCertificateSpecs('{}'), ok({ balancerdExternal: {}, internal: {} }));
  });
  it('keep the two keys of a Balancer; others, nulls and empty texts mean nothing', () => {
    const json = `{"balancerdExternal": {"dnsNames": ["a"], "duration": null, "usages": []},
      "internal": {"issuerRef": {"name": "b", "kind": "", "group": "g"}},
      "consoleExternal": {"privateKeySize": "wrong"}, "other": 1}`;
    assert.deepEqual(
      parseDefaultCertificateSpecs(json),
      ok({
        balancerdExternal: { dnsNames: ['a'] },
        internal: { issuerRef: { name: 'b', kind: undefined, group: 'g' } },
      }),
    );
  });
  const refused: readonly (readonly [string, string])[] = [
    ['', 'a JSON object'],
    ['{', 'a JSON object'],
    ['null', 'a JSON object'],
    ['[]', 'a JSON object'],
    [
      '{"internal":{"issuerRef":{},"privateKeySize":"256"}}',
      'certificate specs, but internal.issuerRef.name: is required; internal.privateKeySize: expected a number',
    ],
    ['{"balancerdExternal":5}', 'certificate specs, but balancerdExternal: expected an object'],
  ];
  for (const [json, expected] of refused) {
    it(`cannot be ${json === '' ? 'nothing' : json}`, () => {
      assert.deepEqual(parseDefaultCertificateSpecs(json), err(expected));
    });
  }
});

describe('the default resources', () => {
  it("come out in the API server's own form", () => {
    assert.deepEqual(
      parseDefaultResources('{"limits":{"cpu":0.5,"memory":"1024Mi"},"requests":null,"other":1}'),
      ok({ limits: { cpu: '500m', memory: '1Gi' } }),
    );
  });
  it('name the quantity that is wrong', () => {
    assert.deepEqual(
      parseDefaultResources('{"limits":{"cpu":"half"}}'),
      err(
        'resources, but limits.cpu: expected a quantity such as 500m, 2 or 1.5Gi, not negative and below 2 to the power of 63',
      ),
    );
  });
});
