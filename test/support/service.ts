import { join } from 'node:path';
import { freePorts } from './ports.ts';
import { startProcess, waitReady } from './process.ts';
import { arrived, notYet, type Look } from './wait.ts';

/** The service itself, as a process of its own. */
export interface Service {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the start of the process to the first 200 of /readyz. */
  readonly readyAfterMs: number;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Besides --listen. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Default: src/main.ts, as `npm start` runs it. */
  readonly main?: string;
  /** Its log and other output go here. */
  readonly directory: string;
}

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** The resolution of `readyAfterMs`. */
const POLL_MS = 5;

/** Starts the service on a free port of loopback, and waits until it is ready. */
export async function startService({
  flags = [],
  env = {},
  main = MAIN,
  directory,
}: ServiceOptions): Promise<Service> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const startMs = performance.now();
  const process = await startProcess(
    {
      name: 'counterpoise',
      command: globalThis.process.execPath,
      args: [main, `--listen=127.0.0.1:${port}`, ...flags],
      env,
      directory,
    },
    join(directory, 'counterpoise.log'),
  );
  const isReady = async (): Promise<Look<number>> => {
    const response = await fetch(`${url}/readyz`);
    return response.ok ? arrived(performance.now() - startMs) : notYet(await response.text());
  };
  const readyAfterMs = await waitReady(process, 60_000, isReady, POLL_MS);
  return { url, pid: process.pid, readyAfterMs, stop: () => process.stop() };
}
