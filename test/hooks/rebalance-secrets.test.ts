import assert from 'node:assert/strict';
import { conditionOf } from '../support/conditions.ts';
import { MINUTE, wireSpec } from '../support/rebalance.ts';
import { posted, rebalanceWorld, takeCalls, type RebalanceWorld } from '../support/rebalance-world.ts';

describe('a sync of a Rebalance reads Secrets by name', () => {
  const reference = (name: string, key: string, namespace?: string): object => ({
    name,
    key,
    ...(namespace === undefined ? {} : { namespace }),
  });
  const withLogin = (namespace?: string): object =>
    wireSpec(
      {},
      {
        metrics: {
          prometheus: {
            address: 'http://prometheus:9090',
            query: 'scalar(load)',
            auth: {
              secretRef: {
                userSecretRef: reference('login', 'user', namespace),
                passwordSecretRef: reference('login', 'password', namespace),
              },
            },
          },
        },
      },
    );

  it('once for both keys of one Secret, anew at each evaluation', async () => {
    const world = rebalanceWorld();
    world.live = posted(withLogin());
    world.secrets = { 'default/login': { user: 'u', password: 'p' } };
    await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'secret default/login', 'metric', 'set', 'write 16']);
    world.nowMs += MINUTE;
    await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'secret default/login', 'metric', 'set']);
  });

  const rows: readonly {
    readonly name: string;
    readonly namespace?: string;
    readonly secrets: RebalanceWorld['secrets'];
    readonly flags?: readonly string[];
    readonly reason: string;
    readonly message: RegExp;
  }[] = [
    {
      name: 'a missing one',
      secrets: {},
      reason: 'SecretMissing',
      message: /^Secret default\/login does not exist/,
    },
    {
      name: 'one without the key',
      secrets: { 'default/login': { user: 'u' } },
      reason: 'SecretKeyMissing',
      message: /^Secret default\/login has no key "password"/,
    },
    {
      name: 'one of another namespace',
      namespace: 'other',
      secrets: { 'other/login': { user: 'u', password: 'p' } },
      reason: 'SecretNamespaceRefused',
      message: /^Secret other\/login is in another namespace; .*--allow-cross-namespace-secrets/,
    },
  ];
  for (const { name, namespace, secrets, reason, message } of rows) {
    it(`${name} is a failure of the metric: ${reason}`, async () => {
      const world = rebalanceWorld();
      world.live = posted(withLogin(namespace));
      world.secrets = secrets;
      const { status } = await world.settle();
      const metric = conditionOf(status, 'MetricAvailable');
      assert.deepEqual([metric.status, metric.reason], ['False', reason]);
      assert.match(metric.message, message);
      assert.deepEqual(world.weights, [1, 8]);
      if (reason === 'SecretNamespaceRefused')
        assert.ok(!takeCalls(world).some((call) => call.startsWith('secret')));
    });
  }

  it('of another namespace where the operator allows it', async () => {
    const world = rebalanceWorld('--allow-cross-namespace-secrets');
    world.live = posted(withLogin('other'));
    world.secrets = { 'other/login': { user: 'u', password: 'p' } };
    assert.equal((await world.settle()).status.actualValue, 16);
  });
});
