import assert from 'node:assert/strict';
import type { RebalanceStatus } from '../../../src/rebalance/status.ts';
import { driversOf } from './drivers.ts';
import { CALLER_HEADERS } from './manifests.ts';
import { useNamespace } from './own-namespace.ts';
import type { StoredRebalance } from './rebalances.ts';
import { steer, type Steered } from './steered.ts';
import { together } from './together.ts';

/** Long ago: by it an attempt is due. */
const LONG_AGO = '2026-01-01T00:00:00Z';
/** A status that would have the weight at 200 in a fallback, with all that there is to remember. */
const FORGED_STATUS = {
  actualValue: 200,
  desiredValue: 200,
  lastAttemptAt: LONG_AGO,
  failures: 4,
  condition: 'Error',
  decision: { generation: 1, policyWeight: 200, fallback: { active: true, successes: 0 } },
  history: { target: 'any', query: 'any', shares: [{ at: LONG_AGO, share: '1', ttlSeconds: 60 }] },
  behavior: { target: 'any', lows: [], highs: [], weights: [{ at: LONG_AGO, weight: 200 }] },
} as const;

for (const driver of driversOf('double', 'binary')) {
  describe(`forged POST or stale parent, on ${driver.name}:`, () => {
    const namespace = `forged-${driver.id}`;
    const own = useNamespace(driver, namespace, 'rebalances');
    const scenario = together();
    const steered = async (name: string): Promise<Steered> =>
      steer(own.plane, own.world, { name, namespace });

    /** Posts to the hook itself, as anybody could who reaches it. */
    const post = async (body: string): Promise<RebalanceStatus> => {
      const answer = await fetch(`${own.world.chain.urlOf('rebalance')}/rebalance/sync`, {
        method: 'POST',
        headers: CALLER_HEADERS,
        body,
      });
      const text = await answer.text();
      assert.equal(answer.status, 200, text);
      return (JSON.parse(text) as { readonly status: RebalanceStatus }).status;
    };
    const postAs = async (parent: object): Promise<RebalanceStatus> =>
      post(JSON.stringify({ controller: {}, parent, children: {}, related: {}, finalizing: false }));
    const settled = async (name: string): Promise<Steered & { readonly live: StoredRebalance }> => {
      const one = await steered(name);
      await one.apply(one.spec());
      const live = await one.until('16', ({ actualValue }) => actualValue === 16);
      await one.load(5000); // whoever evaluated it now would write 32
      return { ...one, live };
    };

    scenario('another uid -> no query, no write', async () => {
      const one = await settled('uid');
      const before = one.asked();
      const metadata = { ...one.live.metadata, uid: 'forged' };
      await postAs({ ...one.live, metadata, status: {} });
      assert.deepEqual(one.asked(), before);
      assert.equal(await one.zone.weightOf('aws'), 16);
    });

    scenario(
      'another spec, status or history under the right uid -> nothing but what the live object gives: its status, where nothing is due',
      async () => {
        const one = await settled('settled');
        const before = one.asked();
        const forged: Readonly<Record<string, object>> = {
          spec: { status: {}, spec: one.spec({}, { targetValue: 1 }) },
          generation: { metadata: { ...one.live.metadata, generation: 99 } },
          status: { status: {} },
          history: { status: { ...one.live.status, ...FORGED_STATUS } },
        };
        for (const [what, fields] of Object.entries(forged)) {
          assert.deepEqual(await postAs({ ...one.live, ...fields }), one.live.status, what);
          assert.deepEqual(one.asked(), before, what);
        }
        assert.equal(await one.zone.weightOf('aws'), 16);
        assert.deepEqual((await one.read()).status, one.live.status);
      },
    );

    scenario(
      'another spec, status or history under the right uid -> nothing but what the live object gives: its query, record and law, where an attempt is due',
      async () => {
        const [one, other] = [await steered('due'), await steered('other')];
        const { rebalance: toHook } = own.world.chain.relays;
        const held = toHook.hold('half-asked', ({ body }) => body.includes('"name":"due"'));
        await one.apply(one.spec());
        const unheard = await held; // so that it has never been attempted
        const live = await one.read();
        const status = await postAs({
          ...live,
          spec: other.spec({}, { targetValue: 1 }),
          status: FORGED_STATUS,
        });
        assert.deepEqual([status.desiredValue, status.failures, status.decision?.policyWeight], [16, 0, 16]);
        assert.deepEqual(
          [one.asked(), other.asked()],
          [
            { queries: 1, calls: 2, changes: 1 },
            { queries: 0, calls: 0, changes: 0 },
          ],
        );
        assert.deepEqual([await one.zone.weightOf('aws'), await other.zone.weightOf('aws')], [16, 1]);
        unheard.pass();
        await one.until('16', ({ actualValue }) => actualValue === 16);
        assert.equal(one.asked().changes, 1);
      },
    );

    scenario('stale parent right after a write -> no second evaluation', async () => {
      const one = await steered('stale');
      const { rebalance: toHook } = own.world.chain.relays;
      const isStale = ({ body }: { readonly body: string }): boolean => body.includes('"name":"stale"');
      const held = toHook.hold('answered', isStale);
      await one.apply(one.spec());
      const posted = await held;
      // an event while the sync goes on: the next one follows at once, whatever Metacontroller's cache has seen by then
      const next = toHook.hold('answered', isStale);
      await own.plane.kubectl(['annotate', 'rebalance', 'stale', 'nudge=1', '-n', namespace]);
      posted.pass();
      (await next).pass();
      const { status } = await one.until('16', ({ actualValue }) => actualValue === 16);
      const before = one.asked();
      assert.deepEqual(before, { queries: 1, calls: 2, changes: 1 });
      await one.load(5000);
      const answers = await Promise.all([post(posted.body), post(posted.body), post(posted.body)]);
      for (const answer of answers) assert.deepEqual(answer, status);
      assert.deepEqual(one.asked(), before);
      assert.equal(await one.zone.weightOf('aws'), 16);
    });
  });
}
