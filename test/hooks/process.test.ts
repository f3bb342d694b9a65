import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../support/listen.ts';
import { runProcess, startProcess, waitReady, type RunningProcess } from '../support/process.ts';
import { posted } from '../support/rebalance-world.ts';
import { wireSpec } from '../support/rebalance.ts';
import { arrived, notYet, waitFor } from '../support/wait.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'src', 'main.ts');
const READY_MS = 20_000;

function program(...args: readonly string[]) {
  return { name: 'counterpoise', command: process.execPath, args: [MAIN, ...args] };
}

/** The address of the line that says where it listens. */
async function urlOf(service: RunningProcess): Promise<string> {
  return waitReady(service, READY_MS, () => {
    const url = /"url":"([^"]+)"/.exec(readFileSync(service.logFile, 'utf8'))?.[1];
    return url === undefined ? notYet('no address in the log') : arrived(url);
  });
}

interface HttpAnswer {
  readonly status: number;
  readonly connection: string | undefined;
  readonly body: string;
}

function send(agent: Agent, url: string, body?: unknown): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { 'Content-Type': 'application/json' };
    const sent = request(url, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, body: text }),
      );
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

describe('the process', function () {
  this.timeout(60_000); // a start takes seconds on a busy machine

  let directory = '';
  before(() => (directory = mkdtempSync(join(tmpdir(), 'counterpoise-'))));
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('finishes a running sync after SIGTERM, takes no more, and exits 0', async () => {
    const asked = Promise.withResolvers<() => void>();
    const prometheus = await listen(
      createServer((_request, response) => {
        asked.resolve(() => {
          response.setHeader('Content-Type', 'application/json');
          response.end('{"status":"success","data":{"resultType":"scalar","result":[0,"3000"]}}');
        });
      }),
    );
    const service = await startProcess(
      program('--listen', '127.0.0.1:0', '--verify-parent=false', '--kubernetes=false'),
      join(directory, 'drain.log'),
    );
    const agent = new Agent({ keepAlive: true });
    try {
      const url = await urlOf(service);
      assert.deepEqual(await send(agent, `${url}/readyz`), {
        status: 200,
        connection: 'keep-alive',
        body: 'ok\n',
      });

      const metrics = { prometheus: { address: prometheus.url, query: 'scalar(load)' } };
      const parent = posted(wireSpec({}, { metrics, suspend: false }));
      const running = send(agent, `${url}/rebalance/sync`, { parent });
      const release = await asked.promise;
      process.kill(service.pid, 'SIGTERM');
      await waitFor('new connections to be refused', { deadlineMs: READY_MS }, async () => {
        const refused = await send(new Agent(), `${url}/healthz`).then(
          () => false,
          (error: unknown) => String(error).includes('ECONNREFUSED'),
        );
        return refused ? arrived(true) : notYet('still accepted');
      });
      assert.equal(service.ended(), undefined, 'it waits for the sync');

      release();
      const answer = await running;
      assert.deepEqual([answer.status, answer.connection], [200, 'close']);
      assert.equal(
        (JSON.parse(answer.body) as { status: { metric: { value: string } } }).status.metric.value,
        '3000',
      );
      const end = await waitFor('the process to end', { deadlineMs: READY_MS }, () => {
        const ended = service.ended();
        return ended === undefined ? notYet('still running') : arrived(ended);
      });
      assert.equal(end, 'exited with code 0');
      const messages = readFileSync(service.logFile, 'utf8').match(/(?<="msg":")[^"]+/g) ?? [];
      assert.deepEqual(messages.slice(-3), ['stopping: what runs may finish', 'sync', 'stopped']);
    } finally {
      agent.destroy();
      await service.stop({ graceMs: 0 });
      await prometheus.stop();
    }
  });

  for (const second of ['SIGTERM', 'SIGINT'] as const)
    it(`ends at once by a second signal, after SIGTERM by ${second}`, async () => {
      const asked = Promise.withResolvers<undefined>();
      const prometheus = await listen(createServer(() => asked.resolve(undefined)));
      const service = await startProcess(
        program('--listen', '127.0.0.1:0', '--verify-parent=false', '--kubernetes=false'),
        join(directory, `second-${second}.log`),
      );
      try {
        const url = await urlOf(service);
        const metrics = { prometheus: { address: prometheus.url, query: 'scalar(load)' } };
        const parent = posted(wireSpec({}, { metrics, suspend: false }));
        const running = send(new Agent(), `${url}/rebalance/sync`, { parent });
        await asked.promise;
        process.kill(service.pid, 'SIGTERM');
        await waitFor('it to be stopping', { deadlineMs: READY_MS }, () => {
          const log = readFileSync(service.logFile, 'utf8');
          return log.includes('stopping') ? arrived(true) : notYet(log);
        });
        process.kill(service.pid, second);
        await assert.rejects(running);
        const end = await waitFor('the process to end', { deadlineMs: READY_MS }, () => {
          const ended = service.ended();
          return ended === undefined ? notYet('still running') : arrived(ended);
        });
        assert.equal(end, `was ended by ${second}`);
      } finally {
        await service.stop({ graceMs: 0 });
        await prometheus.stop();
      }
    });

  it('is what npm start runs, and gets the SIGTERM that npm gets', async () => {
    const args = ['start', '--', '--listen', '127.0.0.1:0', '--verify-parent=false', '--kubernetes=false'];
    const npm = await startProcess(
      { name: 'npm start', command: 'npm', args, directory: ROOT },
      join(directory, 'npm.log'),
    );
    try {
      const url = await urlOf(npm);
      await npm.stop({ graceMs: READY_MS });
      assert.equal(npm.ended(), 'exited with code 0');
      await assert.rejects(fetch(`${url}/healthz`), 'nothing is left behind');
    } finally {
      await npm.stop();
    }
  });

  const refusals: readonly {
    readonly args: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly says: string;
  }[] = [
    { args: ['--nope'], says: "unknown option '--nope'" },
    {
      args: ['--hooks=x'],
      says: '--hooks="x" is refused: expected balancer, rebalance or several of them separated by commas',
    },
    {
      args: [],
      env: { COUNTERPOISE_BALANCERD_SQL_PORT: '0' },
      says: 'COUNTERPOISE_BALANCERD_SQL_PORT="0" is refused: expected a port from 1 to 65535',
    },
    {
      args: ['--listen', '203.0.113.1:80'],
      says: '--listen: cannot listen on 203.0.113.1:80: EADDRNOTAVAIL',
    },
  ];
  for (const { args, env = {}, says } of refusals) {
    it(`does not start, and says why in one line: ${says}`, async () => {
      await assert.rejects(runProcess({ ...program(...args), env }), {
        message: `counterpoise failed: counterpoise serve: ${says}`,
      });
    });
  }
});
