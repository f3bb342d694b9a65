import assert from 'node:assert/strict';
import { isLabelValue, isQualifiedName } from '../../../src/kubernetes/labels.ts';

describe('a label value', () => {
  for (const value of ['', 'a', 'A-b_c.9', 'a'.repeat(63)]) {
    it(`may be "${value}"`, () => assert.ok(isLabelValue(value)));
  }
  for (const value of ['-a', 'a-', 'a b', 'a/b', 'ä', 'a\n', 'a'.repeat(64)]) {
    it(`may not be ${JSON.stringify(value)}`, () => assert.ok(!isLabelValue(value)));
  }
});

describe('a qualified name', () => {
  const names = ['a', 'app', 'prometheus.io/port', 'a.b-c.d/E_f.9', 'x'.repeat(63), `${'d'.repeat(253)}/x`];
  for (const name of names) {
    it(`may be ${name.slice(0, 70)}`, () => assert.ok(isQualifiedName(name)));
  }
  const wrong = [
    '',
    '/',
    'a/',
    '/a',
    'a/b/c',
    'A/b',
    '-a',
    'a_',
    'x'.repeat(64),
    `${'d'.repeat(254)}/x`,
    'a b',
  ];
  for (const name of wrong) {
    it(`may not be "${name.slice(0, 70)}"`, () => assert.ok(!isQualifiedName(name)));
  }
});
