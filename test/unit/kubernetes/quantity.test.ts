import assert from 'node:assert/strict';
import { canonicalQuantity } from '../../../src/kubernetes/quantity.ts';

/**
 * Left: what a person writes. Right: what kube-apiserver v1.36 stores in a container's resources, made with its own module
 * (k8s.io/apimachinery v0.36.3: ParseQuantity, RoundUp to milli, CanonicalizeBytes); each comes back as itself from there.
 */
const ROWS: readonly (readonly [string | number, string])[] = [
  ['0', '0'],
  [0, '0'],
  ['0Ki', '0'],
  ['1000m', '1'],
  ['1500m', '1500m'],
  ['0.5', '500m'],
  [0.5, '500m'],
  ['.5', '500m'],
  ['5.', '5'],
  ['007', '7'],
  ['7'.padStart(64, '0'), '7'],
  ['+1', '1'],
  ['1.500', '1500m'],
  ['0.1n', '1m'],
  ['100u', '1m'],
  ['2000000n', '2m'],
  ['0.0011', '2m'],
  ['1.0000000001', '1001m'],
  ['1e-4', '1e-3'],
  ['100000000000000000000n', '100G'],
  ['1000', '1k'],
  [1000, '1k'],
  ['1000k', '1M'],
  ['1000000k', '1G'],
  ['1024', '1024'],
  ['1E', '1E'],
  ['1e3', '1e3'],
  ['1E3', '1e3'],
  ['12e6', '12e6'],
  ['129e6', '129e6'],
  ['1e9', '1e9'],
  ['1e1', '10'],
  ['1e-1', '100e-3'],
  ['2.5e-1', '250e-3'],
  ['1e+2', '100'],
  ['512', '512'],
  ['1Ki', '1Ki'],
  ['1024Ki', '1Mi'],
  ['1024Mi', '1Gi'],
  ['1.5Gi', '1536Mi'],
  ['1536Mi', '1536Mi'],
  ['0.5Ki', '512'],
  ['0.1Gi', '107374182400m'],
  ['1.1Ki', '1126400m'],
  ['0.0001Ki', '103m'],
  ['123.4Mi', '129394278400m'],
  ['1048576Ki', '1Gi'],
  ['100Ki', '100Ki'],
  ['1023Ki', '1023Ki'],
  ['7Ei', '7Ei'],
  ['9223372036854775807', '9223372036854775807'],
];

const REFUSED: readonly (string | number)[] = [
  '',
  ' ',
  '1 ',
  '1 Gi',
  '.',
  'Gi',
  '-1',
  -1,
  '--1',
  '1.2.3',
  '1gi',
  '1K',
  '1e',
  '1e1.5',
  '1e100',
  'NaN',
  NaN,
  Infinity,
  1e21,
  '9223372036854775808',
  '8Ei',
  // The Go module itself writes this one as "1".
  '1000E',
  '1'.padStart(65, '0'),
];

describe('the canonical form of a quantity', () => {
  for (const [written, canonical] of ROWS) {
    it(`of ${JSON.stringify(written).slice(0, 24)} is ${canonical}, and stays so`, () => {
      assert.equal(canonicalQuantity(written), canonical);
      assert.equal(canonicalQuantity(canonical), canonical);
    });
  }

  for (const written of REFUSED) {
    it(`of ${typeof written} ${String(written).slice(0, 24)} does not exist`, () => {
      assert.equal(canonicalQuantity(written), undefined);
    });
  }
});
