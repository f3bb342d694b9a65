import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles, isGenerated } from './files.ts';

/** How the generated files of a tree differ from what the code says. */
interface Drift {
  /** Path and wanted text of each file that differs or is missing. */
  readonly stale: readonly (readonly [string, string])[];
  /** Paths of generated files that nothing generates any more. */
  readonly leftOver: readonly string[];
}

/** What is wrong with the generated files under `root`, a line for each; nothing when all is as the code says. */
export function checkGenerated(root: string): readonly string[] {
  const { stale, leftOver } = readDrift(root);
  return [
    ...stale.map(([path]) => `${path} is not what the code says: run "npm run generate"`),
    ...leftOver.map((path) => `${path} is left over: run "npm run generate"`),
  ];
}

/** Writes the generated files under `root`, and removes what is left over. */
export function writeGenerated(root: string): void {
  const { stale, leftOver } = readDrift(root);
  for (const path of leftOver) rmSync(join(root, path));
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function readDrift(root: string): Drift {
  const wanted = generatedFiles();
  const directories = new Set([...wanted.keys()].map((path) => dirname(path)));
  const found = new Map(
    [...directories]
      .flatMap((directory) => generatedFilesIn(root, directory))
      .map((path) => [path, read(root, path)]),
  );
  return {
    stale: [...wanted].filter(([path, text]) => found.get(path) !== text),
    leftOver: [...found.keys()].filter((path) => !wanted.has(path)),
  };
}

function generatedFilesIn(root: string, directory: string): readonly string[] {
  if (!existsSync(join(root, directory))) return [];
  return readdirSync(join(root, directory))
    .map((name) => join(directory, name))
    .filter(isGenerated);
}

function read(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
