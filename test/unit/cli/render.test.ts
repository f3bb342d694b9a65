import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { BALANCER } from '../../../src/api/parent-kinds.ts';
import { parseManifest } from '../../../src/cli/manifest.ts';
import { decideChildren, remarksOn, writeChildren } from '../../../src/cli/render.ts';
import { balancerSettings } from '../../support/balancer.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/balancer/01-smallest.yaml');
const { spec: SPEC } = parse(readFileSync(FIXTURE, 'utf8')) as { spec: object };

function decided(spec: object, metadata: object = { name: 'acme' }, flags: readonly string[] = []) {
  const text = JSON.stringify({ apiVersion: BALANCER.apiVersion, kind: 'Balancer', metadata, spec });
  const parent = parseManifest(text, BALANCER);
  assert.ok(parent.ok, 'the file is one');
  const decision = decideChildren(parent.value, balancerSettings(...flags));
  return { decision, remarks: remarksOn(decision, parent.value) };
}

describe('render', () => {
  it('prints the children that the hook answers, as YAML documents', () => {
    const { decision, remarks } = decided(SPEC, { name: 'acme', uid: 'u-1' });
    const documents = parseAllDocuments(writeChildren(decision.children, 'yaml'));
    assert.deepEqual(
      documents.map((document) => document.toJS() as unknown),
      decision.children,
    );
    assert.deepEqual(
      decision.children.map(({ kind }) => kind),
      ['Deployment', 'Service'],
    );
    assert.deepEqual(remarks, []);
  });

  it('prints a table of what there is', () => {
    const { decision } = decided({ ...SPEC, resourceId: 'abc123' });
    assert.equal(
      writeChildren(decision.children, 'table'),
      [
        'APIVERSION  KIND        NAME',
        'apps/v1     Deployment  mzabc123-balancerd',
        'v1          Service     mzabc123-balancerd',
        '',
      ].join('\n'),
    );
  });

  it('prints a v1 List as JSON', () => {
    const { decision } = decided(SPEC);
    const list = JSON.parse(writeChildren(decision.children, 'json')) as Record<string, unknown>;
    assert.deepEqual(list, { apiVersion: 'v1', kind: 'List', items: decision.children });
  });

  it('takes the flags of the operator', () => {
    const { decision } = decided(SPEC, { name: 'acme' }, ['--scheduler-name=other']);
    assert.match(writeChildren(decision.children, 'yaml'), /schedulerName: other/);
  });

  it('says that names are not those of a cluster where the file has neither uid nor id', () => {
    const { remarks } = decided(SPEC);
    assert.deepEqual(remarks, [
      'metadata.uid: missing, so the names are not those of a cluster; set spec.resourceId to choose them',
    ]);
    assert.deepEqual(decided({ ...SPEC, resourceId: 'abcdefghij' }).remarks, []);
  });

  it('names unknown fields', () => {
    assert.deepEqual(decided({ ...SPEC, replica: 3 }, { name: 'acme', uid: 'u-1' }).remarks, [
      'spec.replica: unknown, and ignored',
    ]);
  });

  it('prints every problem of a bad spec, and nothing else', () => {
    const { decision, remarks } = decided({ replicas: -1 });
    assert.equal(decision.kind, 'Held');
    assert.deepEqual(remarks, ['spec.balancerdImageRef: is required', 'spec.replicas: expected at least 0']);
  });
});
