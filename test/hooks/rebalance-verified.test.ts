import assert from 'node:assert/strict';
import {
  KEY,
  posted,
  rebalanceWorld,
  settledWorld,
  takeCalls,
  type RebalanceWorld,
} from '../support/rebalance-world.ts';

describe('a sync of a Rebalance of an object that is gone', () => {
  const rows: readonly {
    readonly name: string;
    readonly change: (world: RebalanceWorld) => void;
    readonly calls: readonly string[];
  }[] = [
    { name: 'deleted', change: (world) => (world.live = undefined), calls: ['get'] },
    {
      name: 'made anew under another uid',
      change: (world) => (world.live = { ...posted(), metadata: { ...KEY, uid: 'u-2', generation: 1 } }),
      calls: ['get'],
    },
    {
      name: 'being deleted',
      change: (world) =>
        (world.live = {
          ...posted(),
          metadata: { ...KEY, uid: 'u-1', generation: 1, deletionTimestamp: '2026-03-04T11:59:00Z' },
        }),
      calls: ['get'],
    },
  ];
  for (const { name, change, calls } of rows) {
    it(`${name}: no query, no write, the posted status unchanged`, async () => {
      const world = await settledWorld();
      change(world);
      const status = { condition: 'Healthy', observedGeneration: 1 };
      const answer = await world.sync({ ...posted(), status });
      assert.equal(answer.text, JSON.stringify({ status, children: [] }));
      assert.deepEqual(takeCalls(world), calls);
    });
  }

  it('being deleted by the posted body: not even a GET', async () => {
    const world = await settledWorld();
    const metadata = { ...KEY, uid: 'u-1', generation: 1, deletionTimestamp: '2026-03-04T11:59:00Z' };
    const answer = await world.sync({ ...posted(), metadata });
    assert.deepEqual([answer.code, answer.status], [200, {}]);
    assert.deepEqual(takeCalls(world), []);
  });
});

describe('a sync of a Rebalance that cannot be verified', () => {
  for (const kind of ['Unavailable', 'Forbidden'] as const) {
    it(`is a 503 that touches nothing: ${kind}`, async () => {
      const world = rebalanceWorld();
      world.apiFailure = { kind, message: 'the API said no' };
      const answer = await world.sync();
      assert.deepEqual(
        [answer.code, answer.text],
        [503, 'cannot verify Rebalance default/example: the API said no\n'],
      );
      assert.deepEqual(takeCalls(world), ['get']);
    });
  }

  it('for want of an API says what to set', async () => {
    const world = rebalanceWorld();
    const { deps } = world;
    Object.assign(deps, { kubernetes: undefined });
    const answer = await world.sync();
    assert.equal(answer.code, 503);
    assert.match(
      answer.text,
      /^cannot verify Rebalance default\/example without a Kubernetes API: set --kubeconfig/,
    );
  });

  it('believes the body under --verify-parent=false, without any API', async () => {
    const world = rebalanceWorld('--verify-parent=false');
    Object.assign(world.deps, { kubernetes: undefined });
    const answer = await world.sync();
    assert.equal(answer.status.actualValue, 16);
    assert.deepEqual(takeCalls(world), ['metric', 'set', 'write 16']);
  });
});
