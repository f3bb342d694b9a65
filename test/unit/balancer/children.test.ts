import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
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

  it('are described by at least 12 files', () => {
    assert.ok(readdirSync(FIXTURES).length >= 12);
  });
});
