import { live, print } from '../../support/rebalance-histories.ts';
import { brokenRule, historyOf } from './batch.ts';

/** `node test/control/histories/replay.ts <seed> <index>`: one history alone, attempt by attempt, and the rule it breaks. */
const [seed = NaN, index = NaN] = process.argv.slice(2).map(Number);
const history = historyOf({ seed, index });
for (const { taken, step } of live(history)) {
  const { before, decision, written, after } = taken;
  process.stdout.write(`${print({ step, before, decision, written, after })}\n\n`);
}
const broken = brokenRule(history);
process.stdout.write(`${broken ?? 'every rule holds'}\n`);
process.exitCode = broken === undefined ? 0 : 1;
