import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { secret, startKubernetesStandIn, type KubernetesStandIn } from '../support/kubernetes-stand-in.ts';
import { startRelay, type Relay } from '../support/relay.ts';
import { startService, type Service } from '../support/service.ts';
import { weightedRecord } from '../support/weighted-record.ts';
import { startPrometheus, TEST_LOGIN, type Prometheus } from './prometheus.ts';
import { conditionOf, rebalance, sync, type Rebalance, type SyncAnswer } from './rebalance.ts';
import { theWorld } from './world.ts';
import { createZone, type Zone } from './zone.ts';

const WRONG_PASSWORD = 'battery staple';
const AWS_SECRET = 'aws-secret-value';

/** Basic auth of a real Prometheus, keys of Route 53, and the object itself: all read from the API at each evaluation. */
describe('A service that reads the live object and its Secrets', () => {
  let api: KubernetesStandIn;
  let prometheus: Prometheus;
  let queries: Relay;
  let route53: Relay;
  let service: Service;
  let zone: Zone;
  let directory: string;

  before(async () => {
    const { exporter, moto } = theWorld();
    directory = join(theWorld().directory, 'live-object');
    await mkdir(directory);
    exporter.show({ name: 'live_load', value: '3000' });
    prometheus = await startPrometheus(directory, exporter.url, () => undefined, { login: TEST_LOGIN });
    await prometheus.waitFor('live_load', '3000');
    queries = await startRelay(prometheus.url);
    route53 = await startRelay(moto.url);
    zone = await createZone(moto.url, 'live.example');
    api = await startKubernetesStandIn();
    service = await startService({
      directory,
      flags: [`--kubeconfig=${api.kubeconfig(directory)}`, `--route53-endpoint=${route53.url}`],
    });
  });
  after(() => Promise.all([service, api, queries, route53, prometheus].map((part) => part.stop())));

  beforeEach(async () => {
    await zone.put(
      weightedRecord('www.live.example.', 'own', 5),
      weightedRecord('www.live.example.', 'reference', 8),
    );
    putSecrets({ accessKey: 'AKIAFIRST', password: TEST_LOGIN.password });
    api.put(LIVE_PATH, live());
  });

  const putSecrets = ({ accessKey, password }: { accessKey: string; password: string }): void => {
    api.put(secretPath('aws'), secret('aws', { id: accessKey, secret: AWS_SECRET }));
    api.put(secretPath('prometheus'), secret('prometheus', { user: TEST_LOGIN.user, password }));
  };

  const live = (status?: SyncAnswer['status']): Rebalance => {
    const { metadata, spec, ...identity } = rebalance({
      name: 'live',
      targettracking: { baseValue: 8, targetValue: 1000 },
      prometheus: {
        address: queries.url,
        query: 'live_load',
        auth: {
          secretRef: {
            userSecretRef: { name: 'prometheus', key: 'user' },
            passwordSecretRef: { name: 'prometheus', key: 'password' },
          },
        },
      },
      zoneId: zone.id,
      record: { name: 'www.live.example', type: 'A', identifier: 'own' },
      awsAuth: {
        secretRef: {
          accessKeyIDSecretRef: { name: 'aws', key: 'id' },
          secretAccessKeySecretRef: { name: 'aws', key: 'secret' },
        },
      },
    });
    return { ...identity, metadata, spec, ...(status === undefined ? {} : { status }) };
  };

  /** How many requests each part gets while `work` runs. */
  const asked = async (work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> => {
    // Events are posted when there is time for it, not within a sync.
    const reads = (): number => api.requests.filter((line) => line.startsWith('GET ')).length;
    const counts = (): number[] => [reads(), queries.requests.length, route53.requests.length];
    const before = counts();
    await work();
    const [toApi, toPrometheus, toRoute53] = counts().map((count, index) => count - (before[index] ?? 0));
    return { api: toApi ?? 0, prometheus: toPrometheus ?? 0, route53: toRoute53 ?? 0 };
  };

  it('Given credentials in Secrets, When synced, Then the query and the write carry them', async () => {
    const { status } = await sync(service, live());
    assert.equal(status.actualValue, 16, JSON.stringify(status));
    assert.equal(await zone.weightOf('own'), 16);
    assert.match(route53.requests.at(-1)?.headers.authorization ?? '', /Credential=AKIAFIRST\//);
  });

  it('Given a rotated key, When synced again, Then the new one is used without a restart', async () => {
    putSecrets({ accessKey: 'AKIASECOND', password: TEST_LOGIN.password });
    await sync(service, live());
    assert.match(route53.requests.at(-1)?.headers.authorization ?? '', /Credential=AKIASECOND\//);
  });

  it('Given a wrong password, When synced, Then the weight stays and the condition says that Prometheus refused', async () => {
    putSecrets({ accessKey: 'AKIAFIRST', password: WRONG_PASSWORD });
    const { status } = await sync(service, live());
    const { reason, message } = conditionOf(status, 'MetricAvailable');
    assert.equal(reason, 'QueryRejected');
    assert.match(message, /401/);
    assert.equal(await zone.weightOf('own'), 5);
  });

  it('Given a Secret that is missing, When synced, Then the weight stays and the condition names it', async () => {
    api.put(secretPath('prometheus'), undefined);
    const { status } = await sync(service, live());
    const { reason, message } = conditionOf(status, 'MetricAvailable');
    assert.equal(reason, 'SecretMissing');
    assert.match(message, /default\/prometheus/);
    assert.equal(await zone.weightOf('own'), 5);
  });

  it('Given a forged spec under the right uid, When it is posted, Then only what the live object says is done', async () => {
    const { metadata, spec, ...identity } = live();
    const forged = { ...identity, metadata, spec: { ...spec, dryRun: true, metrics: {} } };
    await sync(service, forged);
    assert.equal(await zone.weightOf('own'), 16);
  });

  it('Given a forged uid, When it is posted, Then one read of the live object and nothing else', async () => {
    const { metadata, ...rest } = live();
    const posted = { ...rest, metadata: { ...metadata, uid: 'another' } };
    assert.deepEqual(await asked(() => sync(service, posted)), { api: 1, prometheus: 0, route53: 0 });
    assert.equal(await zone.weightOf('own'), 5);
  });

  it('Given a parent posted stale after its evaluation, When it is posted twice more, Then each time one read and the same answer', async () => {
    const first = await sync(service, live());
    api.put(LIVE_PATH, live(first.status));
    const again = async (): Promise<void> => {
      const { status } = await sync(service, live());
      assert.deepEqual(status, first.status);
    };
    assert.deepEqual(await asked(again), { api: 1, prometheus: 0, route53: 0 });
    assert.deepEqual(await asked(again), { api: 1, prometheus: 0, route53: 0 });
  });

  it('Given a status that says not due, When it is posted, Then nothing outside is asked and it is answered as it is', async () => {
    const { status } = await sync(service, live());
    const settled = live(status);
    assert.deepEqual(
      await asked(async () => assert.deepEqual((await sync(service, settled)).status, status)),
      { api: 0, prometheus: 0, route53: 0 },
    );
  });

  it('Given all of the above, When the log is read, Then no secret stands in it', () => {
    const log = readFileSync(join(directory, 'counterpoise.log'), 'utf8');
    assert.match(log, /"hook":"rebalance"/);
    for (const value of [TEST_LOGIN.password, WRONG_PASSWORD, AWS_SECRET])
      assert.ok(!log.includes(value), value);
  });
});

const LIVE_PATH = '/apis/rebalancer.ch1aki.github.io/v1/namespaces/default/rebalances/live';

function secretPath(name: string): string {
  return `/api/v1/namespaces/default/secrets/${name}`;
}
