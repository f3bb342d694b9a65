import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../../support/ports.ts';
import { runProcess, startProcess, waitReady } from '../../support/process.ts';
import { arrived, notYet } from '../../support/wait.ts';
import { cached } from '../cache.ts';

/** moto's server: an emulator of Route 53 that nobody here wrote (https://docs.getmoto.org/en/latest/docs/server_mode.html). */
export interface Moto {
  readonly url: string;
  stop(): Promise<void>;
}

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');

/** Starts moto on a free port, installing it first where the cache does not have it. Its log goes to `directory`. */
export async function startMoto(directory: string, log: (line: string) => void): Promise<Moto> {
  const python = await installMoto(log);
  const [port = 0] = await freePorts(1);
  const process = await startProcess(
    {
      name: 'moto',
      command: python,
      args: ['-m', 'moto.server', '--host', '127.0.0.1', '--port', String(port)],
    },
    join(directory, 'moto.log'),
  );
  const url = `http://127.0.0.1:${port}`;
  await waitReady(process, 60_000, async () => {
    const response = await fetch(`${url}/moto-api/data.json`);
    return response.ok ? arrived(undefined) : notYet(`HTTP ${response.status}`);
  });
  return { url, stop: () => process.stop() };
}

/** The Python that has moto: in a virtual environment of its own, keyed by the pins and by the Python that made it. */
export async function installMoto(log: (line: string) => void): Promise<string> {
  const version = await pythonVersion();
  const pins = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
    .update(version)
    .digest('hex');
  const environment = await cached(`moto-${pins.slice(0, 16)}`, async (directory) => {
    log('installing moto from PyPI (once)');
    await runProcess({ name: 'python3 -m venv', command: 'python3', args: ['-m', 'venv', directory] });
    await runProcess({
      name: 'pip install moto',
      command: join(directory, 'bin', 'python'),
      // Everything is pinned: nothing to resolve.
      args: [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--no-deps',
        '--disable-pip-version-check',
        '-r',
        REQUIREMENTS,
      ],
    });
  });
  return join(environment, 'bin', 'python');
}

async function pythonVersion(): Promise<string> {
  const asked = runProcess({
    name: 'python3',
    command: 'python3',
    args: [
      '-c',
      'import sys, venv, ensurepip; assert sys.version_info >= (3, 11); print(sys.executable, sys.version)',
    ],
  });
  return asked.catch((error: unknown) => {
    throw new Error(
      'the Route 53 emulator (moto) needs Python 3.11 or later with venv: install python3 and python3-venv',
      { cause: error },
    );
  });
}
