import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles, isGenerated } from './reference/files.ts';

/**
 * `npm run generate` writes crds/ and docs/reference/ from the tables and schemas in the code, and removes what is left
 * over; with `--check` it writes nothing and exits 1 when a file differs, is missing or is left over.
 */
const ROOT = join(import.meta.dirname, '..', '..');

/** Files on disk in the directories of the generated ones, by path from the root. */
function filesOnDisk(directories: ReadonlySet<string>): ReadonlyMap<string, string> {
  const paths = [...directories].flatMap((directory) =>
    readdirSync(join(ROOT, directory), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(directory, entry.name)),
  );
  return new Map(paths.filter(isGenerated).map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

const wanted = generatedFiles();
const directories = new Set([...wanted.keys()].map((path) => dirname(path)));
for (const directory of directories) mkdirSync(join(ROOT, directory), { recursive: true });
const found = filesOnDisk(directories);
const stale = [...wanted].filter(([path, text]) => found.get(path) !== text);
const leftOver = [...found.keys()].filter((path) => !wanted.has(path));

if (process.argv.includes('--check')) {
  for (const [path] of stale)
    process.stderr.write(`${path} is not what the code says: run "npm run generate"\n`);
  for (const path of leftOver) process.stderr.write(`${path} is left over: run "npm run generate"\n`);
  process.exitCode = stale.length + leftOver.length === 0 ? 0 : 1;
} else {
  for (const path of leftOver) rmSync(join(ROOT, path));
  for (const [path, text] of stale) writeFileSync(join(ROOT, path), text);
}
