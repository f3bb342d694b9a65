import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ControlPlane } from './control-plane.ts';
import { applyObject, createNamespace, getJson } from './objects.ts';
import { sharedControlPlane } from './shared.ts';

const SAMPLES = join(import.meta.dirname, '..', '..', '..', 'metacontroller', 'samples');
const NAMESPACE = 'admission';

const valid = {
  balancerdImageRef: 'materialize/balancerd:v1',
  staticRouting: { environmentdNamespace: 'materialize', environmentdServiceName: 'environmentd' },
};

function balancer(name: string, spec: object): object {
  return {
    apiVersion: 'materialize.cloud/v1alpha1',
    kind: 'Balancer',
    metadata: { name, namespace: NAMESPACE },
    spec,
  };
}

function samples(pattern: string): readonly string[] {
  const found = globSync(join(SAMPLES, pattern)).filter((path) => basename(path) !== 'kustomization.yaml');
  return found.sort();
}

describe('the API server', () => {
  let plane: ControlPlane;
  before(async function () {
    plane = await sharedControlPlane(this);
    await createNamespace(plane, NAMESPACE);
  });

  for (const sample of samples('*.yaml')) {
    it(`each sample applied: ${basename(sample)}`, async () => {
      await plane.kubectl(['apply', '-n', NAMESPACE, '-f', sample, '--dry-run=server']);
    });
  }

  for (const sample of samples('invalid/*.yaml')) {
    const text = readFileSync(sample, 'utf8');
    const [, hooks = ''] = /^# refused: (.*)$/m.exec(text) ?? [];
    // a plain bound of the schema, which needs no rule to carry our words
    const [, servers] = /^# by the API server, .*: (.*)$/m.exec(text) ?? [];
    const words = servers ?? hooks;
    const whose = servers === undefined ? "the hook's own words" : 'words of its own';
    it(`each invalid sample refused at admission in ${whose}: ${basename(sample)}`, async () => {
      await assert.rejects(
        plane.kubectl(['apply', '-n', NAMESPACE, '-f', sample, '--dry-run=server']),
        ({ message }: Error) => {
          assert.ok(message.includes(words), `"${words}" is not in: ${message}`);
          return true;
        },
      );
    });
  }

  const refused: Readonly<Record<string, { readonly spec: object; readonly words: RegExp }>> = {
    'a negative number of replicas': {
      spec: { ...valid, replicas: -1 },
      words: /spec\.replicas: Invalid value: -1/,
    },
    'unknown fields: strict kubectl': {
      spec: { ...valid, replica: 3 },
      words: /unknown field "spec\.replica"/,
    },
  };
  for (const [name, { spec, words }] of Object.entries(refused)) {
    it(`refuses a Balancer with ${name}`, async () => {
      await assert.rejects(applyObject(plane, balancer('refused', spec)), words);
    });
  }

  it('ignores key sizes where no Certificate is made', async () => {
    const internalCertificateSpec = {
      issuerRef: { name: 'i' },
      privateKeyAlgorithm: 'RSA',
      privateKeySize: 1024,
    };
    const externalCertificateSpec = { privateKeyAlgorithm: 'RSA', privateKeySize: 1024 };
    await applyObject(
      plane,
      balancer('sizes', { ...valid, internalCertificateSpec, externalCertificateSpec }),
    );
  });

  it('nulls: drops those that another operator writes, and fills in the default', async () => {
    const nulls = {
      ...valid,
      replicas: null,
      podLabels: null,
      resourceRequirements: null,
      externalCertificateSpec: { dnsNames: null, issuerRef: null, privateKeySize: null },
    };
    await applyObject(plane, balancer('nulls', nulls));
    const stored = await getJson<{ readonly spec: object }>(plane, 'balancer', 'nulls', '-n', NAMESPACE);
    assert.deepEqual(stored.spec, { ...valid, replicas: 2, externalCertificateSpec: {} });
  });

  it('unknown fields: prunes those of a client that is not strict', async () => {
    const { status, text } = await plane.call({
      method: 'POST',
      path: `/apis/materialize.cloud/v1alpha1/namespaces/${NAMESPACE}/balancers`,
      body: balancer('pruned', { ...valid, unknown: true }),
    });
    assert.equal(status, 201, text);
    assert.ok(!text.includes('"unknown":true'), text);
  });
});
