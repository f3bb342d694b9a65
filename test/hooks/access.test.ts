import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, type ConnectionOptions } from 'node:tls';
import { startService, type Service } from '../../src/cli/server.ts';
import { call, type Answer, type CallOptions } from '../support/call.ts';
import { issue, makeCa, type Identity } from '../support/certificates.ts';
import { connectRaw } from '../support/raw-http.ts';
import { testDeps, testSettings, type TestDeps } from '../support/deps.ts';

const METADATA = { name: 'example', namespace: 'default', uid: 'u-1', generation: 1 };
const BODY = JSON.stringify({ parent: { metadata: METADATA, spec: {} }, children: {} });
const LOOPBACK = ['--listen=127.0.0.1:0', '--hooks=balancer'];

function basic(login: string): string {
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

describe('who may call', () => {
  let directory = '';
  before(() => (directory = mkdtempSync(join(tmpdir(), 'counterpoise-access-'))));
  after(() => rmSync(directory, { recursive: true, force: true }));

  const started: Service[] = [];
  afterEach(() => Promise.all(started.splice(0).map((service) => service.stop(0))));

  function file(name: string, text: string): string {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  }

  async function start(...flags: readonly string[]): Promise<{ service: Service; deps: TestDeps }> {
    const deps = testDeps({ settings: testSettings(...LOOPBACK, ...flags) });
    const service = await startService(deps);
    assert.ok(service.ok, service.ok ? '' : service.error);
    started.push(service.value);
    return { service: service.value, deps };
  }

  function sync({ url }: Service, authorization?: string, options: CallOptions = {}): Promise<Answer> {
    const credentials = authorization === undefined ? {} : { Authorization: authorization };
    const headers = { 'Content-Type': 'application/json', ...credentials };
    return call(`${url}/balancer/sync`, { method: 'POST', body: BODY, ...options, headers });
  }

  /** A sync on a TLS connection of its own, and the session that another one may resume. */
  async function syncOver({ url }: Service, options: ConnectionOptions) {
    const socket = connect({ ...options, host: '127.0.0.1', port: Number(new URL(url).port) });
    let session: Buffer | undefined;
    let isResumed = false;
    socket.once('secureConnect', () => (isResumed = socket.isSessionReused()));
    socket.on('session', (next: Buffer) => (session = next));
    const headers = 'Host: x\r\nConnection: close\r\nContent-Type: application/json';
    socket.write(
      `POST /balancer/sync HTTP/1.1\r\n${headers}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
    );
    const status = /^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1];
    return { status, session, isResumed };
  }

  describe('by header', () => {
    const rows: readonly {
      readonly name: string;
      readonly header?: string;
      readonly status: number;
      readonly says: RegExp;
    }[] = [
      {
        name: 'no header',
        status: 401,
        says: /^no credentials: give the webhook an authorization or basicAuth/,
      },
      {
        name: 'a wrong token',
        header: 'Bearer nope',
        status: 401,
        says: /^the credentials are not accepted: /,
      },
      {
        name: 'a wrong login',
        header: basic('mc:nope'),
        status: 401,
        says: /^the credentials are not accepted: /,
      },
      { name: 'the token', header: 'Bearer sesame', status: 200, says: /^\{"status":/ },
      { name: 'the login', header: basic('mc:sesame'), status: 200, says: /^\{"status":/ },
    ];
    for (const { name, header, status, says } of rows) {
      it(`${name}: ${status}`, async () => {
        const { service, deps } = await start(
          `--auth-token-file=${file('token', 'sesame\n')}`,
          `--basic-auth-file=${file('login', 'mc:sesame\n')}`,
        );
        const answer = await sync(service, header);
        assert.equal(answer.status, status);
        assert.match(answer.text, says);
        if (status === 200) return;
        assert.match(answer.text, /^[^\n]{1,256}\n$/, 'one short line');
        assert.equal(
          answer.headers['www-authenticate'],
          'Bearer, Basic realm="counterpoise", charset="UTF-8"',
        );
        assert.deepEqual(
          deps.lines.map(({ reason, outcome }) => [reason, outcome]),
          [['CallerUnknown', 'refused']],
        );
        assert.doesNotMatch(JSON.stringify(deps.lines), /nope|sesame/, 'no secret in the log');
      });
    }

    it('before the body is read: a refusal waits for none of it', async () => {
      const { service } = await start(`--auth-token-file=${file('token', 'sesame')}`);
      const connection = await connectRaw(service.url);
      connection.write('POST /balancer/sync HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n');
      assert.match(await connection.received(1), /^HTTP\/1\.1 401 Unauthorized\r\n/);
      connection.destroy();
    });

    it('health checks need nothing, and metrics only when told so', async () => {
      const token = `--auth-token-file=${file('token', 'sesame')}`;
      const { service: open } = await start(token);
      const { service: shut, deps } = await start(token, '--protect-metrics');
      const statuses = async (url: string): Promise<readonly number[]> =>
        Promise.all(
          ['/healthz', '/readyz', '/metrics'].map(async (path) => (await call(`${url}${path}`)).status),
        );
      assert.deepEqual(await statuses(open.url), [200, 200, 200]);
      assert.deepEqual(await statuses(shut.url), [200, 200, 401]);
      const headers = { Authorization: 'Bearer sesame' };
      assert.match(
        (await call(`${shut.url}/metrics`, { headers })).text,
        /^# TYPE counterpoise_bugs_total /m,
      );
      assert.equal(deps.lines.length, 0);
    });

    it('by what stands in the file now; a new file that is no use leaves the old in force, and says so once', async () => {
      const path = file('token', 'first');
      const { service, deps } = await start(`--auth-token-file=${path}`);
      const statuses = async (): Promise<readonly number[]> =>
        Promise.all(
          ['first', 'second'].map(async (token) => (await sync(service, `Bearer ${token}`)).status),
        );
      const told = (): readonly unknown[] =>
        deps.lines
          .filter(({ msg }) => msg !== 'sync')
          .map(({ level, msg, because }) => [level, msg, because]);

      assert.deepEqual(await statuses(), [200, 401]);
      writeFileSync(path, 'second\nfirst\n');
      await service.refreshAccess();
      assert.deepEqual(await statuses(), [200, 200], 'both, while a token is rotated');
      writeFileSync(path, 'second\n');
      await service.refreshAccess();
      assert.deepEqual(await statuses(), [401, 200]);

      writeFileSync(path, '');
      await service.refreshAccess();
      await service.refreshAccess();
      rmSync(path);
      await service.refreshAccess();
      assert.deepEqual(await statuses(), [401, 200], 'the last good file');
      const empty = '--auth-token-file: it is empty, expected a bearer token on each line';
      assert.deepEqual(told(), [
        ['info', 'the credentials are read again', undefined],
        ['info', 'the credentials are read again', undefined],
        ['warn', 'changed files are not used', empty],
        ['warn', 'changed files are not used', `--auth-token-file="${path}" cannot be read: ENOENT`],
      ]);
    });
  });

  describe('by certificate', () => {
    let ca: Identity;
    let otherCa: Identity;
    let server: Identity;
    let client: Identity;
    let stranger: Identity;
    before(() => {
      ca = makeCa(directory, 'ca');
      otherCa = makeCa(directory, 'other-ca');
      server = issue(directory, 'server', ca);
      client = issue(directory, 'client', ca);
      stranger = issue(directory, 'stranger', otherCa);
    });

    const flags = (): readonly string[] => [
      `--tls-cert-file=${file('tls.crt', server.cert)}`,
      `--tls-key-file=${file('tls.key', server.key)}`,
    ];
    const withClientCa = (): readonly string[] => [
      ...flags(),
      `--client-ca-file=${file('client-ca.crt', ca.cert)}`,
    ];

    it('over HTTPS alone: who trusts the CA gets answers, who does not gets none', async () => {
      const { service } = await start(...flags());
      assert.match(service.url, /^https:/);
      assert.equal((await sync(service, undefined, { ca: ca.cert })).status, 200);
      await assert.rejects(sync(service, undefined, { ca: otherCa.cert }), /unable to verify|self-signed/);
    });

    it('a certificate of the CA is let in, one of another CA or none is not; probes need none', async () => {
      const { service, deps } = await start(...withClientCa(), '--protect-metrics');
      const { cert, key } = client;
      assert.equal((await sync(service, undefined, { ca: ca.cert, cert, key })).status, 200);
      for (const identity of [{}, { cert: stranger.cert, key: stranger.key }]) {
        const answer = await sync(service, undefined, { ca: ca.cert, ...identity });
        assert.equal(answer.status, 403);
        assert.match(
          answer.text,
          /^no client certificate of a trusted CA: give the webhook a clientTLS [^\n]+\n$/,
        );
        const paths = ['/healthz', '/readyz', '/metrics'];
        const statuses = paths.map(
          async (path) => (await call(`${service.url}${path}`, { ca: ca.cert, ...identity })).status,
        );
        assert.deepEqual(await Promise.all(statuses), [200, 200, 403]);
      }
      assert.deepEqual(
        deps.lines.map(({ reason }) => reason),
        ['InvalidField', 'CertificateRefused', 'CertificateRefused'],
      );
    });

    // A resumed session has no handshake in which a certificate is asked for (and TLS 1.3 takes any resumption for proof).
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      it(`who was not let in is not by resuming that session either: ${maxVersion}`, async () => {
        const { service } = await start(...withClientCa());
        for (const { cert, key } of [{ cert: undefined, key: undefined }, stranger]) {
          const first = await syncOver(service, { ca: ca.cert, maxVersion, cert, key });
          const again = await syncOver(service, { ca: ca.cert, maxVersion, session: first.session });
          assert.deepEqual([first.status, again.status], ['403', '403']);
          assert.ok(again.isResumed, 'the session was resumed');
        }
      });
    }

    it('beside a token both are needed', async () => {
      const { service } = await start(...withClientCa(), `--auth-token-file=${file('token', 'sesame')}`);
      const { cert, key } = client;
      const statuses = [
        await sync(service, 'Bearer sesame', { ca: ca.cert }),
        await sync(service, undefined, { ca: ca.cert, cert, key }),
        await sync(service, 'Bearer sesame', { ca: ca.cert, cert, key }),
      ].map(({ status }) => status);
      assert.deepEqual(statuses, [403, 401, 200]);
    });

    it('by the files as they are now: new connections at once, the old ones end with their next answer', async () => {
      const { service, deps } = await start(...withClientCa());
      const agent = new Agent({ keepAlive: true });
      try {
        const old = { ca: [ca.cert, otherCa.cert], cert: client.cert, key: client.key, agent };
        assert.equal((await sync(service, undefined, old)).headers.connection, 'keep-alive');

        file('tls.key', stranger.key);
        await service.refreshAccess();
        assert.deepEqual(
          deps.lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg),
          ['changed files are not used'],
          'a key that is not of its certificate, as between two writes',
        );
        assert.doesNotMatch(JSON.stringify(deps.lines), /PRIVATE/);
        file('tls.crt', stranger.cert);
        file('client-ca.crt', otherCa.cert);
        await service.refreshAccess();

        const last = await sync(service, undefined, old);
        assert.deepEqual(
          [last.status, last.headers.connection],
          [200, 'close'],
          'the connection from before',
        );
        assert.equal((await sync(service, undefined, old)).status, 403, 'not even by a resumed session');
        const now = { ca: otherCa.cert, cert: stranger.cert, key: stranger.key };
        assert.equal((await sync(service, undefined, now)).status, 200);
      } finally {
        agent.destroy();
      }
    });

    const refusals: readonly {
      readonly name: string;
      readonly flags: () => readonly string[];
      readonly says: RegExp;
    }[] = [
      {
        name: 'a file that is not there',
        flags: () => ['--auth-token-file=/nonexistent/token'],
        says: /^--auth-token-file="\/nonexistent\/token" cannot be read: ENOENT$/,
      },
      {
        name: 'an empty file of logins',
        flags: () => [`--basic-auth-file=${file('login', '')}`],
        says: /^--basic-auth-file: it is empty, expected username:password on each line$/,
      },
      {
        name: 'a key of another certificate',
        flags: () => [`--tls-cert-file=${server.certFile}`, `--tls-key-file=${client.keyFile}`],
        says: /^--tls-cert-file and --tls-key-file: not a certificate and its key: .*key values mismatch$/,
      },
      {
        name: 'a CA file without a certificate, beside tokens that are fine',
        flags: () => [
          ...flags(),
          `--client-ca-file=${file('empty-ca.crt', 'no certificate')}`,
          `--auth-token-file=${file('token', 'sesame')}`,
        ],
        says: /^--client-ca-file: it holds no PEM certificate$/,
      },
    ];
    for (const { name, flags, says } of refusals) {
      it(`not at all, with ${name}`, async () => {
        const service = await startService(testDeps({ settings: testSettings(...LOOPBACK, ...flags()) }));
        assert.ok(!service.ok);
        assert.match(service.error, says);
      });
    }
  });
});
