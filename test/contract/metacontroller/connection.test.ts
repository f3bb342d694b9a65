import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { issue, makeCa, type Identity } from '../../support/certificates.ts';
import { listen, type Listening } from '../../support/listen.ts';
import { startWorld, widget, type World, type WorldOptions } from './world.ts';

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function secret(name: string, data: Readonly<Record<string, string>>): ObservedObject {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(text)]));
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'hooks' }, data: encoded };
}

const TOKEN = secret('token', { token: ' sesame\n' });
const LOGIN = secret('login', { username: 'mc', password: 'sesame\n', other: 'pass' });
const tokenRef = { name: 'token', namespace: 'hooks', key: 'token' };
const loginRef = { name: 'login', namespace: 'hooks' };

describe('Metacontroller: the connection to a hook', () => {
  let world: World | undefined;
  afterEach(async () => {
    await world?.stop();
    world = undefined;
  });

  async function sentAuthorization(options: WorldOptions): Promise<string | undefined> {
    world = await startWorld({ objects: [TOKEN, LOGIN], ...options });
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    return world.hook.requests[0]?.headers.authorization;
  }

  const headers: readonly {
    readonly name: string;
    readonly webhook: Readonly<Record<string, unknown>>;
    readonly header: string | undefined;
  }[] = [
    { name: 'sends no header by itself', webhook: {}, header: undefined },
    {
      name: '[authorization] sends a Bearer token of a Secret, trimmed',
      webhook: { authorization: { secretRef: tokenRef } },
      header: 'Bearer sesame',
    },
    {
      name: '[authorization] sends it under another scheme where one is named',
      webhook: { authorization: { type: 'Token', secretRef: tokenRef } },
      header: 'Token sesame',
    },
    {
      name: '[basic-auth] sends username and password of one Secret',
      webhook: { basicAuth: { secretRef: loginRef } },
      header: `Basic ${base64('mc:sesame')}`,
    },
    {
      name: '[basic-auth] by other keys where they are named',
      webhook: { basicAuth: { secretRef: loginRef, passwordKey: 'other' } },
      header: `Basic ${base64('mc:pass')}`,
    },
  ];
  for (const { name, webhook, header } of headers) {
    it(name, async () => assert.equal(await sentAuthorization({ webhook }), header));
  }

  it('[read-at-start] goes on with the token that it read when it started', async () => {
    const webhook = { authorization: { secretRef: tokenRef } };
    await sentAuthorization({ webhook });
    await world?.kubectl.update(secret('token', { token: 'changed' }));
    await world?.kubectl.create(widget('two'));
    await world?.metacontroller.settle();
    assert.equal(world?.hook.requests.at(-1)?.headers.authorization, 'Bearer sesame');
  });

  const refused: readonly {
    readonly name: string;
    readonly webhook: Readonly<Record<string, unknown>>;
    readonly says: RegExp;
  }[] = [
    {
      name: '[one-authorization] does not start with two kinds of credentials',
      webhook: { authorization: { secretRef: tokenRef }, basicAuth: { secretRef: loginRef } },
      says: /: authorization and basicAuth are mutually exclusive$/,
    },
    {
      name: '[authorization] does not start with Basic',
      webhook: { authorization: { type: 'basic', secretRef: tokenRef } },
      says: /: authorization is not for Basic: use basicAuth$/,
    },
    {
      name: '[authorization] does not start without its Secret',
      webhook: { authorization: { secretRef: { ...tokenRef, name: 'none' } } },
      says: /: cannot get Secret hooks\/none: /,
    },
    {
      name: '[basic-auth] does not start without a key of its Secret',
      webhook: { basicAuth: { secretRef: loginRef, usernameKey: 'none' } },
      says: /: Secret hooks\/login has no key "none"$/,
    },
    {
      name: '[ca-bundle] does not start with two sources of CAs',
      webhook: { caBundle: { inline: 'x', secretRef: loginRef } },
      says: /: caBundle needs exactly one of inline, secretRef and configMapRef$/,
    },
  ];
  for (const { name, webhook, says } of refused) {
    it(name, async () => {
      const message = await sentAuthorization({ webhook }).catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      );
      assert.match(message ?? '', says);
    });
  }

  describe('over HTTPS', () => {
    let directory = '';
    let [ca, server, client]: readonly Identity[] = [];
    let hook: Listening;
    let callers: (string | undefined)[];
    before(async () => {
      directory = mkdtempSync(join(tmpdir(), 'counterpoise-tls-'));
      ca = makeCa(directory, 'ca');
      server = issue(directory, 'server', ca);
      client = issue(directory, 'client', ca);
      const options = { cert: server.cert, key: server.key, ca: ca.cert, requestCert: true, rejectUnauthorized: false };
      const https = createServer(options, ({ socket }, response) => {
        const trusted = socket instanceof TLSSocket && socket.authorized;
        callers.push(trusted ? String(socket.getPeerX509Certificate()?.subject) : undefined);
        response.end('{}');
      });
      hook = await listen(https);
    });
    beforeEach(() => (callers = []));
    after(async () => {
      await hook.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    async function sync(webhook: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
      const objects = [
        secret('tls', { 'tls.crt': client?.cert ?? '', 'tls.key': client?.key ?? '', 'ca.crt': ca?.cert ?? '' }),
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'roots', namespace: 'hooks' },
          data: { 'ca.crt': ca?.cert },
        },
      ];
      world = await startWorld({ objects, webhook: { url: hook.url.replace('http:', 'https:'), ...webhook } });
      await world.kubectl.create(widget());
      await world.metacontroller.settle();
      return world.syncErrors();
    }

    const tlsRef = { name: 'tls', namespace: 'hooks' };
    it('[ca-bundle] trusts a CA that is inline, in a Secret or in a ConfigMap', async () => {
      const bundles = [
        { inline: ca?.cert },
        { secretRef: tlsRef },
        { configMapRef: { name: 'roots', namespace: 'hooks' } },
      ];
      for (const caBundle of bundles) {
        assert.deepEqual(await sync({ caBundle }), []);
        await world?.stop();
      }
      assert.deepEqual(new Set(callers), new Set([undefined]));
    });

    it('[ca-bundle] trusts the system alone without one', async () => {
      assert.match((await sync({})).join(), /http error: .*(certificate|issuer)/);
    });

    it('[client-tls] shows the certificate of a Secret', async () => {
      assert.deepEqual(await sync({ caBundle: { secretRef: tlsRef }, clientTLS: { secretRef: tlsRef } }), []);
      assert.deepEqual(new Set(callers), new Set(['CN=client']));
    });
  });
});
