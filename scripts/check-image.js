// Starts the compiled service of a directory as the image would (production dependencies alone, dist/main.js), waits for
// /readyz, stops it by SIGTERM and demands exit code 0. `node scripts/check-image.js <directory>`
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const READY_WITHIN_MS = 20_000;
const STOPPED_WITHIN_MS = 20_000;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** @param {string} url @param {() => boolean} hasEnded */
async function waitReady(url, hasEnded) {
  const deadline = Date.now() + READY_WITHIN_MS;
  let last = 'nothing';
  while (Date.now() < deadline && !hasEnded()) {
    try {
      const response = await fetch(url);
      last = `${response.status} ${await response.text()}`;
      if (response.ok) return last;
    } catch (error) {
      last = String(error.cause ?? error);
    }
    await delay(50);
  }
  throw new Error(hasEnded() ? 'the service ended at once' : `not ready in time; last seen: ${last}`);
}

const [directory = '.'] = process.argv.slice(2);
const listen = `127.0.0.1:${await freePort()}`;
const startedAt = performance.now();
const service = spawn(
  process.execPath,
  ['--enable-source-maps', 'dist/main.js', `--listen=${listen}`, '--verify-parent=false'],
  { cwd: directory, env: { NODE_ENV: 'production' }, stdio: ['ignore', 'pipe', 'pipe'] },
);
let output = '';
for (const stream of [service.stdout, service.stderr]) stream.on('data', (chunk) => (output += chunk));
const ended = once(service, 'exit');

try {
  const ready = await waitReady(`http://${listen}/readyz`, () => service.exitCode !== null);
  console.log(`GET /readyz: ${ready.trim()} after ${Math.round(performance.now() - startedAt)} ms`);
  service.kill('SIGTERM');
  const [code, signal] = await Promise.race([
    ended,
    delay(STOPPED_WITHIN_MS, ['it still runs'], { ref: false }),
  ]);
  if (code !== 0) throw new Error(`SIGTERM: expected exit code 0, got ${code ?? signal}`);
  console.log('SIGTERM: exit code 0');
} catch (error) {
  console.error(`${error.message}; the service printed:\n${output}`);
  process.exitCode = 1;
} finally {
  service.kill('SIGKILL');
}
