import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readRebalanceStatus, rebalanceStatusSchema } from '../../src/api/rebalance-status.ts';
import { decide } from '../../src/rebalance/decide.ts';
import { boundsAt } from '../../src/rebalance/limits.ts';
import type { Sample } from '../../src/rebalance/sample.ts';
import type { RebalanceSpec } from '../../src/rebalance/spec.ts';
import { ABSENT, FAILED, specOf, usable } from '../support/rebalance.ts';
import { take, takeAll, type Step, type Taken } from '../support/rebalance-fold.ts';

const SEED = 20260304;

const weightArb = fc.oneof(fc.constantFrom(0, 0, 1, 255), fc.integer({ min: 0, max: 255 }));

const sampleArb: fc.Arbitrary<Sample> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 20_000 }).map((load) => usable(String(load))) },
  { weight: 1, arbitrary: fc.constantFrom('1e308', '-5', '0', '1e-300', '1e18', '999.999').map(usable) },
  { weight: 2, arbitrary: fc.constant(ABSENT) },
  { weight: 3, arbitrary: fc.constant(FAILED) },
);

const timeArb = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${hour}:${String(minute).padStart(2, '0')}`);

const specArb: fc.Arbitrary<RebalanceSpec> = fc
  .record({
    baseValue: fc.option(fc.integer({ min: 1, max: 255 }), { nil: undefined }),
    range: fc.tuple(weightArb, weightArb),
    tolerance: fc.constantFrom(0, 0, 0.05, 0.3, 1),
    disableScaleIn: fc.boolean(),
    floors: fc.array(fc.tuple(timeArb, timeArb, weightArb), { maxLength: 2, size: 'xsmall' }),
    threshold: fc.integer({ min: 0, max: 3 }),
    fallback: fc.option(weightArb, { nil: undefined }),
  })
  .map(({ range, floors, threshold, fallback, ...policy }) => {
    const [minimum, maximum] = [Math.min(...range), Math.max(...range)];
    const scheduled = floors
      .filter(([startTime, endTime]) => startTime !== endTime)
      .map(([startTime, endTime, value]) => ({ startTime, endTime, value: Math.min(value, maximum) }));
    const action = fallback === undefined ? { action: 'Hold' } : { action: 'Weight', weight: fallback };
    return specOf({ ...policy, minimum, maximum, scheduled }, { onFailure: { threshold, ...action } });
  });

const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 6 });

const historyArb: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.array(specArb, { minLength: 1, maxLength: 2 }), fc.integer({ min: 1, max: 40 }))
  .chain(([specs, length]) =>
    fc.array(
      fc.record({
        spec: fc.constantFrom(...specs),
        sample: sampleArb,
        writeForbidden: fc.constantFrom(undefined, undefined, undefined, 'DryRun', 'ObserveOnly'),
        afterMs: fc.constantFrom(10_000, 60_000, 3_600_000, 7 * 3_600_000),
        foreignOwn: rarely(weightArb),
        others: rarely(fc.array(weightArb, { maxLength: 3 })),
        unread: fc.constantFrom(false, false, false, false, true),
        write: fc.constantFrom('Accepted', 'Accepted', 'Accepted', 'Refused', 'Aborted', 'AbortedWritten'),
        changeStatus: fc.constantFrom('PENDING', 'INSYNC'),
        statusLost: fc.constantFrom(false, false, false, true),
      }),
      { minLength: length, maxLength: length },
    ),
  );

const HISTORIES = 300;

describe('in every history of samples, foreign edits, failing and lost writes', function () {
  this.timeout(60_000);

  /** Every attempt of all histories; each rule looks at all of them. */
  let attempts: readonly { readonly step: Step; readonly taken: Taken }[] = [];

  before(() => {
    attempts = fc.sample(historyArb, { seed: SEED, numRuns: HISTORIES }).flatMap((steps) => {
      const history = takeAll(steps);
      return steps.flatMap((step, index) => {
        const taken = history[index];
        return taken === undefined ? [] : [{ step, taken }];
      });
    });
  });

  function inEveryHistory(rule: (taken: Taken, step: Step) => void): void {
    for (const { taken, step } of attempts) rule(taken, step);
  }

  it('everything happens that the rules are about', () => {
    const count = (holds: (taken: Taken, step: Step) => boolean) =>
      attempts.filter(({ taken, step }) => holds(taken, step)).length;
    assert.ok(count(({ written }) => written.length > 0) > 500);
    assert.ok(count(({ written }) => written.includes(0)) > 20);
    assert.ok(count(({ decision }) => decision?.held === 'HeldOnFailure') > 500);
    assert.ok(count(({ decision }) => decision?.fallback?.active === true) > 200);
    for (const stage of ['tolerance', 'scaleIn', 'fallback', 'bounds', 'set'] as const)
      assert.ok(count(({ decision }) => decision?.limitedBy.includes(stage) === true) > 20, stage);
  });

  it('each weight that is written is an integer within the bounds of its time, or the 1 that rescues the set', () => {
    inEveryHistory(({ before, written }, { spec }) => {
      const { lowest, highest } = boundsAt(spec.policy, before.nowMs);
      const [first, rescue] = written;
      if (first !== undefined) {
        assert.ok(Number.isInteger(first));
        assert.ok(first >= lowest && first <= highest, `${first} in ${lowest}..${highest}`);
      }
      assert.ok(rescue === undefined || rescue === 1);
    });
  });

  it('no write makes the sum of the set 0', () => {
    inEveryHistory(({ before, written }) => {
      for (const own of written) assert.ok(own + before.others.reduce((sum, other) => sum + other, 0) > 0);
    });
  });

  it('nothing is written in a dry run, nor when DNS holds it already', () => {
    inEveryHistory(({ before, written }, { writeForbidden }) => {
      if (writeForbidden !== undefined) assert.deepEqual(written, []);
      assert.notEqual(written[0], before.own);
    });
  });

  it('a decision is a pure function: the same twice, and its arguments untouched', () => {
    inEveryHistory(({ observation, decision }) => {
      if (observation === undefined) return;
      const arguments_ = print(observation);
      assert.equal(print(decide(observation)), print(decision));
      assert.equal(print(observation), arguments_);
    });
  });

  it('without a usable sample the weight in force stays, unless bounds or fallback move it or let it go', () => {
    inEveryHistory(({ before, decision }, { writeForbidden }) => {
      if (decision?.held === undefined) return;
      const { desiredValue, decision: last } = before.status;
      const inForce = writeForbidden === undefined ? before.own : (desiredValue ?? before.own);
      const moved = decision.limitedBy.some((stage) => stage === 'bounds' || stage === 'fallback');
      const letGo =
        decision.desired === last?.policyWeight &&
        inForce === desiredValue &&
        (last.limitedBy ?? []).some((stage) => stage === 'bounds' || stage === 'fallback');
      // Keeping a set from all zero means our weight in DNS, in a dry run too.
      const kept = decision.limitedBy.includes('set') && decision.desired === before.own;
      assert.ok(moved || letGo || kept || decision.desired === inForce, print(decision));
    });
  });

  it('failures stop at threshold + 1, and a policy weight is a weight', () => {
    inEveryHistory(({ status, decision }, { spec }) => {
      assert.ok((status.failures ?? 0) <= spec.onFailure.threshold + 1);
      if (decision !== undefined) assert.ok(decision.policyWeight >= 0 && decision.policyWeight <= 255);
    });
  });

  it('the status satisfies the schema of the CRD, reads back the same, and has no NaN, infinity or null', () => {
    inEveryHistory(({ status }) => {
      const json = JSON.stringify(status);
      const wire: unknown = JSON.parse(json);
      assert.deepEqual(rebalanceStatusSchema.safeParse(wire).error, undefined);
      assert.equal(JSON.stringify(readRebalanceStatus(wire)), json);
      assert.doesNotMatch(json, /NaN|Infinity|null/);
    });
  });

  it('the same sample again, at once, writes nothing more', () => {
    inEveryHistory(({ after }, step) => {
      const { spec, sample, write = 'Accepted', writeForbidden } = step;
      if (sample.kind !== 'Usable' || step.unread === true || write !== 'Accepted') return;
      // A row of usable samples ends the fallback: that write is wanted.
      if (spec.onFailure.kind === 'Weight' || writeForbidden !== undefined) return;
      assert.deepEqual(take(after, { spec, sample, afterMs: 0 }).written, []);
    });
  });
});

function print(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? String(field) : field));
}
