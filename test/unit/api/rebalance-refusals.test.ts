import assert from 'node:assert/strict';
import { parseRebalanceSpec, rebalanceSpecSchema } from '../../../src/api/rebalance.ts';
import { refusedPolicies } from './refused-rebalances/policy.ts';
import { refusedAccess } from './refused-rebalances/prometheus-access.ts';
import { refusedQueries } from './refused-rebalances/prometheus.ts';
import { refusedSeveralQueries } from './refused-rebalances/several-queries.ts';
import { refusedTargets } from './refused-rebalances/target.ts';
import { refusedAsAWhole } from './refused-rebalances/whole.ts';

const refused = [
  ...refusedAsAWhole,
  ...refusedPolicies,
  ...refusedTargets,
  ...refusedQueries,
  ...refusedAccess,
  ...refusedSeveralQueries,
];

describe('parseRebalanceSpec', () => {
  describe('refuses', () => {
    for (const { name, spec, problems } of refused) {
      it(name, () => {
        const parsed = parseRebalanceSpec(spec);
        assert.ok(!parsed.ok);
        assert.deepEqual(
          parsed.error.map(({ path, message }) => `${path}: ${message}`),
          problems,
        );
      });
    }
  });

  it('has each rule across fields twice, in the same words: as CEL and in the hook', () => {
    const inSchema = celMessages(rebalanceSpecSchema.toJSONSchema({ io: 'input', target: 'openapi-3.0' }));
    const inHook = new Set(
      refused.flatMap(({ problems }) => problems.map((line) => line.replace(/^\S+: /, ''))),
    );
    assert.deepEqual(
      inSchema.filter((message) => !inHook.has(message)),
      [],
    );
    assert.equal(inSchema.length, 71);
  });
});

function celMessages(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'x-kubernetes-validations'
      ? (value as readonly { readonly message: string }[]).map(({ message }) => message)
      : celMessages(value),
  );
}
