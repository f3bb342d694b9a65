import assert from 'node:assert/strict';
import { MINUTE } from '../support/rebalance.ts';
import {
  posted,
  rebalanceWorld,
  settledWorld,
  takeCalls,
  type PostedObject,
} from '../support/rebalance-world.ts';

describe('a sync of a Rebalance of an object that is gone', () => {
  const { metadata } = posted();
  const beingDeleted = { ...posted(), metadata: { ...metadata, deletionTimestamp: '2026-03-04T11:59:00Z' } };
  const gone: Readonly<Record<string, PostedObject | undefined>> = {
    deleted: undefined,
    'made anew under another uid': { ...posted(), metadata: { ...metadata, uid: 'u-2' } },
    'being deleted': beingDeleted,
  };
  for (const [name, live] of Object.entries(gone)) {
    it(`${name}: no query, no write, the posted status unchanged`, async () => {
      const world = await settledWorld();
      world.live = live;
      const status = { condition: 'Healthy', observedGeneration: 1 };
      const answer = await world.sync({ ...posted(), status });
      assert.equal(answer.text, JSON.stringify({ status, children: [] }));
      assert.deepEqual(takeCalls(world), ['get']);
    });
  }

  it('being deleted by the posted body: not even a GET', async () => {
    const world = await settledWorld();
    const answer = await world.sync(beingDeleted);
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

  it('keeps its series all the same, for as long as it is asked for: its alerts must not fall silent', async () => {
    const world = await settledWorld();
    world.apiFailure = { kind: 'Unavailable', message: 'the API said no' };
    for (let minute = 0; minute < 10; minute += 1) {
      world.nowMs += MINUTE;
      assert.equal((await world.sync()).code, 503);
      assert.match(await world.scrape(), /rebalancer_actual{name="example",namespace="default"} 16/);
    }
  });

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
