import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnections } from '../../../src/rebalance/metrics/connections.ts';
import { createPrometheus } from '../../../src/rebalance/metrics/prometheus.ts';
import type { SecretKeyReference, TlsSpec } from '../../../src/rebalance/spec.ts';
import { callContext, secretsOf } from '../../support/call-context.ts';
import { issue, makeCa, type Identity } from '../../support/certificates.ts';
import { listen } from '../../support/listen.ts';
import { scalar, startPrometheusStandIn, type PrometheusStandIn } from '../../support/prometheus-stand-in.ts';
import { readMetric } from '../../support/read-metric.ts';

const FIELD = 'spec.metrics.prometheus';

function at(key: string): SecretKeyReference {
  return { name: 'tls', key };
}

const CLIENT = { cert: at('cert'), key: at('key') };

function tlsOf(parts: Partial<TlsSpec> = {}): TlsSpec {
  return {
    ca: undefined,
    clientCertificate: undefined,
    serverName: undefined,
    insecureSkipVerify: false,
    ...parts,
  };
}

describe('Prometheus over TLS', () => {
  let directory: string;
  let ca: Identity;
  let otherCa: Identity;
  let server: Identity;
  let named: Identity;
  let client: Identity;
  let stranger: Identity;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'prometheus-tls-'));
    ca = makeCa(directory, 'ca');
    otherCa = makeCa(directory, 'other-ca');
    server = issue(directory, 'server', ca);
    named = issue(directory, 'named', ca, 'DNS:prometheus.example.com');
    client = issue(directory, 'client', ca);
    stranger = issue(directory, 'stranger', otherCa);
  });
  after(() => rmSync(directory, { recursive: true }));

  let prometheus: PrometheusStandIn;
  afterEach(() => prometheus.stop());

  const start = async (identity: Identity, more: ServerOptions = {}): Promise<void> => {
    prometheus = await startPrometheusStandIn({ tls: { cert: identity.cert, key: identity.key, ...more } });
    prometheus.setDefault(scalar(3));
  };
  const mutual = (): ServerOptions => ({ ca: ca.cert, requestCert: true, rejectUnauthorized: true });
  const secretsWith = (identity = client, caOf = ca) =>
    secretsOf({ 'tls/ca': caOf.cert, 'tls/cert': identity.cert, 'tls/key': identity.key });
  const read = (tls: TlsSpec | undefined, secrets = secretsWith()) =>
    readMetric({ address: prometheus.url, tls }, callContext({ secrets }));

  it('is read when its CA is the one of the Secret', async () => {
    await start(server);
    assert.deepEqual(await read(tlsOf({ ca: at('ca') })), ['Value', '3']);
  });

  const unbelieved = (code: string): readonly string[] => [
    'TlsFailed',
    `${FIELD}.address: ${prometheus.url} has a certificate of a CA that is not believed; name its CA by tls.caSecretRef (${code})`,
  ];

  it('is not read when no CA is named and the system does not know it', async () => {
    await start(server);
    assert.deepEqual(await read(undefined), unbelieved('UNABLE_TO_VERIFY_LEAF_SIGNATURE'));
    assert.equal(prometheus.requests.length, 0);
  });

  it('is not read when another CA is named', async () => {
    await start(server);
    assert.deepEqual(
      await read(tlsOf({ ca: at('ca') }), secretsWith(client, otherCa)),
      unbelieved('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
    );
  });

  it('is read whatever its certificate where insecureSkipVerify says so', async () => {
    await start(named);
    assert.deepEqual(await read(tlsOf({ insecureSkipVerify: true })), ['Value', '3']);
  });

  it('is not read when its certificate has another name', async () => {
    await start(named);
    assert.deepEqual(await read(tlsOf({ ca: at('ca') })), [
      'TlsFailed',
      `${FIELD}.address: ${prometheus.url} has a certificate of another name; call it by that name, or say the name by tls.serverName (ERR_TLS_CERT_ALTNAME_INVALID)`,
    ]);
  });

  it('is read when its certificate has the name that serverName says', async () => {
    await start(named);
    assert.deepEqual(await read(tlsOf({ ca: at('ca'), serverName: 'prometheus.example.com' })), [
      'Value',
      '3',
    ]);
  });

  it('is not read when its certificate has the name of the address and not the one of serverName', async () => {
    await start(server);
    const [reason] = await read(tlsOf({ ca: at('ca'), serverName: 'prometheus.example.com' }));
    assert.equal(reason, 'TlsFailed');
  });

  it('is shown the client certificate of the Secret', async () => {
    await start(server, mutual());
    assert.deepEqual(await read(tlsOf({ ca: at('ca'), clientCertificate: CLIENT })), ['Value', '3']);
  });

  it('refuses who comes without a client certificate', async () => {
    await start(server, mutual());
    const [reason, message = ''] = await read(tlsOf({ ca: at('ca') }));
    assert.equal(reason, 'TlsFailed', message);
    assert.match(message, /does not take the client certificate; look at tls\.certSecretRef \(ERR_SSL_/);
  });

  // Node's server ends the connection without TLS' own word for it.
  it('closes the connection of who comes with a client certificate of another CA', async () => {
    await start(server, mutual());
    const tls = tlsOf({ ca: at('ca'), clientCertificate: CLIENT });
    assert.deepEqual(await read(tls, secretsWith(stranger)), [
      'MetricUnreachable',
      `${FIELD}.address: ${prometheus.url} closed the connection without an answer (ECONNRESET)`,
    ]);
    assert.equal(prometheus.requests.length, 0);
  });

  it('that speaks no TLS says so', async () => {
    prometheus = await startPrometheusStandIn();
    const address = prometheus.url.replace('http:', 'https:');
    const [reason, message = ''] = await readMetric({ address });
    assert.equal(reason, 'TlsFailed');
    assert.match(message, /speaks no TLS that can be agreed on at this port \((EPROTO|ERR_SSL_\w+)\)$/);
  });

  describe('asks nothing when', () => {
    const rows: readonly {
      readonly name: string;
      readonly values: () => Readonly<Record<string, string>>;
      readonly expected: readonly string[];
    }[] = [
      {
        name: 'a Secret is missing',
        values: () => ({ 'tls/ca': ca.cert, 'tls/cert': client.cert }),
        expected: ['SecretMissing', 'Secret tls does not exist'],
      },
      {
        name: 'the CA is none, which OpenSSL would take for an empty list',
        values: () => ({ 'tls/ca': 'a ca', 'tls/cert': client.cert, 'tls/key': client.key }),
        expected: [
          'SecretInvalid',
          `${FIELD}.tls.caSecretRef: Secret tls has something else under "ca", expected a PEM certificate`,
        ],
      },
      {
        name: 'the certificate is none',
        values: () => ({ 'tls/ca': ca.cert, 'tls/cert': client.key, 'tls/key': client.key }),
        expected: [
          'SecretInvalid',
          `${FIELD}.tls.certSecretRef: Secret tls has something else under "cert", expected a PEM certificate`,
        ],
      },
      {
        name: 'the key is that of another certificate',
        values: () => ({ 'tls/ca': ca.cert, 'tls/cert': client.cert, 'tls/key': stranger.key }),
        expected: [
          'SecretInvalid',
          `${FIELD}.tls.keySecretRef: Secret tls has something else under "key", expected the certificate's PEM private key`,
        ],
      },
    ];
    for (const { name, values, expected } of rows)
      it(name, async () => {
        await start(server, mutual());
        const tls = tlsOf({ ca: at('ca'), clientCertificate: CLIENT });
        assert.deepEqual(await read(tls, secretsOf(values())), expected);
        assert.equal(prometheus.connections(), 0);
      });
  });

  it('keeps one connection for many evaluations, and makes another when the Secret rotates', async () => {
    await start(server, mutual());
    const source = createPrometheus();
    const rotated = issue(directory, 'rotated', ca);
    const tls = tlsOf({ ca: at('ca'), clientCertificate: CLIENT });
    const readWith = (identity: Identity) =>
      readMetric({ address: prometheus.url, tls }, callContext({ secrets: secretsWith(identity) }), source);
    for (let evaluation = 0; evaluation < 5; evaluation += 1) await readWith(client);
    assert.equal(prometheus.connections(), 1);
    for (let evaluation = 0; evaluation < 5; evaluation += 1)
      assert.deepEqual(await readWith(rotated), ['Value', '3']);
    assert.equal(prometheus.connections(), 2);
  });
});

describe('connections', () => {
  it('that wait are closed when their identity gives way', async () => {
    const server = createServer((_request, response) => response.end());
    const listening = await listen(server);
    const closed = Promise.withResolvers<undefined>();
    server.on('connection', (socket: Socket) => socket.on('close', () => closed.resolve(undefined)));
    const connections = createConnections(() => undefined);
    const { httpAgent } = connections.of(identity('0'));
    const freed = once(httpAgent, 'free');
    get(listening.url, { agent: httpAgent }, (response) => response.resume());
    await freed;
    for (let n = 1; n <= 128; n += 1) connections.of(identity(String(n)));
    await closed.promise;
    await listening.stop();
    assert.equal(httpAgent.maxFreeSockets, 0);
  });

  const identity = (serverName: string) => ({
    ca: undefined,
    cert: undefined,
    key: undefined,
    serverName,
    insecureSkipVerify: false,
  });

  it('are those of 128 identities at most: the one that was used least recently gives way', () => {
    const connections = createConnections(() => undefined);
    const [first, second] = [connections.of(identity('0')), connections.of(identity('1'))];
    for (let n = 2; n < 128; n += 1) connections.of(identity(String(n)));
    assert.equal(connections.of(identity('0')), first);
    connections.of(identity('128'));
    assert.equal(connections.of(identity('0')), first);
    assert.notEqual(connections.of(identity('1')), second);
  });
});
