import assert from 'node:assert/strict';
import { startService, type Service } from '../../src/cli/server.ts';
import { call, type Answer } from '../support/call.ts';
import { testDeps, testSettings, type TestDeps } from '../support/deps.ts';
import { connectRaw, type RawConnection } from '../support/raw-http.ts';
import { posted, value } from '../support/rebalance-world.ts';
import { wireSpec } from '../support/rebalance.ts';

const LOOPBACK = ['--listen=127.0.0.1:0', '--verify-parent=false'];
const SYNC = JSON.stringify({ parent: posted(wireSpec()) });

describe('what one process takes on', () => {
  let release: () => void;
  let asked: number;
  const started: Service[] = [];
  const connections: RawConnection[] = [];
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.destroy();
    await Promise.all(started.splice(0).map((service) => service.stop(0)));
  });

  /** A service whose Rebalances wait for their metric until they are released. */
  async function start(...flags: readonly string[]): Promise<{ service: Service; deps: TestDeps }> {
    const gate = Promise.withResolvers<undefined>();
    release = () => gate.resolve(undefined);
    asked = 0;
    const deps = testDeps({
      settings: testSettings(...LOOPBACK, ...flags),
      metricSource: {
        read: async () => {
          asked += 1;
          await gate.promise;
          return value('3000');
        },
      },
    });
    const service = await startService(deps);
    assert.ok(service.ok, service.ok ? '' : service.error);
    started.push(service.value);
    return { service: service.value, deps };
  }

  async function connect({ url }: Service): Promise<RawConnection> {
    const connection = await connectRaw(url);
    connections.push(connection);
    return connection;
  }

  function sync({ url }: Service): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json' };
    return call(`${url}/rebalance/sync`, { method: 'POST', headers, body: SYNC });
  }

  function rawSync(path = '/rebalance/sync'): string {
    const headers = `Host: x\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(SYNC)}`;
    return `POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n${SYNC}`;
  }

  it('is so many syncs at a time: one more is told to come again after a second, and health checks are answered', async () => {
    const { service, deps } = await start('--max-concurrent-syncs=3');
    const running = [sync(service), sync(service), sync(service)];
    const shed = await Promise.race([
      ...running,
      (async () => {
        while (asked < 3) await call(`${service.url}/healthz`);
        return sync(service);
      })(),
    ]);
    assert.deepEqual(
      [shed.status, shed.headers['retry-after'], shed.text],
      [429, '1', 'busy: as many syncs run as --max-concurrent-syncs allows\n'],
    );
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      assert.equal((await call(`${service.url}${path}`)).status, 200, path);
    }
    const [line] = deps.lines;
    assert.deepEqual([line?.['level'], line?.['outcome'], line?.['reason']], ['warn', 'shed', 'TooBusy']);

    release();
    assert.deepEqual(
      (await Promise.all(running)).map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal((await sync(service)).status, 200, 'there is room again');
  });

  it('is no more by one connection: requests sent ahead of their answers are answered in order, each whole', async () => {
    const { service } = await start('--max-concurrent-syncs=2');
    const connection = await connect(service);
    connection.write(rawSync().repeat(5) + rawSync('/nowhere'));
    while (asked < 2) await call(`${service.url}/healthz`);
    release();
    const received = await connection.received(6);
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    assert.deepEqual(statuses, ['200', '200', '429', '429', '429', '404']);
  });

  it('is no place for a sender that drips: it holds what it has sent, and others are served', async () => {
    const { service } = await start('--max-concurrent-syncs=1', '--hooks=rebalance');
    release();
    const text = rawSync();
    for (let sender = 0; sender < 50; sender += 1) (await connect(service)).write(text.slice(0, -1));
    assert.equal((await sync(service)).status, 200);
    const [first] = connections;
    first?.write(text.slice(-1));
    assert.match((await first?.received(1)) ?? '', /^HTTP\/1\.1 200 /);
  });

  const garbage: readonly { readonly name: string; readonly bytes: string; readonly answer: RegExp }[] = [
    {
      name: 'headers over 16 KiB',
      bytes: `GET /healthz HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
      answer: /^HTTP\/1\.1 431 /,
    },
    { name: 'what is no HTTP', bytes: '\u0016\u0003\u0001 nonsense\r\n\r\n', answer: /^HTTP\/1\.1 400 / },
    {
      name: 'a header that is none',
      bytes: 'GET / HTTP/1.1\r\nno colon\r\n\r\n',
      answer: /^HTTP\/1\.1 400 /,
    },
    { name: 'no Host', bytes: 'GET /healthz HTTP/1.1\r\n\r\n', answer: /^HTTP\/1\.1 400 / },
    {
      name: 'two lengths, of which a proxy might believe the other',
      bytes:
        'POST /rebalance/sync HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      answer: /^HTTP\/1\.1 400 /,
    },
  ];
  for (const { name, bytes, answer } of garbage) {
    it(`is not ${name}: the connection is closed`, async () => {
      const { service } = await start();
      const connection = await connect(service);
      connection.write(bytes);
      assert.match(await connection.rest(), answer);
      assert.equal((await call(`${service.url}/healthz`)).status, 200);
    });
  }

  for (const path of [
    '/%zz',
    '/balancer/sync/%',
    '//',
    '/healthz%00',
    '/__proto__',
    '/balancer/sync?a[__proto__][b]=c',
  ]) {
    it(`is not a path that only looks like one: ${path}`, async () => {
      const { service, deps } = await start();
      const connection = await connect(service);
      connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      assert.match(await connection.rest(), /^HTTP\/1\.1 40[45] /);
      assert.deepEqual(deps.lines, []);
    });
  }
});
