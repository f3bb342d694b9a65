import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { mock } from 'node:test';
import { startService, type Service } from '../../src/cli/server.ts';
import type { Reading } from '../../src/rebalance/sample.ts';
import { testDeps, testSettings } from '../support/deps.ts';
import { connectRaw } from '../support/raw-http.ts';
import { wireSpec } from '../support/rebalance.ts';
import { posted, value } from '../support/rebalance-world.ts';

const LOOPBACK = testSettings('--listen=127.0.0.1:0', '--verify-parent=false');

describe('the server', () => {
  const started: Service[] = [];
  afterEach(() => Promise.all(started.splice(0).map((service) => service.stop(0))));

  async function start(overrides: Parameters<typeof testDeps>[0] = {}): Promise<Service> {
    const service = await startService(testDeps({ settings: LOOPBACK, ...overrides }));
    assert.ok(service.ok, service.ok ? '' : service.error);
    started.push(service.value);
    return service.value;
  }

  it('says the address that it really listens on', async () => {
    const service = await start();
    assert.match(service.url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  });

  it('says an address of IPv6 as a URL has it', async () => {
    const settings = testSettings('--listen=[::1]:0', '--verify-parent=false');
    const service = await startService(testDeps({ settings }));
    // A machine may have no IPv6; then the refusal is what there is to see.
    if (!service.ok) {
      assert.match(service.error, /^--listen: cannot listen on ::1:0: E[A-Z]+$/);
      return;
    }
    started.push(service.value);
    assert.match(service.value.url, /^http:\/\/\[::1\]:[1-9]\d*$/);
  });

  it('keeps idle connections longer than the 90 s of a Go client', async () => {
    const service = await start();
    const { headers } = await fetch(`${service.url}/healthz`);
    const seconds = Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1]);
    assert.ok(seconds > 90, `${seconds}`);
    assert.equal(await service.stop(1_000), true, 'an idle connection does not hold it up');
  });

  for (const [name, sent] of [
    ['has sent nothing yet', ''],
    ['has sent half of its headers', 'POST /rebalance/sync HTTP/1.1\r\nHo'],
  ] as const) {
    it(`is not held up in stopping by a connection that ${name}`, async () => {
      const service = await start();
      const connection = await connectRaw(service.url);
      connection.write(sent);
      // Answered after it on another connection, so what was sent is there.
      await fetch(`${service.url}/healthz`);
      assert.equal(await service.stop(20_000), true);
      assert.equal(await connection.rest(), '');
    });
  }

  it('answers a sync that is running before it stops, whatever else is connected', async () => {
    const asked = Promise.withResolvers<undefined>();
    const answer = Promise.withResolvers<Reading>();
    const service = await start({
      metricSource: {
        read: () => {
          asked.resolve(undefined);
          return answer.promise;
        },
      },
    });
    const idle = await connectRaw(service.url);
    const sync = fetch(`${service.url}/rebalance/sync`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ parent: posted(wireSpec()) }),
    });
    await asked.promise;
    const stopped = service.stop(20_000);
    answer.resolve(value('3000'));
    assert.equal((await sync).status, 200);
    assert.equal(await stopped, true);
    assert.equal(await idle.rest(), '');
  });

  it('hangs up on who does not read its answer, a minute after the budget of a sync', async () => {
    const deps = testDeps({ settings: LOOPBACK });
    deps.metrics.registry.metrics = () => Promise.resolve('x'.repeat(64 * 2 ** 20));
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const service = await start(deps);
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'readable');
      let received = 0;
      mock.timers.tick(LOOPBACK.hookBudgetMs + 59_999);
      assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
      mock.timers.tick(1);
      socket.on('error', () => undefined).on('data', ({ length }: Buffer) => (received += length));
      await once(socket, 'close');
      assert.ok(received < 64 * 2 ** 20, `${received}`);
    } finally {
      mock.timers.reset();
    }
  });

  it('cuts off what still runs when the grace is over, and says so', async () => {
    const asked = Promise.withResolvers<undefined>();
    const service = await start({
      metricSource: {
        read: () => {
          asked.resolve(undefined);
          return new Promise(() => undefined);
        },
      },
    });
    const sync = fetch(`${service.url}/rebalance/sync`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ parent: posted(wireSpec()) }),
    });
    await asked.promise;
    assert.equal(await service.stop(10), false);
    await assert.rejects(sync, { message: 'fetch failed' });
  });

  it('says why an address cannot be had', async () => {
    const first = await start();
    const port = new URL(first.url).port;
    const second = await startService(
      testDeps({ settings: testSettings(`--listen=127.0.0.1:${port}`, '--verify-parent=false') }),
    );
    assert.deepEqual(second, {
      ok: false,
      error: `--listen: cannot listen on 127.0.0.1:${port}: EADDRINUSE`,
    });
  });
});
