import assert from 'node:assert/strict';
import { canonicalQuantity } from '../../../src/kubernetes/quantity.ts';

/** Left: what a person writes; right: what kube-apiserver v1.36 stores in a container's resources. */
const stored: Readonly<Record<string, string>> = {
  '1000m': '1',
  '0.5': '500m',
  '.5': '500m',
  '2000000n': '2m',
  '100u': '1m',
  '1n': '1m',
  '0.0011': '2m',
  '1e-4': '1e-3',
  '1024Mi': '1Gi',
  '1.5Gi': '1536Mi',
  '0.5Gi': '512Mi',
  '1048576Ki': '1Gi',
  '0.0001Ki': '103m',
  '123.4Mi': '129394278400m',
  '1000000k': '1G',
  '1e9': '1e9',
  '129e6': '129e6',
  '0': '0',
};

describe('the canonical form of a quantity', () => {
  for (const [written, expected] of Object.entries(stored)) {
    it(`of ${written} is ${expected}`, () => {
      assert.equal(canonicalQuantity(written), expected);
    });
  }
});
