import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDeadline } from '../../../src/foundation/deadline.ts';
import { ok } from '../../../src/foundation/result.ts';
import type { KubernetesApi, KubernetesEvent } from '../../../src/kubernetes/api.ts';
import { createKubernetesApi } from '../../../src/kubernetes/client.ts';
import { listen, type Listening } from '../../support/listen.ts';
import { arrived, notYet, waitFor } from '../../support/wait.ts';

const REBALANCE = {
  apiVersion: 'rebalancer.ch1aki.github.io/v1',
  kind: 'Rebalance',
  namespace: 'default',
  name: 'example',
};

const LIVE = {
  apiVersion: REBALANCE.apiVersion,
  kind: 'Rebalance',
  metadata: { name: 'example', namespace: 'default', uid: 'u-1', generation: 2 },
  spec: { dryRun: true },
};

const EVENT: KubernetesEvent = {
  regarding: { ...REBALANCE, uid: 'u-1' },
  type: 'Normal',
  reason: 'WeightChanged',
  message: 'weight 8 -> 16',
};

interface Received {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** meta/v1 Status, the body of every error of the API server. */
function status(code: number, reason: string, message: string): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'Status', status: 'Failure', code, reason, message });
}

function until(what: string, isDone: () => boolean): Promise<void> {
  return waitFor(what, { deadlineMs: 5_000, everyMs: 5 }, () =>
    isDone() ? arrived(undefined) : notYet('not there'),
  );
}

describe('the Kubernetes API', () => {
  let api: KubernetesApi;
  let server: Listening;
  let directory: string;
  let received: Received[];
  let lost: string[];
  /** "verb resource outcome" of each request. */
  let counts: string[];
  /** What the fake API server does with a request; undefined: it never answers. */
  let answer: ((response: ServerResponse) => void) | undefined;

  const respond = (code: number, body: string): void => {
    answer = (response) => response.writeHead(code, { 'content-type': 'application/json' }).end(body);
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({
      method: request.method ?? '',
      path: request.url ?? '',
      authorization: request.headers.authorization,
      contentType: request.headers['content-type'],
      body: Buffer.concat(chunks).toString(),
    });
    answer?.(response);
  }

  function kubeconfig(user: object, url = server.url): string {
    const path = join(directory, 'kubeconfig');
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      // Without TLS the client library wants this said.
      clusters: [{ name: 'test', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'test', user }],
    };
    writeFileSync(path, JSON.stringify(config));
    return path;
  }

  function createApi(user: object = { token: 't0ken' }, url?: string): KubernetesApi {
    const created = createKubernetesApi(
      { kind: 'Kubeconfig', paths: [kubeconfig(user, url)] },
      {
        onEventLost: (because) => lost.push(because),
        onRequest: ({ verb, resource, outcome }) => counts.push(`${verb} ${resource} ${outcome}`),
        clock: { nowMs: () => 1_796_053_326_000 },
      },
    );
    assert.ok(created.ok, JSON.stringify(created));
    return created.value;
  }

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'counterpoise-'));
    received = [];
    lost = [];
    counts = [];
    server = await listen(createServer((request, response) => void serve(request, response)));
    api = createApi();
  });
  afterEach(async () => {
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  describe('reads', () => {
    it('one object by name, with the token of the kubeconfig', async () => {
      respond(200, JSON.stringify(LIVE));
      assert.deepEqual(await api.get(REBALANCE, startDeadline(5_000)), { ok: true, value: LIVE });
      assert.deepEqual(received, [
        {
          method: 'GET',
          path: '/apis/rebalancer.ch1aki.github.io/v1/namespaces/default/rebalances/example',
          authorization: 'Bearer t0ken',
          contentType: undefined,
          body: '',
        },
      ]);
    });

    it('a core object under /api, with every segment escaped', async () => {
      respond(200, JSON.stringify(LIVE));
      await api.get(
        { apiVersion: 'v1', kind: 'Service', namespace: 'a/b', name: '../x' },
        startDeadline(5_000),
      );
      assert.equal(received[0]?.path, '/api/v1/namespaces/a%2Fb/services/..%2Fx');
    });

    it('all objects of a kind, page by page, each with its kind', async () => {
      const pages = [
        { metadata: { continue: 'a&b' }, items: [{ metadata: { name: 'one' } }] },
        { metadata: { continue: '' }, items: [{ metadata: { name: 'two' } }] },
      ];
      answer = (response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(pages.shift()));
      const { apiVersion, kind } = REBALANCE;
      assert.deepEqual(await api.list({ apiVersion, kind }, startDeadline(5_000)), {
        ok: true,
        value: ['one', 'two'].map((name) => ({ apiVersion, kind, metadata: { name } })),
      });
      const path = '/apis/rebalancer.ch1aki.github.io/v1/rebalances?limit=200';
      assert.deepEqual(
        received.map((request) => request.path),
        [path, `${path}&continue=a%26b`],
      );
    });

    it('no list that never ends', async () => {
      respond(200, JSON.stringify({ metadata: { continue: 'more' }, items: [] }));
      assert.deepEqual(await api.list(REBALANCE, startDeadline(5_000)), {
        ok: false,
        error: { kind: 'Unavailable', message: 'there are more than 10000 objects of kind Rebalance' },
      });
      assert.equal(received.length, 50);
    });

    for (const body of [{}, { items: [] }, { metadata: {}, items: {} }, { metadata: {}, items: [1] }]) {
      it(`no list from ${JSON.stringify(body)}`, async () => {
        respond(200, JSON.stringify(body));
        assert.deepEqual(await api.list(REBALANCE, startDeadline(5_000)), {
          ok: false,
          error: { kind: 'Unavailable', message: 'the answer is not one of the Kubernetes API' },
        });
      });
    }

    it('no part of a list that was refused', async () => {
      respond(403, status(403, 'Forbidden', 'rebalances is forbidden'));
      assert.deepEqual(await api.list(REBALANCE, startDeadline(5_000)), {
        ok: false,
        error: { kind: 'Forbidden', message: 'rebalances is forbidden' },
      });
    });

    it('a Secret, decoded', async () => {
      const data = { user: 'YW5u', key: 'w7xi', empty: '' };
      respond(200, JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aws' }, data }));
      const secret = await api.getSecret('default', 'aws', startDeadline(5_000));
      assert.ok(secret.ok);
      assert.deepEqual(
        [...secret.value],
        [
          ['user', 'ann'],
          ['key', 'üb'],
          ['empty', ''],
        ],
      );
      assert.equal(received[0]?.path, '/api/v1/namespaces/default/secrets/aws');
    });

    it('a Secret without data as an empty one', async () => {
      respond(200, JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'aws' } }));
      const secret = await api.getSecret('default', 'aws', startDeadline(5_000));
      assert.ok(secret.ok);
      assert.equal(secret.value.size, 0);
    });

    it('with a user name and a password that holds a colon', async () => {
      respond(200, JSON.stringify(LIVE));
      await createApi({ username: 'ann', password: 'a:b' }).get(REBALANCE, startDeadline(5_000));
      assert.equal(received[0]?.authorization, `Basic ${Buffer.from('ann:a:b').toString('base64')}`);
    });

    it('from a server with a path, over one connection', async () => {
      respond(200, JSON.stringify(LIVE));
      const behindPath = createApi({ token: 't' }, `${server.url}/clusters/one/`);
      for (let call = 0; call < 5; call += 1) await behindPath.get(REBALANCE, startDeadline(5_000));
      assert.match(received[4]?.path ?? '', /^\/clusters\/one\/apis\/rebalancer/);
      assert.equal(server.connections(), 1);
    });
  });

  describe('writes', () => {
    const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' };
    const READ = { uid: 'u-1', resourceVersion: '7' };
    const label = { key: 'controller-uid', value: 'u-2' };

    it('one label, as a merge patch that names the object as it was read', async () => {
      respond(200, JSON.stringify(LIVE));
      assert.deepEqual(await api.label(DEPLOYMENT, label, READ, startDeadline(5_000)), ok(undefined));
      const [{ method, path, contentType, body } = { body: '' }] = received as Partial<Received>[];
      assert.deepEqual(
        [method, path, contentType],
        ['PATCH', '/apis/apps/v1/namespaces/default/deployments/web', 'application/merge-patch+json'],
      );
      assert.deepEqual(JSON.parse(body ?? ''), {
        metadata: { uid: 'u-1', resourceVersion: '7', labels: { 'controller-uid': 'u-2' } },
      });
    });

    it('deletes one object as it was read, without what it owns', async () => {
      respond(200, JSON.stringify(LIVE));
      assert.deepEqual(await api.deleteAlone(DEPLOYMENT, READ, startDeadline(5_000)), ok(undefined));
      const [{ method, path, contentType, body } = { body: '' }] = received as Partial<Received>[];
      assert.deepEqual(
        [method, path, contentType],
        ['DELETE', '/apis/apps/v1/namespaces/default/deployments/web', 'application/json'],
      );
      assert.deepEqual(JSON.parse(body ?? ''), {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        propagationPolicy: 'Orphan',
        preconditions: READ,
      });
    });

    const failures = [
      [404, 'NotFound', 'NotFound'],
      [403, 'Forbidden', 'Forbidden'],
      [409, 'Conflict', 'Conflict'],
      [500, 'InternalError', 'Unavailable'],
    ] as const;
    for (const [code, reason, kind] of failures) {
      it(`nothing, with ${kind}, when it is answered HTTP ${code}`, async () => {
        respond(code, status(code, reason, 'no'));
        for (const write of [
          () => api.label(DEPLOYMENT, label, READ, startDeadline(5_000)),
          () => api.deleteAlone(DEPLOYMENT, READ, startDeadline(5_000)),
        ]) {
          const written = await write();
          assert.equal(written.ok ? 'written' : written.error.kind, kind);
        }
      });
    }
  });

  describe('fails', () => {
    const rows = [
      {
        name: 'with NotFound, in the words of Kubernetes',
        code: 404,
        body: status(404, 'NotFound', 'rebalances.rebalancer.ch1aki.github.io "example" not found'),
        expected: { kind: 'NotFound', message: 'rebalances.rebalancer.ch1aki.github.io "example" not found' },
      },
      {
        name: 'with Forbidden, in the words of Kubernetes and one line',
        code: 403,
        body: status(403, 'Forbidden', 'secrets "aws" is forbidden:\n User "hook" cannot get'),
        expected: { kind: 'Forbidden', message: 'secrets "aws" is forbidden: User "hook" cannot get' },
      },
      {
        name: 'with Unavailable for a token that is not accepted (any more)',
        code: 401,
        body: status(401, 'Unauthorized', 'Unauthorized'),
        expected: { kind: 'Unavailable', message: 'the Kubernetes API answered HTTP 401: Unauthorized' },
      },
      {
        name: 'with Unavailable for 429',
        code: 429,
        body: status(429, 'TooManyRequests', 'too many requests'),
        expected: { kind: 'Unavailable', message: 'the Kubernetes API answered HTTP 429: too many requests' },
      },
      {
        name: 'with Unavailable, not NotFound, for a 404 that is none of Kubernetes: nothing is known of the object',
        code: 404,
        body: '404 page not found',
        expected: { kind: 'Unavailable', message: 'the Kubernetes API answered HTTP 404 without saying why' },
      },
      {
        name: 'with Unavailable for a 404 in JSON of something before the API server',
        code: 404,
        body: '{"message":"no route"}',
        expected: { kind: 'Unavailable', message: 'the Kubernetes API answered HTTP 404 without saying why' },
      },
      {
        name: 'with Unavailable for a web page',
        code: 200,
        body: '<html></html>',
        expected: { kind: 'Unavailable', message: 'the answer is not one of the Kubernetes API' },
      },
      {
        name: 'with Unavailable for JSON that is no object of Kubernetes',
        code: 200,
        body: '{"hello":"world"}',
        expected: { kind: 'Unavailable', message: 'the answer is not one of the Kubernetes API' },
      },
    ];
    for (const { name, code, body, expected } of rows) {
      it(name, async () => {
        respond(code, body);
        assert.deepEqual(await api.get(REBALANCE, startDeadline(5_000)), { ok: false, error: expected });
      });
    }

    it('for a Secret as for any object', async () => {
      respond(404, status(404, 'NotFound', 'secrets "aws" not found'));
      assert.deepEqual(await api.getSecret('default', 'aws', startDeadline(5_000)), {
        ok: false,
        error: { kind: 'NotFound', message: 'secrets "aws" not found' },
      });
    });

    it('with Unavailable when the connection is refused', async () => {
      await server.stop();
      assert.deepEqual(await api.get(REBALANCE, startDeadline(5_000)), {
        ok: false,
        error: { kind: 'Unavailable', message: 'the Kubernetes API refused the connection (ECONNREFUSED)' },
      });
    });

    it('with Unavailable when the connection is closed', async () => {
      answer = (response) => response.socket?.resetAndDestroy();
      assert.deepEqual(await api.get(REBALANCE, startDeadline(5_000)), {
        ok: false,
        error: { kind: 'Unavailable', message: 'the Kubernetes API cannot be reached (ECONNRESET)' },
      });
    });

    it('with Unavailable at the deadline', async () => {
      answer = undefined;
      assert.deepEqual(await api.get(REBALANCE, startDeadline(40)), {
        ok: false,
        error: { kind: 'Unavailable', message: 'the Kubernetes API did not answer in time' },
      });
    });

    it('with Unavailable when the kubeconfig has no way in: an exec plugin that is not there', async () => {
      const user = {
        exec: { apiVersion: 'client.authentication.k8s.io/v1', command: '/nonexistent/plugin' },
      };
      const result = await createApi(user).get(REBALANCE, startDeadline(5_000));
      assert.ok(!result.ok);
      assert.equal(result.error.kind, 'Unavailable');
      assert.equal(
        result.error.message,
        'cannot sign in to the Kubernetes API: the kubeconfig\'s plugin "/nonexistent/plugin" cannot be run (ENOENT)',
      );
    });
  });

  describe('signs in', () => {
    const within = () => startDeadline(20_000);
    const script = (code: string) => ({
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: process.execPath,
        args: ['--input-type=module', '-e', code],
      },
    });
    const credential = (status: object): string =>
      JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status });
    const runs = (): number => readFileSync(join(directory, 'runs'), 'utf8').length;
    /** A plugin that counts its runs, and gives each a token of its own: t1, t2. */
    const counting = (): object =>
      script(`
        import { appendFileSync, statSync } from 'node:fs';
        const file = ${JSON.stringify(join(directory, 'runs'))};
        appendFileSync(file, 'x');
        const token = 't' + statSync(file).size;
        console.log(${JSON.stringify(credential({ token: 'TOKEN' }))}.replace('TOKEN', token));
      `);
    const tokens = (): readonly unknown[] => received.map(({ authorization }) => authorization);

    it('by a plugin, which runs once for all requests until its token is refused', async () => {
      respond(200, JSON.stringify(LIVE));
      const plugged = createApi(counting());
      await Promise.all([1, 2, 3].map(() => plugged.get(REBALANCE, within())));
      await plugged.get(REBALANCE, within());
      assert.deepEqual([tokens(), runs()], [Array(4).fill('Bearer t1'), 1]);
      respond(401, status(401, 'Unauthorized', 'Unauthorized'));
      await plugged.get(REBALANCE, within());
      respond(200, JSON.stringify(LIVE));
      assert.ok((await plugged.get(REBALANCE, within())).ok);
      assert.deepEqual([tokens().at(-1), runs()], ['Bearer t2', 2]);
    });

    it('by no plugin that hangs: each request ends at its own deadline, and only one plugin hangs', async () => {
      const plugged = createApi(
        script(`
          import { appendFileSync, existsSync } from 'node:fs';
          const file = ${JSON.stringify(join(directory, 'runs'))};
          appendFileSync(file, 'x');
          setInterval(() => existsSync(file) || process.exit(), 20);
        `),
      );
      const late = {
        ok: false,
        error: { kind: 'Unavailable', message: 'signing in to the Kubernetes API took too long' },
      };
      for (const budgetMs of [400, 40, 40]) {
        const beganMs = performance.now();
        assert.deepEqual(await plugged.get(REBALANCE, startDeadline(budgetMs)), late);
        assert.ok(performance.now() - beganMs < budgetMs + 2_000);
      }
      assert.deepEqual([received, runs()], [[], 1]);
    });

    it('by a file of a token, read again when the token is refused', async () => {
      const file = join(directory, 'token');
      writeFileSync(file, 'old\n');
      respond(401, status(401, 'Unauthorized', 'Unauthorized'));
      const byFile = createApi({ tokenFile: 'token', token: 'not this one' });
      await byFile.get(REBALANCE, within());
      writeFileSync(file, 'new\n');
      await byFile.get(REBALANCE, within());
      assert.deepEqual(tokens(), ['Bearer old', 'Bearer new']);
    });

    for (const [name, text, message] of [
      ['empty', ' \n', /^cannot sign in to the Kubernetes API: the kubeconfig's tokenFile \S+ is empty$/],
      [
        'not there',
        undefined,
        /^cannot sign in to the Kubernetes API: cannot read the kubeconfig's tokenFile: ENOENT/,
      ],
    ] as const) {
      it(`by no file that is ${name}`, async () => {
        if (text !== undefined) writeFileSync(join(directory, 'token'), text);
        const result = await createApi({ tokenFile: 'token' }).get(REBALANCE, within());
        assert.ok(!result.ok);
        assert.match(result.error.message, message);
        assert.deepEqual(received, []);
      });
    }

    it('over plain HTTP, as to kubectl proxy', async () => {
      respond(200, JSON.stringify(LIVE));
      const path = kubeconfig({});
      writeFileSync(path, readFileSync(path, 'utf8').replace(',"insecure-skip-tls-verify":true', ''));
      assert.doesNotMatch(readFileSync(path, 'utf8'), /insecure/);
      const created = createKubernetesApi(
        { kind: 'Kubeconfig', paths: [path] },
        { onEventLost: () => undefined },
      );
      assert.ok(created.ok && (await created.value.get(REBALANCE, within())).ok);
    });

    it('with nothing where the context names no user', async () => {
      respond(200, JSON.stringify(LIVE));
      const path = kubeconfig({ token: 't0ken' });
      writeFileSync(path, readFileSync(path, 'utf8').replace('"user":"test"', '"namespace":"default"'));
      const created = createKubernetesApi(
        { kind: 'Kubeconfig', paths: [path] },
        { onEventLost: () => undefined },
      );
      assert.ok(created.ok);
      assert.ok((await created.value.get(REBALANCE, within())).ok);
      assert.deepEqual(tokens(), [undefined]);
    });
  });

  describe('counts', () => {
    const within = () => startDeadline(20_000);
    const rows = [
      { name: 'a GET', call: () => api.get(REBALANCE, within()), expected: 'get rebalances' },
      {
        name: 'a GET of a Secret',
        call: () => api.getSecret('default', 'aws', within()),
        expected: 'get secrets',
      },
      { name: 'a LIST', call: () => api.list(REBALANCE, within()), expected: 'list rebalances' },
      {
        name: 'a PATCH',
        call: () =>
          api.label(
            { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' },
            { key: 'controller-uid', value: 'u-2' },
            { uid: 'u-1', resourceVersion: '7' },
            within(),
          ),
        expected: 'patch deployments',
      },
      {
        name: 'a DELETE',
        call: () =>
          api.deleteAlone(
            { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' },
            { uid: 'u-1', resourceVersion: '7' },
            within(),
          ),
        expected: 'delete deployments',
      },
      {
        name: 'a kind that the hooks do not know, as other: a label has few values whatever is asked for',
        call: () => api.get({ ...REBALANCE, kind: 'Forged' }, within()),
        expected: 'get other',
      },
    ];
    for (const { name, call, expected } of rows) {
      it(name, async () => {
        respond(200, JSON.stringify({ ...LIVE, items: [] }));
        await call();
        assert.deepEqual(counts, [`${expected} ok`]);
      });
    }

    it('each page of a list, up to the one that fails', async () => {
      const bodies = ['a', 'b'].map((next) => JSON.stringify({ metadata: { continue: next }, items: [] }));
      answer = (response) => {
        const body = bodies.shift();
        const code = body === undefined ? 403 : 200;
        response
          .writeHead(code, { 'content-type': 'application/json' })
          .end(body ?? status(403, 'Forbidden', 'rebalances is forbidden'));
      };
      await api.list(REBALANCE, within());
      assert.deepEqual(counts, ['list rebalances ok', 'list rebalances ok', 'list rebalances forbidden']);
    });

    it('each outcome by its kind, and what was never answered as unavailable', async () => {
      for (const [code, reason] of [
        [404, 'NotFound'],
        [403, 'Forbidden'],
        [409, 'Conflict'],
        [500, 'InternalError'],
      ] as const) {
        respond(code, status(code, reason, 'no'));
        await api.get(REBALANCE, within());
      }
      await server.stop();
      await api.get(REBALANCE, within());
      assert.deepEqual(
        counts,
        ['not_found', 'forbidden', 'conflict', 'unavailable', 'unavailable'].map(
          (outcome) => `get rebalances ${outcome}`,
        ),
      );
    });

    it('Events, new ones and those that count up', async () => {
      respond(201, JSON.stringify({ metadata: { name: 'example.1' } }));
      api.record(EVENT);
      api.record(EVENT);
      await until('two Events', () => counts.length === 2);
      assert.deepEqual(counts, ['create events ok', 'patch events ok']);
    });
  });

  describe('with an exec plugin', () => {
    const signIn = (command: string, ...args: readonly string[]) =>
      createApi({ exec: { apiVersion: 'client.authentication.k8s.io/v1', command, args } });

    it('that gives no JSON does not tell what it gave', async () => {
      assert.deepEqual(await signIn('echo', 'hunter2').get(REBALANCE, startDeadline(5_000)), {
        ok: false,
        error: {
          kind: 'Unavailable',
          message:
            'cannot sign in to the Kubernetes API: the kubeconfig\'s plugin "echo" printed no ExecCredential of client.authentication.k8s.io/v1',
        },
      });
    });
  });

  describe('is not made', () => {
    const create = (text: string): unknown => {
      const path = join(directory, 'kubeconfig');
      writeFileSync(path, text);
      const created = createKubernetesApi(
        { kind: 'Kubeconfig', paths: [path] },
        { onEventLost: () => undefined },
      );
      return created.ok ? 'made' : created.error;
    };

    it('from a file that is not there', () => {
      const created = createKubernetesApi(
        { kind: 'Kubeconfig', paths: ['/nonexistent/kubeconfig'] },
        { onEventLost: () => undefined },
      );
      assert.ok(!created.ok);
      assert.equal(created.error, 'there is no such file');
    });

    it('from a file that is no YAML', () => {
      assert.match(String(create('clusters: [')), /^the kubeconfig .*kubeconfig is no YAML: /);
    });

    it('from a file that is no YAML, which is not quoted', () => {
      for (const text of [
        'users:\n- user:\n    token: hunter2\n   bad',
        '{"token": "hunter2"]',
        'token: "hunter2',
      ])
        assert.match(String(create(text)), /^the kubeconfig \S+ is no YAML: (?!.*hunter2)/);
    });

    it('from a file without a current context', () => {
      assert.equal(
        create('{"clusters":[],"contexts":[],"users":[]}'),
        'the kubeconfig has no current-context: kubectl config use-context sets one',
      );
    });
  });

  describe('records an Event', () => {
    it('as core/v1, in the namespace of what it regards', async () => {
      respond(201, '{}');
      api.record(EVENT);
      await until('the Event', () => received.length === 1);
      assert.equal(received[0]?.path, '/api/v1/namespaces/default/events');
      assert.deepEqual(JSON.parse(received[0].body), {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { generateName: 'example.', namespace: 'default' },
        involvedObject: { ...REBALANCE, uid: 'u-1' },
        type: 'Normal',
        reason: 'WeightChanged',
        message: 'weight 8 -> 16',
        source: { component: 'counterpoise' },
        reportingComponent: 'counterpoise',
        firstTimestamp: '2026-11-30T15:42:06Z',
        lastTimestamp: '2026-11-30T15:42:06Z',
        count: 1,
      });
      assert.deepEqual(lost, []);
    });

    it('in order, and cuts what Kubernetes would refuse', async () => {
      respond(201, '{}');
      for (const reason of ['First', 'Second', 'Third'])
        api.record({ ...EVENT, reason, message: 'x'.repeat(2000) });
      await until('three Events', () => received.length === 3);
      const bodies = received.map(({ body }) => JSON.parse(body) as { reason: string; message: string });
      assert.deepEqual(
        bodies.map(({ reason }) => reason),
        ['First', 'Second', 'Third'],
      );
      assert.equal(bodies[0]?.message.length, 1024);
    });

    it('or says that it is lost, and goes on', async () => {
      respond(403, status(403, 'Forbidden', 'events is forbidden'));
      api.record(EVENT);
      await until('the loss', () => lost.length === 1);
      assert.deepEqual(lost, [
        'Event WeightChanged of Rebalance default/example is lost: events is forbidden',
      ]);
    });

    it('or drops it when a hundred wait already', async () => {
      answer = undefined;
      for (let count = 0; count < 103; count += 1) api.record(EVENT);
      await until('the first request', () => received.length === 1);
      assert.deepEqual(
        lost,
        Array(lost.length).fill(
          'Event WeightChanged of Rebalance default/example is lost: 100 Events wait already',
        ),
      );
      assert.ok(lost.length >= 2, `lost ${lost.length}`);
    });
  });
});
