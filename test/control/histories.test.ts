import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { HISTORY_RULES } from '../support/rebalance-histories.ts';
import { runProcess } from '../support/process.ts';
import { seedsOf, type BrokenHistory } from './histories/batch.ts';

/** Fewer by the environment, for a busy machine. */
const HISTORIES = Number(process.env['CONTROL_HISTORIES'] ?? 100_000);
const SHARD = join(import.meta.dirname, 'histories', 'shard.ts');
/** So many of the broken ones are told. */
const TOLD = 5;

/** The invariants of `test/property/rebalance-histories.test.ts`, many times over, on all cores. */
describe(`number 5: in ${HISTORIES} random histories`, function () {
  this.timeout(1_800_000);

  it(`hold: ${HISTORY_RULES.map(({ name }) => name).join('; ')}`, async () => {
    const seeds = seedsOf(HISTORIES);
    const shards = Array.from({ length: availableParallelism() }, (_, shard) =>
      seeds.filter((__, batch) => batch % availableParallelism() === shard),
    );
    const broken = (await Promise.all(shards.map(runShard))).flat();
    const told = broken.slice(0, TOLD).map(({ seed, index, what }) => `${replayOf(seed, index)}\n  ${what}`);
    assert.equal(broken.length, 0, `${broken.length} are broken; each alone by:\n${told.join('\n')}`);
  });
});

async function runShard(seeds: readonly number[]): Promise<readonly BrokenHistory[]> {
  const command = { name: 'shard', command: process.execPath, args: [SHARD, ...seeds.map(String)] };
  return JSON.parse(await runProcess(command)) as readonly BrokenHistory[];
}

function replayOf(seed: number, index: number): string {
  return `npm run replay-history -- ${seed} ${index}`;
}
