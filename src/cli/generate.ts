import { join } from 'node:path';
import { checkGenerated, writeGenerated } from './reference/tree.ts';

/**
 * `npm run generate` writes crds/ and docs/reference/ from the schemas and tables in the code; with `--check` it writes
 * nothing, says what differs, and exits 1 when something does.
 */
const ROOT = join(import.meta.dirname, '..', '..');

if (process.argv.includes('--check')) {
  const problems = checkGenerated(ROOT);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} else {
  writeGenerated(ROOT);
}
