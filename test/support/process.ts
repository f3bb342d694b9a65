import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { hopeless, waitFor, type Look } from './wait.ts';

export interface Program {
  /** Name in messages, e.g. "etcd". */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Added to PATH, HOME and TMPDIR: the child sees nothing else of our environment (proxies, kubeconfigs, credentials). */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory; default: ours. */
  readonly directory?: string;
}

export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** How it ended, e.g. "exited with code 1"; undefined while it runs. */
  ended(): string | undefined;
  /** Signals this one pid and waits for its end; SIGKILL when `graceMs` (default 10 s) has passed. */
  stop(options?: { readonly signal?: NodeJS.Signals; readonly graceMs?: number }): Promise<void>;
}

/**
 * Starts a program that is to keep running, and waits until it is spawned; whether it is *ready* is for `waitReady`.
 * Both of its streams are appended to `logFile`, so no pipe of ours can stall it. It does not outlive this process,
 * unless this process is ended by SIGKILL. Throws when the program cannot be spawned.
 */
export async function startProcess(program: Program, logFile: string): Promise<RunningProcess> {
  const log = openSync(logFile, 'a');
  const child = spawn(program.command, program.args, {
    stdio: ['ignore', log, log],
    cwd: program.directory,
    env: environmentOf(program),
  });
  closeSync(log);
  await once(child, 'spawn');
  const exit = endWithUs(child);
  return {
    name: program.name,
    pid: child.pid ?? 0,
    logFile,
    ended: () => howItEnded(child),
    stop: async ({ signal = 'SIGTERM', graceMs = 10_000 } = {}) => {
      if (howItEnded(child) !== undefined) return;
      child.kill(signal);
      const impatience = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await exit;
      clearTimeout(impatience);
    },
  };
}

/** `startProcess` and `waitReady` in one: a process that does not become ready is stopped before the error is thrown. */
export async function startReady(
  program: Program,
  logFile: string,
  deadlineMs: number,
  probe: () => Promise<Look<unknown>> | Look<unknown>,
): Promise<RunningProcess> {
  const started = await startProcess(program, logFile);
  try {
    await waitReady(started, deadlineMs, probe);
    return started;
  } catch (error) {
    await started.stop();
    throw error;
  }
}

/** Waits until `probe` has arrived; gives up at once when the process has ended. The error carries the end of its log. */
export async function waitReady<T>(
  process: RunningProcess,
  deadlineMs: number,
  probe: () => Promise<Look<T>> | Look<T>,
  everyMs = 100,
): Promise<T> {
  try {
    return await waitFor(`${process.name} to be ready`, { deadlineMs, everyMs }, () => {
      const end = process.ended();
      return end === undefined ? probe() : hopeless(`${process.name} ${end}`);
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}\n--- end of ${process.logFile}\n${tail(process.logFile)}`, { cause: error });
  }
}

/** Runs a program to its end and gives what it wrote to stdout; throws with what it wrote to stderr when it fails. */
export async function runProcess(program: Program, input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program.command,
      program.args,
      { cwd: program.directory, env: environmentOf(program), maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`${program.name} failed: ${stderr.trim() || error.message}`));
      },
    );
    child.stdin?.on('error', () => undefined); // it may end without reading its input; its exit code tells
    child.stdin?.end(input);
  });
}

/** The last `lines` lines of a file. */
export function tail(file: string, lines = 20): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

const running = new Set<ChildProcess>();
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function endWithUs(child: ChildProcess): Promise<unknown> {
  if (running.size === 0) guard('on');
  running.add(child);
  return once(child, 'exit').then(() => {
    running.delete(child);
    if (running.size === 0) guard('off');
  });
}

function guard(turn: 'on' | 'off'): void {
  process[turn]('exit', killTheRest);
  for (const signal of SIGNALS) process[turn](signal, exitOnSignal);
}

/** A signal ends a Node process without its exit handlers; whoever listens himself is trusted to stop what he started. */
function exitOnSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
}

function killTheRest(): void {
  for (const child of running) child.kill('SIGKILL');
}

function environmentOf(program: Program): Readonly<Record<string, string>> {
  const inherited = ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), ...program.env };
}

function howItEnded(child: ChildProcess): string | undefined {
  if (child.signalCode !== null) return `was ended by ${child.signalCode}`;
  if (child.exitCode !== null) return `exited with code ${child.exitCode}`;
  return undefined;
}
