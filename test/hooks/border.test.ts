import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { createApp } from '../../src/app.ts';
import { HTTP_ERRORS, type HttpErrorReason } from '../../src/hooks/errors.ts';
import type { Hook, HookAnswer } from '../../src/hooks/hook.ts';
import { testDeps, testSettings, type TestDeps } from '../support/deps.ts';

const METADATA = { name: 'example', namespace: 'default', uid: 'u-1', generation: 3 };
const BODY = { parent: { metadata: METADATA }, children: {}, finalizing: false };

const answered: HookAnswer = {
  kind: 'Answered',
  response: { status: { ok: true }, children: [], resyncAfterSeconds: 5 },
  log: {
    reason: 'Fine',
    because: 'nothing\nis wrong',
    facts: { weight: 8, note: 'a\tb' },
    stagesMs: { metric: 12.345 },
  },
};

function appWith(hook: Hook, deps: TestDeps = testDeps()) {
  return request(createApp(deps, { hooks: { balancer: hook, rebalance: hook } }));
}

const fine: Hook = () => Promise.resolve(answered);

function post(hook: Hook, deps?: TestDeps) {
  return appWith(hook, deps).post('/balancer/sync').set('Content-Type', 'application/json');
}

describe('the border', () => {
  describe('answers a sync', () => {
    it('with the JSON of the hook and nothing that express would add', async () => {
      const response = await post(fine).send(JSON.stringify(BODY));
      assert.equal(response.status, 200);
      assert.equal(response.text, '{"status":{"ok":true},"children":[],"resyncAfterSeconds":5}');
      assert.match(response.headers['content-type'] ?? '', /^application\/json/);
      assert.equal(response.headers['etag'], undefined);
      assert.equal(response.headers['x-powered-by'], undefined);
    });

    it('with one log line of what was decided, cleaned', async () => {
      const deps = testDeps();
      await post(fine, deps).send(JSON.stringify(BODY));
      assert.equal(deps.lines.length, 1);
      const { time, ms, ...line } = deps.lines[0] ?? {};
      assert.equal(typeof time, 'string');
      assert.deepEqual(Object.keys(ms as object), ['parse', 'hook', 'respond', 'metric']);
      assert.deepEqual(line, {
        level: 'info',
        hook: 'balancer',
        parent: { namespace: 'default', name: 'example', uid: 'u-1' },
        generation: 3,
        outcome: 'answered',
        reason: 'Fine',
        because: 'nothing is wrong',
        facts: { weight: 8, note: 'a b' },
        msg: 'sync',
      });
    });

    it('and counts it by hook, outcome and stage', async () => {
      const deps = testDeps();
      await post(fine, deps).send(JSON.stringify(BODY));
      const text = await deps.metrics.registry.metrics();
      assert.match(text, /counterpoise_hook_requests_total\{hook="balancer",outcome="answered"\} 1/);
      for (const stage of ['parse', 'hook', 'respond', 'metric', 'total']) {
        assert.match(
          text,
          new RegExp(`_seconds_count\\{hook="balancer",stage="${stage}",outcome="answered"\\} 1`),
        );
      }
    });

    it('giving the hook one time and a deadline of the budget', async () => {
      const seen: unknown[] = [];
      const hook: Hook = (sync, { nowMs, deadline }) => {
        seen.push(sync.parent.metadata.name, nowMs, deadline.remainingMs() <= 4000, deadline.signal.aborted);
        return Promise.resolve(answered);
      };
      await post(hook, testDeps({ settings: testSettings('--hook-budget=4s') })).send(JSON.stringify(BODY));
      assert.deepEqual(seen, ['example', Date.parse('2026-01-05T12:00:00Z'), true, false]);
    });

    const readable: readonly {
      readonly name: string;
      readonly body: string;
    }[] = [
      { name: 'after a byte order mark', body: `\uFEFF${JSON.stringify(BODY)}` },
      {
        name: 'with duplicate keys, the last one holding',
        body: `{"parent":1,"parent":${JSON.stringify(BODY.parent)}}`,
      },
      {
        name: 'with keys that would reach a prototype',
        body: `{"parent":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"metadata":{"name":"a","namespace":"b","uid":"c","__proto__":{"polluted":1}}},"children":{"__proto__":{"x":{"apiVersion":"v1","kind":"Service","metadata":{"name":"y"}}}}}`,
      },
      {
        name: 'with huge numbers',
        body: `{"parent":{"metadata":{"name":"a","namespace":"b","uid":"c"},"spec":{"n":1e999,"m":${'9'.repeat(400)}}}}`,
      },
      {
        name: 'nested deeper than any stack, where nothing reads it',
        body: `{"parent":{"metadata":{"name":"a","namespace":"b","uid":"c"},"spec":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
      },
    ];
    for (const { name, body } of readable) {
      it(name, async () => {
        const response = await post(fine)
          .serialize((raw: unknown) => raw as string)
          .send(body);
        assert.equal(response.text, '{"status":{"ok":true},"children":[],"resyncAfterSeconds":5}');
        assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
      });
    }
  });

  describe('refuses in one line', () => {
    /** No sync of a hook that is served: nothing is logged, whoever asks. */
    const NO_SYNC = new Set<HttpErrorReason>(['MethodNotAllowed', 'PathNotFound', 'HookNotServed']);
    const small = testSettings('--body-limit=1KiB', '--hooks=balancer');
    const rows: readonly {
      readonly name: string;
      readonly reason: HttpErrorReason;
      readonly says: RegExp;
      readonly send: (hook: Hook, deps: TestDeps) => request.Test;
    }[] = [
      {
        name: 'a body that is no JSON, without quoting it',
        reason: 'InvalidJson',
        says: /^the body is not JSON$/,
        send: (hook, deps) => post(hook, deps).send('{"a": secret}'),
      },
      {
        name: 'a body that breaks in its middle',
        reason: 'InvalidJson',
        says: /^the body is not JSON: it breaks at position 8$/,
        send: (hook, deps) => post(hook, deps).send('{"a": 1 "b"'),
      },
      {
        name: 'a body that ends early',
        reason: 'InvalidJson',
        says: /^the body is not JSON: it ends too early$/,
        send: (hook, deps) => post(hook, deps).send('{"parent":'),
      },
      {
        name: 'no body at all',
        reason: 'InvalidJson',
        says: /^the body is not JSON: it ends too early$/,
        send: (hook, deps) => post(hook, deps),
      },
      {
        name: 'bytes that are not UTF-8',
        reason: 'InvalidUtf8',
        says: /^the body is not UTF-8$/,
        send: (hook, deps) =>
          post(hook, deps)
            .serialize((raw: unknown) => raw as string)
            .send(Buffer.from([0x7b, 0xff, 0x7d])),
      },
      {
        name: 'an envelope without a name',
        reason: 'InvalidEnvelope',
        says: /^the body is not a sync request: parent\.metadata\.name: /,
        send: (hook, deps) => post(hook, deps).send('{"parent":{"metadata":{}}}'),
      },
      {
        name: "the other hook's parent, whose children the answer would delete",
        reason: 'WrongParent',
        says: /^the parent is a Rebalance, and \/balancer\/sync is for a Balancer: correct the webhook's url$/,
        send: (hook, deps) =>
          post(hook, deps).send(JSON.stringify({ ...BODY, parent: { kind: 'Rebalance', ...BODY.parent } })),
      },
      {
        name: 'a list',
        reason: 'InvalidEnvelope',
        says: /^the body is not a sync request: body: /,
        send: (hook, deps) => post(hook, deps).send('[]'),
      },
      {
        name: 'a body over the limit',
        reason: 'BodyTooLarge',
        says: /^the body is larger than 1024 bytes, see --body-limit$/,
        send: (hook, deps) => post(hook, deps).send(JSON.stringify({ pad: 'x'.repeat(2000) })),
      },
      {
        name: 'a compressed body, however large it would be',
        reason: 'UnsupportedEncoding',
        says: /^the body is compressed: send it as it is, without a Content-Encoding$/,
        send: (hook, deps) =>
          post(hook, deps)
            .set('Content-Encoding', 'gzip')
            .serialize((raw: unknown) => raw as string)
            .send(gzipSync('x'.repeat(100_000))),
      },
      {
        name: "curl's default media type",
        reason: 'UnsupportedMediaType',
        says: /send Content-Type: application\/json$/,
        send: (hook, deps) =>
          post(hook, deps).set('Content-Type', 'application/x-www-form-urlencoded').send('{}'),
      },
      {
        name: 'JSON in another charset',
        reason: 'UnsupportedMediaType',
        says: /send Content-Type: application\/json$/,
        send: (hook, deps) =>
          post(hook, deps).set('Content-Type', 'application/json; charset=latin1').send('{}'),
      },
      {
        name: 'another method',
        reason: 'MethodNotAllowed',
        says: /^\/balancer\/sync takes POST$/,
        send: (hook, deps) => appWith(hook, deps).get('/balancer/sync'),
      },
      {
        name: 'a POST to a health check',
        reason: 'MethodNotAllowed',
        says: /^\/healthz takes GET, HEAD$/,
        send: (hook, deps) => appWith(hook, deps).post('/healthz'),
      },
      {
        name: 'another path, cleaned',
        reason: 'PathNotFound',
        says: /^nothing is served at \/sync%0A; there are \/balancer\/sync, /,
        send: (hook, deps) => appWith(hook, deps).post('/sync%0A'),
      },
      {
        name: 'a path in other letters',
        reason: 'PathNotFound',
        says: /^nothing is served at \/Balancer\/sync\/; /,
        send: (hook, deps) => appWith(hook, deps).post('/Balancer/sync/'),
      },
      {
        name: 'a hook that this process does not serve',
        reason: 'HookNotServed',
        says: /^this process serves --hooks=balancer only$/,
        send: (hook, deps) => appWith(hook, deps).post('/rebalance/sync'),
      },
    ];
    for (const { name, reason, says, send } of rows) {
      it(`${name}: ${reason}`, async () => {
        const deps = testDeps({ settings: small });
        const never: Hook = () => assert.fail('the hook was called');
        const response = await send(never, deps);
        assert.equal(response.status, HTTP_ERRORS[reason].status);
        assert.match(response.headers['content-type'] ?? '', /^text\/plain/);
        assert.match(response.text, /^[^\n]+\n$/, 'one line');
        assert.match(response.text.trimEnd(), says);
        if (response.status === 405) assert.ok(response.headers['allow']);
        assert.deepEqual(
          deps.lines.map((line) => [line['level'], line['reason']]),
          NO_SYNC.has(reason) ? [] : [['warn', reason]],
        );
      });
    }

    it('a body of more values than any has, however small they are: BodyTooFull', async () => {
      const never: Hook = () => assert.fail('the hook was called');
      const full = (values: number): string => `[${'1,'.repeat(values - 1)}1]`;
      const deps = testDeps();
      const refused = await post(never, deps).send(full(100_001));
      assert.equal(refused.status, 413);
      assert.equal(
        refused.text,
        'the body holds more than 100000 values: look for children that nobody wants\n',
      );
      const read = await post(never, deps).send(full(100_000));
      assert.match(read.text, /^the body is not a sync request: body: /);
    });

    const deeps: readonly (readonly [name: string, level: string, end: string])[] = [
      ['', '[', ']'],
      [', whatever braces its texts have', '{"}}]]":', '}'],
      [', whatever quotes its texts have', String.raw`{"\\\"}]":`, '}'],
    ];
    for (const [name, level, end] of deeps) {
      it(`a body that overflows the stack of whoever reads it${name}`, async () => {
        const recursive: Hook = (sync) => {
          JSON.stringify(sync.parent.spec);
          return Promise.resolve(answered);
        };
        const spec = `${level.repeat(50_000)}0${end.repeat(50_000)}`;
        const deep = `{"parent":{"metadata":{"name":"a","namespace":"b","uid":"c"},"spec":${spec}}}`;
        const response = await post(recursive).send(deep);
        assert.deepEqual([response.status, response.text], [400, 'the body is nested too deeply\n']);
      });
    }

    it('but not one that overflows nothing of its own: braces in a text are no depth', async () => {
      const overflow: Hook = () => Promise.reject(new RangeError('Maximum call stack size exceeded'));
      const body = { ...BODY, pad: '{['.repeat(2_000) };
      assert.equal((await post(overflow).send(JSON.stringify(body))).status, 500);
    });

    it('what must be known and could not be read: 503', async () => {
      const deps = testDeps();
      const response = await post(
        () => Promise.resolve({ kind: 'Unavailable', message: 'no\nAPI' }),
        deps,
      ).send(JSON.stringify(BODY));
      assert.deepEqual([response.status, response.text], [503, 'no API\n']);
      assert.equal(deps.lines[0]?.['outcome'], 'unavailable');
    });
  });

  describe('turns a bug into a 500', () => {
    const secret = 'hunter2';
    const shallowOverflow: Hook = () => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    const bugs: readonly { readonly name: string; readonly hook: Hook }[] = [
      { name: 'a throw', hook: () => Promise.reject(new Error(secret)) },
      {
        name: 'a throw before any promise',
        hook: () => {
          throw new Error(secret);
        },
      },
      { name: 'an overflow that no body caused', hook: shallowOverflow },
      {
        name: 'an answer that breaks the rules',
        hook: () => Promise.resolve({ ...answered, response: { status: { a: null }, children: [] } }),
      },
    ];
    for (const { name, hook } of bugs) {
      it(`${name}: an incident id for the caller, the stack for the log alone, counted`, async () => {
        const deps = testDeps();
        const response = await post(hook, deps).send(JSON.stringify(BODY));
        assert.equal(response.status, 500);
        const incident =
          /^internal error, incident ([0-9a-f]{8}): the log of counterpoise has the details\n$/.exec(
            response.text,
          )?.[1];
        const [line] = deps.lines;
        assert.equal(line?.['incident'], incident);
        assert.match((line?.['err'] as { stack: string }).stack, /\n {4}at /);
        assert.match(await deps.metrics.registry.metrics(), /^counterpoise_bugs_total 1$/m);
      });
    }

    it('outside a sync too', async () => {
      const deps = testDeps();
      deps.metrics.registry.metrics = () => Promise.reject(new Error('broken registry'));
      const response = await appWith(fine, deps).get('/metrics');
      assert.match(response.text, /^internal error, incident [0-9a-f]{8}:/);
      assert.equal(response.status, 500);
      assert.equal(deps.lines[0]?.['msg'], 'request');
    });
  });

  describe('tells how the process is', () => {
    it('metrics: no sync yet, of the hooks that it serves: that none comes is an alert', async () => {
      const deps = testDeps({ settings: testSettings('--hooks=rebalance') });
      const { text } = await appWith(fine, deps).get('/metrics');
      const counted = [
        ...text.matchAll(/^counterpoise_hook_requests_total\{hook="(\w+)",outcome="(\w+)"\} (\d+)$/gm),
      ];
      assert.deepEqual(
        counted.map(([, hook = '', outcome = '', count = '']) => `${hook} ${outcome} ${count}`),
        ['answered', 'refused', 'shed', 'unavailable', 'failed'].map((outcome) => `rebalance ${outcome} 0`),
      );
    });

    it('healthz: alive', async () => {
      const response = await appWith(fine).get('/healthz');
      assert.deepEqual([response.status, response.text], [200, 'ok\n']);
      assert.equal((await appWith(fine).head('/healthz')).status, 200);
    });

    it('readyz: the Rebalance hook verifies its parents and so needs a Kubernetes API', async () => {
      const response = await appWith(fine).get('/readyz');
      assert.equal(response.status, 503);
      assert.match(response.text, /^not ready: the Rebalance hook has no Kubernetes API: set --kubeconfig/);
    });

    for (const flag of ['--verify-parent=false', '--hooks=balancer']) {
      it(`readyz: ready without a Kubernetes API under ${flag}`, async () => {
        const response = await appWith(fine, testDeps({ settings: testSettings(flag) })).get('/readyz');
        assert.deepEqual([response.status, response.text], [200, 'ok\n']);
      });
    }

    it('readyz: not while stopping', async () => {
      const deps = testDeps({ settings: testSettings('--verify-parent=false') });
      const app = createApp(deps, { isDraining: () => true });
      const response = await request(app).get('/readyz');
      assert.deepEqual([response.status, response.text], [503, 'not ready: stopping\n']);
    });

    it('metrics: ours and the process', async () => {
      const response = await appWith(fine).get('/metrics');
      assert.match(response.text, /^# TYPE rebalancer_available gauge$/m);
      assert.match(response.text, /^process_cpu_seconds_total /m);
    });
  });
});
