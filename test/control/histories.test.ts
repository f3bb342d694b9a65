import fc from 'fast-check';
import { historiesOf, HISTORY_RULES, live } from '../support/rebalance-histories.ts';

const SEED = 20260305;
/** About eight minutes of one core; fewer by the environment, for a busy machine. */
const HISTORIES = Number(process.env['CONTROL_HISTORIES'] ?? 100_000);
const BATCH = 1_000;
/** Many short histories: what goes wrong does so within a few attempts, and the suite of `make test` has long ones. */
const MAX_LENGTH = 6;

/** Number 5 of the control design: the invariants of `test/property/rebalance-histories.test.ts`, many times over. */
describe(`in ${HISTORIES} random histories`, function () {
  this.timeout(1_800_000);

  it(`hold: ${HISTORY_RULES.map(({ name }) => name).join('; ')}`, () => {
    for (let batch = 0; batch < HISTORIES / BATCH; batch++) {
      const histories = fc.sample(historiesOf(MAX_LENGTH), { seed: SEED + batch, numRuns: BATCH });
      for (const { taken, step, past } of histories.flatMap(live))
        for (const { check } of HISTORY_RULES) check(taken, step, past);
    }
  });
});
