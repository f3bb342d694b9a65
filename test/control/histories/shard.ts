import { brokenIn } from './batch.ts';

/** A process of its own for some of the batches: their seeds on the line, the broken histories as JSON on stdout. */
const seeds = process.argv.slice(2).map(Number);
process.stdout.write(JSON.stringify(seeds.flatMap(brokenIn)));
