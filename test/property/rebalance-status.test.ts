import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readRebalanceStatus, rebalanceStatusSchema } from '../../src/api/rebalance-status.ts';
import { decide } from '../../src/rebalance/decide.ts';
import { due } from '../../src/rebalance/due.ts';
import { MINUTE, NOON, observe, specOf, statusAfter } from '../support/rebalance.ts';

const SEED = 20260304;

const garbage = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(NaN, Infinity, -1, 256, 1.5, '', 'NaN', '9999-99-99T99:99:99Z', undefined),
);

/** A sound status in which any field, at any depth, may have become anything. */
function damaged(sound: unknown): fc.Arbitrary<unknown> {
  const inside = Array.isArray(sound)
    ? fc.tuple(...sound.map(damaged))
    : typeof sound === 'object' && sound !== null
      ? fc.record(Object.fromEntries(Object.entries(sound).map(([key, value]) => [key, damaged(value)])))
      : fc.constant(sound);
  return fc.oneof({ weight: 8, arbitrary: inside }, { weight: 1, arbitrary: garbage });
}

describe('a status of any shape', () => {
  const behavior = {
    increase: {
      stabilizationWindowSeconds: 300,
      policies: [{ type: 'Weight', value: 255, periodSeconds: 60 }],
    },
  };
  const spec = specOf({}, { behavior });
  const statusArb = fc.oneof(
    garbage,
    damaged(statusAfter(observe())),
    damaged(statusAfter(observe({ spec }))),
  );

  it('is read without a throw, to what the CRD allows', () => {
    fc.assert(
      fc.property(statusArb, (raw) => {
        const status = readRebalanceStatus(raw);
        const wire: unknown = JSON.parse(JSON.stringify(status));
        assert.equal(rebalanceStatusSchema.safeParse(wire).error, undefined);
        assert.deepEqual(readRebalanceStatus(wire), status);
      }),
      { seed: SEED, numRuns: 1_000 },
    );
  });

  it('leads to a decision, a next status and a due, whatever is left of it', () => {
    fc.assert(
      fc.property(statusArb, (raw) => {
        const observation = observe({ status: readRebalanceStatus(raw) });
        assert.equal(decide(observation).desired, 16);
        const limited = statusAfter(observe({ spec, status: readRebalanceStatus(raw) }));
        assert.equal(rebalanceStatusSchema.safeParse(JSON.parse(JSON.stringify(limited))).error, undefined);
        const next = statusAfter(observation);
        assert.equal(next.actualValue, 16);
        assert.doesNotMatch(JSON.stringify(next), /NaN|Infinity|null/);
        const input = { generation: 1, schedule: [], intervalMs: MINUTE, mayPoll: true, nowMs: NOON };
        const after = due({ status: next, ...input });
        assert.ok(after.kind === 'NotYet' && after.resyncAfterSeconds >= 1);
      }),
      { seed: SEED, numRuns: 1_000 },
    );
  });
});
