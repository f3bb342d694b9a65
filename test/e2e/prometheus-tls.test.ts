import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { issue, makeCa, type Identity } from '../support/certificates.ts';
import { secret, startKubernetesStandIn, type KubernetesStandIn } from '../support/kubernetes-stand-in.ts';
import { startService, type Service } from '../support/service.ts';
import { weightedRecord } from '../support/weighted-record.ts';
import { startPrometheus, TEST_LOGIN, type Prometheus } from './prometheus.ts';
import { conditionOf, rebalance, sync, type Rebalance, type SyncAnswer } from './rebalance.ts';
import { theWorld } from './world.ts';
import { createZone, TEST_ENVIRONMENT, type Zone } from './zone.ts';

const SERVER_NAME = 'prometheus.example.com';
const WRONG_PASSWORD = 'battery staple';
/** The weight before each evaluation. */
const BEFORE = 5;

/** All that the object's references name, in one Secret; the certificates by the keys that cert-manager gives them. */
type Key = 'user' | 'password' | 'ca.crt' | 'tls.crt' | 'tls.key';
type Held = Readonly<Record<Key, string>>;

const at = (key: Key): object => ({ name: 'prometheus', key });
const BASIC = { secretRef: { userSecretRef: at('user'), passwordSecretRef: at('password') } };
const TLS = {
  caSecretRef: at('ca.crt'),
  certSecretRef: at('tls.crt'),
  keySecretRef: at('tls.key'),
  serverName: SERVER_NAME,
};

interface Certificates {
  readonly ca: Identity;
  readonly server: Identity;
  readonly client: Identity;
  /** Of another CA, itself. */
  readonly otherCa: Identity;
  readonly stranger: Identity;
}

interface Row {
  readonly given: string;
  /** What the Secret holds in place of what is right. */
  readonly held?: (certificates: Certificates) => Partial<Held>;
  /** What spec.metrics.prometheus has in place of what is right. */
  readonly asking?: { readonly tls?: object; readonly auth?: undefined };
  readonly reason: string;
  /** The message of MetricAvailable, with <url> for that of Prometheus. */
  readonly says: string;
}

const { caSecretRef, certSecretRef, keySecretRef } = TLS;
const FIELD = 'spec.metrics.prometheus';
const UNBELIEVED = `${FIELD}.address: <url> has a certificate of a CA that is not believed; name its CA by tls.caSecretRef (UNABLE_TO_VERIFY_LEAF_SIGNATURE)`;
const OTHER_NAME = `${FIELD}.address: <url> has a certificate of another name; call it by that name, or say the name by tls.serverName (ERR_TLS_CERT_ALTNAME_INVALID)`;
const notTaken = (code: string) =>
  `${FIELD}.address: <url> does not take the client certificate; look at tls.certSecretRef (${code})`;
const UNAUTHORIZED = `${FIELD}.auth: HTTP 401, the credentials are missing or wrong: Unauthorized`;

const ROWS: readonly Row[] = [
  {
    given: 'another CA',
    held: ({ otherCa }) => ({ 'ca.crt': otherCa.cert }),
    reason: 'TlsFailed',
    says: UNBELIEVED,
  },
  {
    given: "no CA, where the system's have not signed it",
    asking: { tls: { certSecretRef, keySecretRef, serverName: SERVER_NAME } },
    reason: 'TlsFailed',
    says: UNBELIEVED,
  },
  {
    given: 'no server name, where the certificate has not that of the address',
    asking: { tls: { caSecretRef, certSecretRef, keySecretRef } },
    reason: 'TlsFailed',
    says: OTHER_NAME,
  },
  {
    given: 'no client certificate',
    asking: { tls: { caSecretRef, serverName: SERVER_NAME } },
    reason: 'TlsFailed',
    says: notTaken('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
  },
  {
    given: 'a client certificate of another CA',
    held: ({ stranger }) => ({ 'tls.crt': stranger.cert, 'tls.key': stranger.key }),
    reason: 'TlsFailed',
    says: notTaken('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'),
  },
  {
    given: 'a wrong password',
    held: () => ({ password: WRONG_PASSWORD }),
    reason: 'QueryRejected',
    says: UNAUTHORIZED,
  },
  {
    given: 'no password',
    asking: { auth: undefined },
    reason: 'QueryRejected',
    says: UNAUTHORIZED,
  },
];

describe('A Prometheus that demands a client certificate and a password', () => {
  let directory: string;
  let certificates: Certificates;
  let prometheus: Prometheus;
  let api: KubernetesStandIn;
  let service: Service;
  let zone: Zone;

  before(async () => {
    const { exporter, moto } = theWorld();
    directory = join(theWorld().directory, 'prometheus-tls');
    await mkdir(directory);
    const [ca, otherCa] = [makeCa(directory, 'ca'), makeCa(directory, 'other-ca')];
    certificates = {
      ca,
      otherCa,
      server: issue(directory, 'server', ca, `DNS:${SERVER_NAME}`),
      client: issue(directory, 'client', ca),
      stranger: issue(directory, 'stranger', otherCa),
    };
    exporter.show({ name: 'tls_load', value: '3000' });
    prometheus = await startPrometheus(directory, exporter.url, () => undefined, {
      login: TEST_LOGIN,
      tls: { ...certificates, serverName: SERVER_NAME },
    });
    await prometheus.waitFor('tls_load', '3000');
    zone = await createZone(moto.url, 'tls.example');
    api = await startKubernetesStandIn();
    service = await startService({
      directory,
      flags: [
        `--kubeconfig=${api.kubeconfig(directory)}`,
        `--route53-endpoint=${moto.url}`,
        // Records are changed by hand between two syncs, and moto has no quota.
        '--route53-list-window=0s',
        '--route53-rate=100',
      ],
      env: TEST_ENVIRONMENT,
    });
  });
  after(() => Promise.all([service, api, prometheus].map((part) => part.stop())));

  beforeEach(() =>
    zone.put(
      weightedRecord('www.tls.example.', 'own', BEFORE),
      weightedRecord('www.tls.example.', 'reference', 8),
    ),
  );

  const rightlyHeld = (): Held => {
    const { ca, client } = certificates;
    const { user, password } = TEST_LOGIN;
    return { user, password, 'ca.crt': ca.cert, 'tls.crt': client.cert, 'tls.key': client.key };
  };

  const evaluate = (held: Partial<Held> = {}, asking: Row['asking'] = {}): Promise<SyncAnswer> => {
    const live: Rebalance = rebalance({
      name: 'tls',
      targettracking: { baseValue: 8, targetValue: 1000 },
      prometheus: { address: prometheus.url, query: 'tls_load', auth: BASIC, tls: TLS, ...asking },
      zoneId: zone.id,
      record: { name: 'www.tls.example', type: 'A', identifier: 'own' },
    });
    const path = '/api/v1/namespaces/default/secrets/prometheus';
    api.put(path, secret('prometheus', { ...rightlyHeld(), ...held }));
    api.put('/apis/rebalancer.ch1aki.github.io/v1/namespaces/default/rebalances/tls', live);
    return sync(service, live);
  };

  const assertRead = async (answered: Promise<SyncAnswer>): Promise<void> => {
    const { status } = await answered;
    assert.equal(conditionOf(status, 'MetricAvailable').reason, 'Sampled', JSON.stringify(status));
    assert.deepEqual([status.condition, await zone.weightOf('own')], ['Healthy', 16]);
  };

  it('Given its CA, a client certificate, its name and the password, When synced, Then the metric is read and the weight follows', () =>
    assertRead(evaluate()));

  for (const { given, held, asking, reason, says } of ROWS) {
    it(`Given ${given}, When synced, Then the weight stays and ${reason} says why`, async () => {
      const { status } = await evaluate(held?.(certificates), asking);
      const { status: isAvailable, message, ...available } = conditionOf(status, 'MetricAvailable');
      assert.deepEqual(
        [isAvailable, available.reason, message.replaceAll(prometheus.url, '<url>')],
        ['False', reason, says],
      );
      const ready = conditionOf(status, 'Ready');
      assert.deepEqual([status.condition, ready.status, ready.reason], ['Error', 'False', reason]);
      assert.equal(status.actualValue, BEFORE);
      assert.equal(await zone.weightOf('own'), BEFORE);
    });
  }

  it('Given what is right again, When synced, Then the metric is read', () => assertRead(evaluate()));

  it('Given a client certificate that was renewed, When synced, Then the metric is read without a restart', () => {
    const { cert, key } = issue(directory, 'renewed', certificates.ca);
    return assertRead(evaluate({ 'tls.crt': cert, 'tls.key': key }));
  });

  it('Given all of the above, When the log is read, Then no password and no key stands in it', () => {
    const log = readFileSync(join(directory, 'counterpoise.log'), 'utf8');
    assert.match(log, /TlsFailed/);
    for (const word of [TEST_LOGIN.password, WRONG_PASSWORD, 'PRIVATE KEY'])
      assert.ok(!log.includes(word), word);
  });
});
