import assert from 'node:assert/strict';
import fc from 'fast-check';
import { STAGES, type Stage } from '../../src/rebalance/decision.ts';
import { historiesOf, HISTORY_RULES, live, type Lived } from '../support/rebalance-histories.ts';
import type { Step, Taken } from '../support/rebalance-fold.ts';

const SEED = 20260304;
const HISTORIES = 300;
/** The stages that tell a number and bind nothing; each of the others does. */
const TELLING: readonly Stage[] = ['demand', 'raw', 'write'];

describe('in every history of samples, foreign edits, failing and lost writes', function () {
  this.timeout(60_000);

  /** Every attempt of all histories; each rule looks at all of them. */
  let attempts: readonly Lived[] = [];

  before(() => {
    attempts = fc.sample(historiesOf(40), { seed: SEED, numRuns: HISTORIES }).flatMap(live);
  });

  it('everything happens that the rules are about', () => {
    const count = (holds: (taken: Taken, step: Step) => boolean) =>
      attempts.filter(({ taken, step }) => holds(taken, step)).length;
    assert.ok(count(({ written }) => written.length > 0) > 500);
    assert.ok(count(({ written }) => written.includes(0)) > 20);
    assert.ok(count(({ decision }) => decision?.held === 'HeldOnFailure') > 500);
    assert.ok(count(({ decision }) => decision?.fallback?.active === true) > 200);
    assert.ok(
      count(({ before, written }) => written[0] === before.own) > 10,
      'another split of the same weight',
    );
    assert.ok(count(({ decision }) => decision?.contest.isContested === true) > 20, 'a contest');
    assert.ok(count(({ before }) => before.own > 255) > 20, 'more than one record can have');
    assert.ok(count(({ decision }) => decision?.metric !== undefined) > 200);
    const bound = (stage: Stage) => count(({ decision }) => decision?.limitedBy.includes(stage) === true);
    for (const stage of STAGES) {
      if (TELLING.includes(stage)) assert.equal(bound(stage), 0, stage);
      else assert.ok(bound(stage) > 20, stage);
    }
  });

  for (const { name, check } of HISTORY_RULES)
    it(name, () => {
      for (const { taken, step, past } of attempts) check(taken, step, past);
    });
});
