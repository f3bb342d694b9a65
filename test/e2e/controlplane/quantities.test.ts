import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalQuantity } from '../../../src/kubernetes/quantity.ts';
import type { ControlPlane } from './control-plane.ts';
import { sharedControlPlane } from './shared.ts';

const SUFFIXES = [
  '',
  'n',
  'u',
  'm',
  'k',
  'M',
  'G',
  'T',
  'P',
  'E',
  'Ki',
  'Mi',
  'Gi',
  'Ti',
  'Pi',
  'Ei',
  'e3',
  'E-2',
  'e-10',
];

const quantity = fc
  .tuple(
    fc.option(fc.bigInt({ min: 0n, max: 5000n }), { nil: '' }),
    fc.stringMatching(/^(\.[0-9]{1,12})?$/),
    fc.constantFrom(...SUFFIXES),
  )
  .map(([whole, fraction, suffix]) => `${whole}${fraction}${suffix}`)
  .filter((text) => canonicalQuantity(text) !== undefined);

interface Pod {
  readonly spec: {
    readonly containers: readonly { readonly resources: { readonly limits: { readonly memory: string } } }[];
  };
}

/** The given limits as the API server would store them, all in one pod. */
async function stored(plane: ControlPlane, limits: readonly string[]): Promise<readonly string[]> {
  const containers = limits.map((memory, index) => ({
    name: `c${index}`,
    image: 'i',
    resources: { limits: { memory }, requests: { memory: '0' } },
  }));
  const { status, text } = await plane.call({
    method: 'POST',
    path: '/api/v1/namespaces/default/pods?dryRun=All',
    body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'quantities' }, spec: { containers } },
  });
  assert.equal(status, 201, text);
  return (JSON.parse(text) as Pod).spec.containers.map(({ resources }) => resources.limits.memory);
}

describe('the canonical form of a quantity', () => {
  let plane: ControlPlane;
  before(async function () {
    plane = await sharedControlPlane(this);
  });

  it('is stored as it is, and has the value of what was written, for 2000 quantities of every suffix', async () => {
    const written = fc.sample(quantity, { seed: 4, numRuns: 2000 });
    const canonical = written.map((text) => canonicalQuantity(text) ?? '');
    assert.deepEqual(await stored(plane, canonical), canonical);
    const spelledOtherwise = await stored(plane, written);
    assert.deepEqual(
      spelledOtherwise.map((text) => canonicalQuantity(text)),
      canonical,
    );
  });
});
