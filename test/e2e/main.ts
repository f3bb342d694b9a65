import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { prepare } from './prepare.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MOCHA = join(ROOT, 'node_modules', 'mocha', 'bin', 'mocha.js');

/** One mocha run, in a process and with a world of its own. */
interface Suite {
  readonly name: string;
  /** Folder of its .mocharc.json and of its tests. */
  readonly folder: string;
  readonly files: readonly string[];
}

const tests = (folder: string): readonly string[] => globSync(join(ROOT, folder, '*.test.ts')).sort();

const CONTROL_PLANE = 'test/e2e/controlplane';
/** What wants a control plane to itself: one is left alone for a minute, the other is overwhelmed. */
const UNDISTURBED = ['idle.test.ts', 'load.test.ts'].map((file) => join(ROOT, CONTROL_PLANE, file));

/**
 * Lanes run side by side, the suites of a lane one after another: the scenarios wait more than they work, and two cores
 * carry two of them.
 */
const LANES: readonly (readonly Suite[])[] = [
  [
    { name: 'a real Prometheus, Route 53 and browser', folder: 'test/e2e', files: tests('test/e2e') },
    { name: 'a Kubernetes left alone and overwhelmed', folder: CONTROL_PLANE, files: UNDISTURBED },
  ],
  [
    {
      name: 'a Kubernetes at work',
      folder: CONTROL_PLANE,
      files: tests(CONTROL_PLANE).filter((file) => !UNDISTURBED.includes(file)),
    },
  ],
];

/** `make e2e`: builds and installs what is missing, then runs every suite; what follows the script's name goes to each mocha. */
async function main(): Promise<void> {
  await prepare(say);
  const outcomes = await Promise.all(LANES.map(runLane));
  process.exitCode = outcomes.flat().every((code) => code === 0) ? 0 : 1;
}

async function runLane(suites: readonly Suite[]): Promise<readonly number[]> {
  const codes: number[] = [];
  for (const suite of suites) codes.push(await run(suite));
  return codes;
}

/** What a suite prints comes in one piece at its end, so that no other's lines are among it. */
async function run({ name, folder, files }: Suite): Promise<number> {
  say(`${name}: ${files.length} files of tests`);
  const start = performance.now();
  const { code, output } = await finish([
    '--config',
    join(folder, '.mocharc.json'),
    ...(process.stdout.isTTY ? ['--color'] : []),
    ...process.argv.slice(2),
    ...files.map((file) => relative(ROOT, file)),
  ]);
  process.stdout.write(`\n${name}, in ${((performance.now() - start) / 1000).toFixed(0)} s\n${output}`);
  return code;
}

async function finish(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MOCHA, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    }
    const pass = (signal: NodeJS.Signals): boolean => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, pass);
    child.on('error', reject).on('close', (code) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, pass);
      resolve({ code: code ?? 1, output });
    });
  });
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

await main();
