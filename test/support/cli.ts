import { execFile } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** What a command left behind. */
export interface Ended {
  /** Its exit code; undefined: it was ended by a signal. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Line {
  readonly args: readonly string[];
  /** Standard input; nothing by default. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory; default: ours. */
  readonly directory?: string;
}

/** Runs `counterpoise` as a process of its own, from the sources. It sees PATH and `env`, nothing else of our environment. */
export function runCli({ args, input = '', env = {}, directory }: Line): Promise<Ended> {
  const options = { env: { PATH: process.env['PATH'], ...env }, cwd: directory, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? undefined, stdout, stderr }),
    );
    child.stdin?.on('error', () => undefined); // it may end without reading its input
    child.stdin?.end(input);
  });
}
