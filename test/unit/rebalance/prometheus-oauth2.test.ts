import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrometheus } from '../../../src/rebalance/metrics/prometheus.ts';
import type { PrometheusAuth } from '../../../src/rebalance/spec.ts';
import { callContext, secretsOf } from '../../support/call-context.ts';
import { issue, makeCa } from '../../support/certificates.ts';
import {
  startOAuth2StandIn,
  tokenError,
  tokenOf,
  type OAuth2StandIn,
  type TokenAnswer,
} from '../../support/oauth2-stand-in.ts';
import {
  raw,
  scalar,
  startPrometheusStandIn,
  type PrometheusStandIn,
} from '../../support/prometheus-stand-in.ts';
import { readMetric } from '../../support/read-metric.ts';
import { NOON } from '../../support/rebalance.ts';

const FIELD = 'spec.metrics.prometheus.auth.oauth2';
const SECRET = 's3cret:of/the client';

type OAuth2 = Extract<PrometheusAuth, { kind: 'OAuth2' }>;

describe('Prometheus behind OAuth2', () => {
  let oauth2: OAuth2StandIn;
  let prometheus: PrometheusStandIn;
  let nowMs: number;
  /** Tokens that Prometheus does not take. */
  let revoked: readonly string[];
  let source: ReturnType<typeof createPrometheus>;
  beforeEach(async () => {
    nowMs = NOON;
    revoked = [];
    oauth2 = await startOAuth2StandIn();
    prometheus = await startPrometheusStandIn({
      refuse: ({ headers }) =>
        revoked.some((token) => headers.authorization === `Bearer ${token}`)
          ? raw(401, 'text/plain', `no ${headers.authorization ?? ''}`)
          : undefined,
    });
    prometheus.setDefault(scalar(3));
    source = createPrometheus({ clock: { nowMs: () => nowMs } });
  });
  afterEach(async () => {
    await oauth2.stop();
    await prometheus.stop();
  });

  const authOf = (parts: Partial<OAuth2> = {}): OAuth2 => ({
    kind: 'OAuth2',
    tokenUrl: oauth2.url,
    clientId: { name: 'client', key: 'id' },
    clientSecret: { name: 'client', key: 'secret' },
    scopes: [],
    endpointParams: {},
    tls: undefined,
    ...parts,
  });
  const secrets = secretsOf({ 'client/id': 'id', 'client/secret': 's3cret+/=' });
  const read = (
    parts: Partial<OAuth2> = {},
    context = callContext({ secrets }),
    timeoutMs = 10_000,
  ): Promise<readonly string[]> =>
    readMetric({ address: prometheus.url, auth: authOf(parts), timeoutMs }, context, source);
  const sent = () => prometheus.requests.map(({ headers }) => headers.authorization);
  const evaluateAt = async (atMs: number): Promise<void> => {
    nowMs = atMs;
    assert.deepEqual(await read(), ['Value', '3']);
  };

  it('asks for a token by the client credentials grant and sends it', async () => {
    const parts = { scopes: ['metrics.read', 'b'], endpointParams: { audience: 'prometheus x' } };
    assert.deepEqual(await read(parts), ['Value', '3']);
    assert.deepEqual(oauth2.requests, [
      {
        method: 'POST',
        path: '/oauth2/token',
        contentType: 'application/x-www-form-urlencoded',
        login: 'id:s3cret+/=',
        form: { grant_type: 'client_credentials', scope: 'metrics.read b', audience: 'prometheus x' },
      },
    ]);
    assert.deepEqual(sent(), ['Bearer token-1']);
  });

  it('keeps the token until 30 s before its end, and gets the next one from 5 minutes before', async () => {
    await evaluateAt(NOON);
    await evaluateAt(NOON + 54 * 60_000);
    assert.equal(oauth2.requests.length, 1);
    await evaluateAt(NOON + 59 * 60_000 + 29_000);
    await evaluateAt(NOON + 59 * 60_000 + 30_000);
    assert.deepEqual(sent(), ['Bearer token-1', 'Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
    assert.equal(oauth2.requests.length, 2);
  });

  it('takes a life that comes as a text, and keeps a token without one for a minute', async () => {
    oauth2.answerWith(tokenOf('3600'));
    await evaluateAt(NOON);
    await evaluateAt(NOON + 61_000);
    assert.equal(oauth2.requests.length, 1);
    oauth2.answerWith(tokenOf(undefined));
    await evaluateAt(NOON + 3600_000);
    await evaluateAt(NOON + 3659_000);
    await evaluateAt(NOON + 3660_000);
    assert.equal(oauth2.requests.length, 3);
  });

  it('fetches one token for all that need it at once', async () => {
    const release = oauth2.holdBack();
    const reads = Array.from({ length: 5 }, () => read());
    release();
    assert.deepEqual(
      await Promise.all(reads),
      reads.map(() => ['Value', '3']),
    );
    assert.deepEqual([oauth2.requests.length, prometheus.requests.length], [1, 5]);
  });

  it('drops a token that is refused, and asks once more with a newer one', async () => {
    await evaluateAt(NOON);
    revoked = ['token-1'];
    await evaluateAt(NOON + 60_000);
    await evaluateAt(NOON + 120_000);
    assert.deepEqual(sent(), ['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-2']);
    assert.equal(oauth2.requests.length, 2);
  });

  it('asks twice and no more where newer tokens are refused too, and tells no token that is quoted', async () => {
    revoked = ['token-1', 'token-2'];
    assert.deepEqual(await read(), [
      'QueryRejected',
      'spec.metrics.prometheus.auth: HTTP 401, the credentials are missing or wrong: no Bearer ***',
    ]);
    assert.deepEqual([oauth2.requests.length, prometheus.requests.length], [2, 2]);
  });

  it('is another client when its Secret rotates', async () => {
    await read();
    const rotated = secretsOf({ 'client/id': 'id', 'client/secret': 'other' });
    await read({}, callContext({ secrets: rotated }));
    assert.deepEqual(
      oauth2.requests.map(({ login }) => login),
      ['id:s3cret+/=', 'id:other'],
    );
  });

  describe('gets no token', () => {
    const rows: readonly {
      readonly name: string;
      readonly answer: TokenAnswer;
      readonly expected: readonly string[];
    }[] = [
      {
        name: 'of a server that does not know the client, whose words are told',
        answer: tokenError(401, 'invalid_client', 'no such\n\tclient'),
        expected: [
          'TokenRejected',
          `${FIELD}: the token server answered HTTP 401, invalid_client: no such client`,
        ],
      },
      {
        name: 'of a server that quotes the secret, which is not told',
        answer: tokenError(400, 'invalid_request', 'bad s3cret+/= for id'),
        expected: [
          'TokenRejected',
          `${FIELD}: the token server answered HTTP 400, invalid_request: bad *** for id`,
        ],
      },
      {
        name: 'of a server that quotes the header that the secret came in, which is not told either',
        answer: tokenError(
          400,
          `bad ${Buffer.from('id:s3cret%2B%2F%3D').toString('base64')}`,
          's3cret%2B%2F%3D',
        ),
        expected: ['TokenRejected', `${FIELD}: the token server answered HTTP 400, bad ***: ***`],
      },
      {
        name: 'of a server that says no more than what',
        answer: tokenError(400, 'invalid_scope'),
        expected: ['TokenRejected', `${FIELD}: the token server answered HTTP 400, invalid_scope`],
      },
      {
        name: 'of a web page',
        answer: { kind: 'Raw', status: 200, body: '<html>' },
        expected: ['TokenRejected', `${FIELD}: the token server answered without a bearer token`],
      },
      {
        name: 'of another sort than bearer',
        answer: tokenOf(60, { token_type: 'mac' }),
        expected: ['TokenRejected', `${FIELD}: the token server answered without a bearer token`],
      },
      {
        name: 'that would begin another header',
        answer: tokenOf(60, { access_token: 'a\r\nX-Other: b' }),
        expected: ['TokenRejected', `${FIELD}: the token server answered without a bearer token`],
      },
      {
        name: 'of a server that is ill',
        answer: { kind: 'Raw', status: 503, body: 'no' },
        expected: [
          'TokenRejected',
          `${FIELD}: the token server answered HTTP 503 without an error of OAuth2`,
        ],
      },
      {
        name: 'behind a redirect, which would take the secret elsewhere',
        answer: {
          kind: 'Raw',
          status: 307,
          body: '',
          headers: { location: 'https://elsewhere.example/?code=x' },
        },
        expected: [
          'TokenRejected',
          `${FIELD}: the token server answered HTTP 307, a redirect to elsewhere.example, which is not followed`,
        ],
      },
    ];
    for (const { name, answer, expected } of rows)
      it(name, async () => {
        oauth2.answerWith(answer);
        assert.deepEqual(await read(), expected);
        assert.equal(prometheus.requests.length, 0);
      });

    it('of a server that is away', async () => {
      await oauth2.stop();
      const { host } = new URL(oauth2.url);
      assert.deepEqual(await read(), [
        'TokenUnreachable',
        `${FIELD}.tokenURL: ${host} refused the connection (ECONNREFUSED)`,
      ]);
    });

    it("within the query's timeout", async () => {
      oauth2.answerWith({ kind: 'Hang' });
      assert.deepEqual(await read({}, undefined, 50), [
        'MetricTimeout',
        `${FIELD}.tokenURL: the token server did not answer within the timeout of the query`,
      ]);
    });

    it('of an address that is never called', async () => {
      assert.deepEqual(await read({ tokenUrl: 'http://169.254.169.254/token' }), [
        'AddressRefused',
        `${FIELD}.tokenURL: 169.254.169.254 leads to an address that is never called: link local, metadata, unspecified or multicast`,
      ]);
    });

    it('of a name that leads to one', async () => {
      source = createPrometheus({
        resolve: (_host, _options, done) => done(null, [{ address: '169.254.170.2', family: 4 }]),
      });
      assert.deepEqual(await read({ tokenUrl: 'http://tokens.test/token' }), [
        'AddressRefused',
        `${FIELD}.tokenURL: tokens.test leads to an address that is never called: link local, metadata, unspecified or multicast`,
      ]);
    });

    it('of an address that the operator does not list', async () => {
      source = createPrometheus({ allowed: [{ kind: 'Host', name: 'prometheus.test' }] });
      const { hostname } = new URL(prometheus.url);
      source = createPrometheus({ allowed: [{ kind: 'Network', address: hostname, prefix: 32 }] });
      assert.deepEqual(await read({ tokenUrl: 'http://127.0.0.2/token' }), [
        'AddressRefused',
        `${FIELD}.tokenURL: 127.0.0.2 is not among what --prometheus-allow lists; ask the operator for it`,
      ]);
    });

    it('without the client secret of its Secret', async () => {
      const context = callContext({ secrets: secretsOf({ 'client/id': 'id', 'client/secret': SECRET }) });
      assert.deepEqual(await read({}, context), [
        'SecretInvalid',
        `${FIELD}.clientSecretSecretRef: Secret client has something else under "secret", expected one word of ASCII characters`,
      ]);
      assert.deepEqual(await read({}, callContext()), ['SecretMissing', 'Secret client does not exist']);
      assert.equal(oauth2.requests.length, 0);
    });
  });

  it('has a TLS of its own, other than that of Prometheus', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'oauth2-tls-'));
    const ca = makeCa(directory, 'ca');
    const { cert, key } = issue(directory, 'server', ca);
    rmSync(directory, { recursive: true });
    const server = await startOAuth2StandIn({ cert, key });
    const context = callContext({
      secrets: secretsOf({ 'client/id': 'id', 'client/secret': 'secret', 'client/ca': ca.cert }),
    });
    const tls = {
      ca: { name: 'client', key: 'ca' },
      clientCertificate: undefined,
      serverName: undefined,
      insecureSkipVerify: false,
    };
    const believed = await read({ tokenUrl: server.url, tls }, context);
    const [reason] = await read({ tokenUrl: server.url }, context);
    await server.stop();
    assert.deepEqual([believed, reason], [['Value', '3'], 'TlsFailed']);
  });
});
