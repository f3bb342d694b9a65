import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { readAnswer } from '../../../src/rebalance/metrics/prometheus-answer.ts';
import { createPrometheus } from '../../../src/rebalance/metrics/prometheus.ts';
import type { PrometheusMetric } from '../../../src/rebalance/spec.ts';
import { callContext, secretsOf } from '../../support/call-context.ts';
import { listen } from '../../support/listen.ts';
import {
  apiError,
  delayed,
  hang,
  html,
  matrix,
  noSeries,
  raw,
  redirect,
  reset,
  scalar,
  startPrometheusStandIn,
  text,
  vector,
  withWarnings,
  type PrometheusAnswer,
  type PrometheusStandIn,
} from '../../support/prometheus-stand-in.ts';
import { QUERY, readMetric as read } from '../../support/read-metric.ts';

const basicAuth: PrometheusMetric['auth'] = {
  kind: 'Basic',
  user: { name: 'prometheus', key: 'user' },
  password: { name: 'prometheus', key: 'password' },
};

describe('Prometheus', () => {
  let prometheus: PrometheusStandIn;
  beforeEach(async () => {
    prometheus = await startPrometheusStandIn();
  });
  afterEach(() => prometheus.stop());

  describe('reads the answer', () => {
    const query = 'spec.metrics.prometheus.query';
    const address = 'spec.metrics.prometheus.address';
    const rows: readonly { name: string; answer: PrometheusAnswer; expected: readonly string[] }[] = [
      { name: 'a scalar is a value', answer: scalar(3000), expected: ['Value', '3000'] },
      {
        name: 'a vector of exactly one series is a value (s8: the original takes scalars only)',
        answer: vector('0.11'),
        expected: ['Value', '0.11'],
      },
      { name: 'an exponent is kept as written', answer: scalar('1e+06'), expected: ['Value', '1e+06'] },
      {
        name: 'more digits than a float has are kept',
        answer: scalar('0.12345678901234567890'),
        expected: ['Value', '0.12345678901234567890'],
      },
      { name: 'a negative number is a number', answer: scalar(-2), expected: ['Value', '-2'] },
      {
        name: 'an absent series is no data (s15: the original writes weight 0 and says Healthy)',
        answer: noSeries,
        expected: ['NoSeries', `${query}: the result has no series`],
      },
      {
        name: 'NaN is no data (s15: the original writes weight 0 and says Healthy)',
        answer: scalar('NaN'),
        expected: ['NotANumber', `${query}: the result is NaN`],
      },
      {
        name: '+Inf in a scalar is infinite, not NaN (s15: the original writes weight 0 and says Healthy)',
        answer: scalar('+Inf'),
        expected: ['InfiniteValue', `${query}: the result is +Inf; guard the query against division by zero`],
      },
      {
        name: '+Inf in a vector is infinite although prometheus-query makes it NaN',
        answer: vector('+Inf'),
        expected: ['InfiniteValue', `${query}: the result is +Inf; guard the query against division by zero`],
      },
      {
        name: '-Inf is infinite',
        answer: vector('-Inf'),
        expected: ['InfiniteValue', `${query}: the result is -Inf; guard the query against division by zero`],
      },
      {
        name: 'several series are counted',
        answer: vector(1, 2),
        expected: [
          'SeveralSeries',
          `${query}: the result has 2 series, expected one; aggregate them, for example with sum(...)`,
        ],
      },
      {
        name: 'one warning beside a value means that data is missing',
        answer: withWarnings(scalar(3), 'remote read of shard 2 failed'),
        expected: [
          'PartialData',
          `${query}: Prometheus warns that the result is incomplete: remote read of shard 2 failed`,
        ],
      },
      {
        name: 'more warnings are counted, also beside an empty result',
        answer: withWarnings(noSeries, 'a', 'b', 'c'),
        expected: ['PartialData', `${query}: Prometheus warns that the result is incomplete: a (and 2 more)`],
      },
      {
        name: 'infos are hints about the query, not missing data',
        answer: {
          kind: 'Success',
          data: { resultType: 'scalar', result: [1, '3'] },
          infos: ['metric might not be a counter'],
        },
        expected: ['Value', '3'],
      },
      {
        name: 'a range is no number',
        answer: matrix,
        expected: [
          'WrongResultType',
          `${query}: the result is a range of samples, expected a scalar or a vector of one series`,
        ],
      },
      {
        name: 'a string is no number',
        answer: text,
        expected: [
          'WrongResultType',
          `${query}: the result is a string, expected a scalar or a vector of one series`,
        ],
      },
      {
        name: 'a native histogram is no number',
        answer: {
          kind: 'Success',
          data: { resultType: 'vector', result: [{ metric: {}, histogram: [1, {}] }] },
        },
        expected: [
          'WrongResultType',
          `${query}: the result is a histogram, expected a scalar or a vector of one series`,
        ],
      },
      {
        name: "a 4xx carries Prometheus' own words and type",
        answer: apiError(
          400,
          'bad_data',
          'invalid parameter "query": 1:5: parse error: unclosed left parenthesis',
        ),
        expected: [
          'QueryRejected',
          `${query}: Prometheus answered HTTP 400, bad_data: invalid parameter "query": 1:5: parse error: unclosed left parenthesis`,
        ],
      },
      {
        name: "a 5xx carries Prometheus' own words and type",
        answer: apiError(503, 'timeout', 'query timed out in expression evaluation'),
        expected: [
          'QueryRejected',
          `${query}: Prometheus answered HTTP 503, timeout: query timed out in expression evaluation`,
        ],
      },
      {
        name: 'words of several lines become one clean line',
        answer: apiError(422, 'execution', 'found duplicate series\n\tfor the match group\u0007'),
        expected: [
          'QueryRejected',
          `${query}: Prometheus answered HTTP 422, execution: found duplicate series for the match group`,
        ],
      },
      {
        name: 'a 401 in JSON points at the credentials',
        answer: apiError(401, 'unauthorized', 'no org id'),
        expected: [
          'QueryRejected',
          'spec.metrics.prometheus.auth: Prometheus answered HTTP 401, unauthorized: no org id',
        ],
      },
      {
        name: 'a 401 of a proxy points at the credentials',
        answer: raw(401, 'text/plain', 'Unauthorized'),
        expected: [
          'QueryRejected',
          'spec.metrics.prometheus.auth: HTTP 401, the credentials are missing or wrong: Unauthorized',
        ],
      },
      {
        name: 'a 403 page of a proxy points at the credentials and keeps its HTML out',
        answer: html(403),
        expected: [
          'QueryRejected',
          'spec.metrics.prometheus.auth: HTTP 403, the credentials are missing or wrong',
        ],
      },
      {
        name: 'a 502 page of a proxy is an HTTP error without words',
        answer: html(502),
        expected: ['QueryRejected', `${address}: HTTP 502 without an error of Prometheus`],
      },
      {
        name: 'a redirect is not followed, and tells its host alone',
        answer: redirect('http://elsewhere.example/login?state=s3cret'),
        expected: [
          'NotPrometheus',
          `${address}: HTTP 302, a redirect to elsewhere.example, which is not followed; name the final address`,
        ],
      },
      {
        name: 'a redirect to another path of the same host is not followed either',
        answer: redirect('/prometheus/'),
        expected: [
          'NotPrometheus',
          `${address}: HTTP 302, a redirect, which is not followed; name the final address`,
        ],
      },
      {
        name: 'a web page with status 200 is not Prometheus',
        answer: html(),
        expected: [
          'NotPrometheus',
          `${address}: the answer is not one of Prometheus' API (text/html); check host, port and path`,
        ],
      },
      {
        name: 'other JSON with status 200 is not Prometheus',
        answer: raw(200, 'application/json', '{"hello":"world"}'),
        expected: [
          'NotPrometheus',
          `${address}: the answer is not one of Prometheus' API (application/json); check host, port and path`,
        ],
      },
      {
        name: 'an empty answer is not Prometheus',
        answer: { kind: 'Raw', httpStatus: 200, headers: {}, body: '' },
        expected: [
          'NotPrometheus',
          `${address}: the answer is not one of Prometheus' API (no content type); check host, port and path`,
        ],
      },
      {
        name: 'a sample that is no text is not Prometheus',
        answer: { kind: 'Success', data: { resultType: 'scalar', result: [1, 3] } },
        expected: [
          'NotPrometheus',
          `${address}: the answer is not one of Prometheus' API (application/json); check host, port and path`,
        ],
      },
      {
        name: 'an answer beyond 256 KiB is no number',
        answer: raw(200, 'application/json', ' '.repeat(256 * 1024 + 1)),
        expected: [
          'WrongResultType',
          `${query}: the answer is larger than 256 KiB, expected one number; aggregate the series`,
        ],
      },
    ];
    for (const { name, answer, expected } of rows) {
      it(name, async () => {
        prometheus.set(QUERY, answer);
        assert.deepEqual(await read({ address: prometheus.url }), expected);
      });
    }
  });

  describe('asks', () => {
    it('sends the query alone: no time, so that Prometheus evaluates at its own now', async () => {
      await read({ address: prometheus.url });
      assert.deepEqual(
        prometheus.requests.map(({ method, path, parameters }) => [method, path, parameters.toString()]),
        [['GET', '/api/v1/query', new URLSearchParams({ query: QUERY }).toString()]],
      );
    });

    it('sends the headers and parameters of the object, and cannot lose the query to them', async () => {
      await read({
        address: prometheus.url,
        headers: { 'X-Scope-OrgID': 'tenant-1' },
        queryParams: { dedup: 'true', query: 'other' },
      });
      const [request] = prometheus.requests;
      assert.equal(request?.headers['x-scope-orgid'], 'tenant-1');
      assert.equal(request.headers['user-agent'], 'counterpoise');
      assert.deepEqual(Object.fromEntries(request.parameters), { dedup: 'true', query: QUERY });
    });

    const prefixes = [
      { name: 'a path prefix is kept', prefix: '/prometheus', suffix: '/prometheus' },
      { name: 'a slash at the end makes no difference', prefix: '/prometheus', suffix: '/prometheus/' },
      { name: 'two slashes at the end make no difference', prefix: '', suffix: '//' },
      { name: 'nor do three after a prefix', prefix: '/prometheus', suffix: '/prometheus///' },
      { name: 'a query in the address is dropped', prefix: '', suffix: '/?x=1' },
    ];
    for (const { name, prefix, suffix } of prefixes) {
      it(name, async () => {
        const prefixed = await startPrometheusStandIn({ prefix });
        prefixed.set(QUERY, scalar(3));
        const got = await read({ address: `${prefixed.url}${suffix}` });
        await prefixed.stop();
        assert.deepEqual(got, ['Value', '3']);
      });
    }

    it('a path without Prometheus behind it says so', async () => {
      assert.deepEqual(await read({ address: `${prometheus.url}/graph` }), [
        'QueryRejected',
        'spec.metrics.prometheus.address: HTTP 404, no Prometheus API at this path; check the path prefix: 404 page not found',
      ]);
    });

    it('uses one connection for many evaluations (s17: the original opened 1,796 for 200 objects)', async () => {
      const source = createPrometheus();
      prometheus.set(QUERY, scalar(3));
      for (let evaluation = 0; evaluation < 20; evaluation += 1)
        await read({ address: prometheus.url }, callContext(), source);
      assert.equal(prometheus.requests.length, 20);
      assert.equal(prometheus.connections(), 1);
    });
  });

  describe('signs in', () => {
    const basic = (user: string, password: string): string =>
      `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const sent = (): string | undefined => prometheus.requests[0]?.headers.authorization;

    it('with user and password of the Secret', async () => {
      const secrets = secretsOf({ 'prometheus/user': 'ann', 'prometheus/password': 's3cr:et' });
      await read({ address: prometheus.url, auth: basicAuth }, callContext({ secrets }));
      assert.equal(sent(), basic('ann', 's3cr:et'));
    });

    it('with an empty password, which prometheus-query alone would drop with the user', async () => {
      const secrets = secretsOf({ 'prometheus/user': 'ann', 'prometheus/password': '' });
      await read({ address: prometheus.url, auth: basicAuth }, callContext({ secrets }));
      assert.equal(sent(), basic('ann', ''));
    });

    it('with user and password of the address', async () => {
      await read({ address: prometheus.url.replace('://', '://ann:p%40ss@') });
      assert.equal(sent(), basic('ann', 'p@ss'));
    });

    it('with the login of the address, which is not told where the server quotes it', async () => {
      prometheus.setDefault(raw(401, 'text/plain', `p@ss of ${basic('ann', 'p@ss')} is wrong`));
      assert.deepEqual(await read({ address: prometheus.url.replace('://', '://ann:p%40ss@') }), [
        'QueryRejected',
        'spec.metrics.prometheus.auth: HTTP 401, the credentials are missing or wrong: *** of Basic *** is wrong',
      ]);
    });

    it('with the bearer token of the Secret, without the line break that an editor added', async () => {
      const secrets = secretsOf({ 'prometheus/token': 'eyJ.abc-_~+/=\n' });
      const auth = { kind: 'Bearer', token: { name: 'prometheus', key: 'token' } } as const;
      await read({ address: prometheus.url, auth }, callContext({ secrets }));
      assert.equal(sent(), 'Bearer eyJ.abc-_~+/=');
    });

    it('in spite of a login in the address', async () => {
      const secrets = secretsOf({ 'prometheus/token': 'abc' });
      const auth = { kind: 'Bearer', token: { name: 'prometheus', key: 'token' } } as const;
      const address = prometheus.url.replace('://', '://ann:pass@');
      await read({ address, auth }, callContext({ secrets }));
      assert.equal(sent(), 'Bearer abc');
    });

    for (const [name, token] of [
      ['of two words', 'abc def'],
      ['that would begin another header', 'abc\r\nX-Other: 1'],
      ['that is empty', '\n'],
    ] as const)
      it(`not with a token ${name}, which is not told`, async () => {
        const secrets = secretsOf({ 'prometheus/token': token });
        const auth = { kind: 'Bearer', token: { name: 'prometheus', key: 'token' } } as const;
        assert.deepEqual(await read({ address: prometheus.url, auth }, callContext({ secrets })), [
          'SecretInvalid',
          'spec.metrics.prometheus.auth.bearerTokenSecretRef: Secret prometheus has something else under "token", expected one word of ASCII characters',
        ]);
        assert.equal(prometheus.requests.length, 0);
      });

    describe('which nobody is told, wherever the server quotes them:', () => {
      // What JSON escapes, and what a cut would leave the half of.
      const password = 'pa"ss\\wörd/1';
      const token = `to/k"e\\n${'x'.repeat(120)}`;
      const secrets = secretsOf({
        'prometheus/user': 'ann',
        'prometheus/password': `${password}\n`,
        'prometheus/token': token,
        'prometheus/short': `${token}${token}`,
      });
      const login = Buffer.from(`ann:${password}\n`).toString('base64');
      const quotes: readonly (readonly [string, (quoted: string) => PrometheusAnswer])[] = [
        ['an error', (quoted) => apiError(422, 'execution', `you sent ${quoted}`)],
        ['an error with status 200', (quoted) => apiError(200, 'execution', `you sent ${quoted}`)],
        ['an error that points at the credentials', (quoted) => apiError(401, 'auth', `no ${quoted}`)],
        ['a type of error', (quoted) => apiError(422, quoted, 'no')],
        ['warnings', (quoted) => withWarnings(scalar(3), `you sent ${quoted}`, 'more')],
        ['a page of text', (quoted) => raw(403, 'text/plain', `${' '.repeat(3)}${'y'.repeat(90)} ${quoted}`)],
        ['a content type', (quoted) => raw(200, `text/html-${quoted.replace(/[^!-~]/g, '')}`, '<')],
      ];
      for (const [where, answer] of quotes)
        it(where, async () => {
          const bearer = { kind: 'Bearer', token: { name: 'prometheus', key: 'token' } } as const;
          const told: string[] = [];
          for (const [auth, secret] of [
            [basicAuth, password],
            [basicAuth, login],
            [bearer, token],
          ] as const) {
            prometheus.setDefault(answer(secret));
            told.push(...(await read({ address: prometheus.url, auth }, callContext({ secrets }))));
          }
          for (const secret of [password, login, token])
            for (const part of [secret, secret.slice(0, 12), secret.slice(-12)])
              assert.ok(!told.join(' ').includes(part), `"${part}" is in: ${told.join(' ')}`);
        });

      it('one that is part of another goes with that', async () => {
        const auth = { kind: 'Bearer', token: { name: 'prometheus', key: 'short' } } as const;
        const address = prometheus.url.replace('://', `://ann:${encodeURIComponent(token)}@`);
        prometheus.setDefault(apiError(422, 'execution', `you sent ${token}${token}`));
        assert.deepEqual(await read({ address, auth }, callContext({ secrets })), [
          'QueryRejected',
          'spec.metrics.prometheus.query: Prometheus answered HTTP 422, execution: you sent ***',
        ]);
      });
    });

    it('not at all when neither names credentials', async () => {
      await read({ address: prometheus.url });
      assert.equal(sent(), undefined);
    });

    it('and asks nothing when the Secret cannot be read', async () => {
      const password = secretsOf({ 'prometheus/user': 'ann' });
      const missing = ['SecretMissing', 'Secret prometheus does not exist'];
      assert.deepEqual(await read({ address: prometheus.url, auth: basicAuth }), missing);
      assert.deepEqual(
        await read({ address: prometheus.url, auth: basicAuth }, callContext({ secrets: password })),
        missing,
      );
      assert.equal(prometheus.requests.length, 0);
    });
  });

  describe('reads of a list the first alone, however many there are:', () => {
    const many = (item: string): string => Array.from({ length: 4_000_000 }, () => item).join();
    const vectorOf = (items: string): string =>
      `{"status":"success","data":{"resultType":"vector","result":[${items}]}}`;
    const warnedOf = (items: string): string =>
      `{"status":"success","data":{"resultType":"scalar","result":[1,"3"]},"warnings":[${items}]}`;
    const rows: readonly (readonly [name: string, body: string, reason: string, message: RegExp])[] = [
      ['series', vectorOf(many('{}')), 'SeveralSeries', /the result has 4000000 series, expected one/],
      ['what is no series', vectorOf(many('1')), 'NotPrometheus', /not one of Prometheus' API/],
      ['warnings', warnedOf(many('""')), 'PartialData', /\(and 3999999 more\)$/],
      ['what is no warning', warnedOf(many('1')), 'NotPrometheus', /not one of Prometheus' API/],
      [
        'no list of warnings',
        warnedOf('').replace('[]', '"a"'),
        'NotPrometheus',
        /not one of Prometheus' API/,
      ],
    ];
    for (const [name, body, reason, message] of rows)
      it(name, () => {
        const read = readAnswer('spec.metrics.prometheus', {
          status: 200,
          contentType: 'application/json',
          location: '',
          awsErrorType: '',
          body,
          conceal: (words) => words,
        });
        assert.ok(!read.ok);
        assert.equal(read.error.reason, reason);
        assert.match(read.error.message, message);
      });
  });

  for (const [encoding, compress] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)
    it(`takes no answer that inflates beyond 256 KiB: ${encoding}`, async () => {
      const inflated = compress(Buffer.alloc(64 * 2 ** 20, ' '));
      const bomb = createHttpServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
        response.end(inflated);
      });
      const listening = await listen(bomb);
      try {
        const [reason, message] = await read({ address: listening.url });
        assert.equal(reason, 'WrongResultType');
        assert.match(message ?? '', /the answer is larger than 256 KiB/);
      } finally {
        await listening.stop();
      }
    });

  describe('when no answer comes', () => {
    it('a refused connection names the address as written, without its credentials', async () => {
      const { url } = prometheus;
      await prometheus.stop();
      assert.deepEqual(await read({ address: url.replace('://', '://ann:s3cret@') }), [
        'MetricUnreachable',
        `spec.metrics.prometheus.address: ${url} refused the connection (ECONNREFUSED)`,
      ]);
    });

    it('a host name that does not resolve is unreachable', async () => {
      const [reason, message] = await read({ address: 'http://prometheus.invalid:9090' });
      assert.equal(reason, 'MetricUnreachable');
      assert.match(
        message ?? '',
        /^spec\.metrics\.prometheus\.address: http:\/\/prometheus\.invalid:9090 has a host name that does not resolve( at the moment)? \((ENOTFOUND|EAI_AGAIN)\)$/,
      );
    });

    it('a connection that is reset is unreachable', async () => {
      prometheus.setDefault(reset);
      assert.deepEqual(await read({ address: prometheus.url }), [
        'MetricUnreachable',
        `spec.metrics.prometheus.address: ${prometheus.url} closed the connection without an answer (ECONNRESET)`,
      ]);
    });

    it('something that does not speak HTTP is not Prometheus', async () => {
      const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const got = await read({ address: url });
      server.close();
      assert.deepEqual(got, [
        'NotPrometheus',
        `spec.metrics.prometheus.address: ${url} does not speak HTTP (HPE_INVALID_CONSTANT)`,
      ]);
    });

    const addresses = ['prometheus:9090', 'ftp://prometheus', 'http://', '%'];
    for (const address of addresses) {
      it(`an address that is no http URL is a failure, not a crash: ${address}`, async () => {
        assert.deepEqual(await read({ address }), [
          'MetricUnreachable',
          'spec.metrics.prometheus.address: not an http or https URL',
        ]);
      });
    }

    it("the object's own timeout ends the call and is named", async () => {
      prometheus.setDefault(hang);
      assert.deepEqual(await read({ address: prometheus.url, timeoutMs: 50 }), [
        'MetricTimeout',
        'spec.metrics.prometheus.timeout: Prometheus did not answer within 0.05s',
      ]);
    });

    const cut = [
      'MetricTimeout',
      "spec.metrics.prometheus.timeout: Prometheus did not answer in time; the timeout was cut to what the hook's budget leaves beside Route 53",
    ];

    it("the hook's budget cuts a longer timeout, keeps 3 s for Route 53, and is named without a number", async () => {
      prometheus.setDefault(hang);
      const context = callContext({ budgetMs: 3_060 });
      assert.deepEqual(await read({ address: prometheus.url, timeoutMs: 30_000 }, context), cut);
      assert.ok(context.deadline.remainingMs() > 2_500, `left ${context.deadline.remainingMs()} ms`);
    });

    it('a budget that leaves nothing is a timeout at once', async () => {
      assert.deepEqual(await read({ address: prometheus.url }, callContext({ budgetMs: 2_000 })), cut);
    });

    it('a slow answer within the timeout is a value', async () => {
      prometheus.set(QUERY, delayed(scalar(3), 30));
      assert.deepEqual(await read({ address: prometheus.url, timeoutMs: 5_000 }), ['Value', '3']);
    });
  });
});
