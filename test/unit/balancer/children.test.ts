import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { LAST_APPLIED_ANNOTATION } from '../../../src/kubernetes/hold.ts';
import type { DesiredObject } from '../../../src/kubernetes/objects.ts';
import { answer, balancerSettings, type BalancerCase } from '../../support/balancer.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/balancer');

/** What a fixture says: a Balancer, the flags of the operator, and the children that must come out, all of them. */
interface Fixture extends Omit<BalancerCase, 'children' | 'settings'> {
  readonly flags?: readonly string[];
  readonly children: readonly DesiredObject[];
}

describe('the children of a Balancer', () => {
  for (const file of readdirSync(FIXTURES)) {
    const { flags = [], children, ...given } = parse(readFileSync(join(FIXTURES, file), 'utf8')) as Fixture;
    it(`are those of ${file}`, () => {
      const { children: answered } = answer({ ...given, settings: balancerSettings(...flags) });
      assert.deepEqual(answered, children);
    });
  }

  const strangers: readonly (readonly [name: string, apiVersion: string, kind: string])[] = [
    ['a Deployment that somebody labelled', 'apps/v1', 'Deployment'],
    ['a Service that somebody labelled', 'v1', 'Service'],
    ['a Certificate of another name', 'cert-manager.io/v1', 'Certificate'],
    ['a kind that this hook does not know', 'batch/v1', 'Job'],
  ];
  for (const [name, apiVersion, kind] of strangers) {
    it(`stand beside what else is observed: ${name} is held, not deleted by being left out`, () => {
      const applied = { apiVersion, kind, metadata: { name: 'stranger', namespace: 'prod' }, spec: { a: 1 } };
      const annotations = { [LAST_APPLIED_ANNOTATION]: JSON.stringify(applied) };
      const stranger = { ...applied, metadata: { ...applied.metadata, annotations } };
      const without = answer({}).children;
      assert.deepEqual(answer({ children: [stranger] }).children, [...without, applied]);
    });
  }

  it('are described by at least 12 files', () => {
    assert.ok(readdirSync(FIXTURES).length >= 12);
  });
});
