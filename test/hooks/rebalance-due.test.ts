import assert from 'node:assert/strict';
import { conditionOf } from '../support/conditions.ts';
import { MINUTE, NOON, wireSpec } from '../support/rebalance.ts';
import { KEY, posted, rebalanceWorld, settledWorld, takeCalls } from '../support/rebalance-world.ts';

describe('a sync of a Rebalance that is due', () => {
  it('reads the live object, asks the query, reads the set, writes: 3000/1000/8 gives 16', async () => {
    const world = rebalanceWorld();
    const { code, status, resyncAfterSeconds } = await world.sync();
    assert.equal(code, 200);
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'set', 'write 16']);
    assert.equal(status.condition, 'Healthy');
    assert.deepEqual([status.actualValue, status.desiredValue], [16, 16]);
    assert.equal(status.lastAttemptAt, '2026-03-04T12:00:00Z');
    assert.equal(status.decision?.generation, 1);
    assert.equal(resyncAfterSeconds, 60);
  });

  it('keeps its series while it takes longer than three intervals, and after', async () => {
    const world = await settledWorld();
    const series = /rebalancer_actual{name="example",namespace="default"} 16/;
    const read = async (): Promise<typeof world.reading> => {
      world.nowMs += 4 * MINUTE;
      assert.match(await world.scrape(), series, 'while it runs');
      return world.reading;
    };
    Object.assign(world.deps, { metricSource: { read } });
    world.nowMs += MINUTE;
    await world.sync();
    assert.match(await world.scrape(), series, 'after');
  });

  for (const [what, tookMs, resyncSeconds] of [
    ['takes less than a second', 999, 59.1],
    ['takes some seconds', 2_600, 57.4],
    ['takes longer than the interval', 90_000, 1],
    ['ends before it began, by a clock that was set back', -3_600_000, 60],
  ] as const) {
    it(`asks for the next sync an interval after its begin where it ${what}`, async () => {
      const world = rebalanceWorld();
      world.afterWrite = () => {
        world.nowMs += tookMs;
      };
      const { resyncAfterSeconds } = await world.sync();
      assert.equal(resyncAfterSeconds, resyncSeconds);
    });
  }

  it('records the change as an Event of the object', async () => {
    const world = rebalanceWorld();
    await world.sync();
    assert.deepEqual(
      world.events.map(({ regarding, type, reason }) => ({ regarding, type, reason })),
      [
        {
          regarding: {
            apiVersion: 'rebalancer.ch1aki.github.io/v1',
            kind: 'Rebalance',
            ...KEY,
            uid: 'u-1',
          },
          type: 'Normal',
          reason: 'WeightChanged',
        },
      ],
    );
  });

  it('rests on the live spec and status, whatever was posted', async () => {
    const world = rebalanceWorld();
    const forged = posted(wireSpec({ targetValue: 1 }), { failures: 99, decision: { policyWeight: 200 } });
    const { status } = await world.sync(forged);
    assert.equal(status.actualValue, 16);
    assert.equal(status.failures, 0);
  });

  it('gives the same bytes for the same input at the same time', async () => {
    const texts = await Promise.all([1, 2].map(async () => (await rebalanceWorld().sync()).text));
    assert.equal(texts[0], texts[1]);
  });

  it('is due again when the interval has passed, not a moment before', async () => {
    const world = await settledWorld();
    world.nowMs = NOON + MINUTE - 1;
    await world.settle();
    assert.deepEqual(takeCalls(world), []);
    world.nowMs = NOON + MINUTE;
    await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'set']);
  });

  it('is due at once after an edit', async () => {
    const world = await settledWorld();
    world.live = {
      ...posted(wireSpec({ maximum: 10 }), world.live?.status),
      metadata: { ...KEY, uid: 'u-1', generation: 2 },
    };
    const { status } = await world.settle();
    assert.deepEqual(takeCalls(world), ['get', 'metric', 'set', 'write 10']);
    assert.equal(status.decision?.generation, 2);
  });

  it('raises a short interval to --min-interval and says so', async () => {
    const world = rebalanceWorld('--min-interval=2m');
    const { status, resyncAfterSeconds } = await world.sync();
    assert.equal(resyncAfterSeconds, 120);
    assert.equal(conditionOf(status, 'IntervalRaised').reason, 'BelowMinInterval');
  });
});

describe('a sync of a Rebalance that is not due', () => {
  it('makes no outside call and answers the posted status byte for byte', async () => {
    const world = await settledWorld();
    const { live } = world;
    for (const afterMs of [0, 1_000, 30_000]) {
      world.nowMs = NOON + afterMs;
      const answer = await world.sync();
      assert.deepEqual(takeCalls(world), []);
      assert.equal(
        answer.text,
        JSON.stringify({
          status: live?.status,
          children: [],
          resyncAfterSeconds: (MINUTE - afterMs) / 1000,
        }),
      );
    }
    assert.deepEqual(world.events, []);
  });

  it('costs one GET when the posted object is stale, and answers the live status', async () => {
    const world = await settledWorld();
    const stale = await world.sync(posted());
    assert.deepEqual(takeCalls(world), ['get']);
    assert.deepEqual(stale.status, world.live?.status);
    assert.equal(stale.resyncAfterSeconds, 60);
  });

  it('costs one GET when it is posted twice', async () => {
    const world = rebalanceWorld();
    const first = posted();
    await world.settle();
    takeCalls(world);
    await world.sync(first);
    assert.deepEqual(takeCalls(world), ['get']);
  });

  it('costs one GET when it is forged: spec, status and generation of the caller move nothing', async () => {
    const world = await settledWorld();
    const forged = {
      metadata: { ...KEY, uid: 'u-1', generation: 77 },
      spec: wireSpec({ minimum: 255, maximum: 255 }),
      status: { lastAttemptAt: '1999-01-01T00:00:00Z' },
    };
    const answer = await world.sync(forged);
    assert.deepEqual(takeCalls(world), ['get']);
    assert.deepEqual(answer.status, world.live?.status);
  });

  it('says back only what JSON can say of a status that no cluster holds', async () => {
    const world = await settledWorld();
    const status = world.live?.status as object;
    const answer = await world.sync({
      ...posted(),
      status: { ...status, odd: [null, Infinity, { a: null, b: [] }] },
    });
    assert.deepEqual(answer.status, { ...status, odd: [{ b: [] }] });
    assert.deepEqual(takeCalls(world), []);
  });
});

describe('a sync of a Rebalance', () => {
  it('deletes no child that a controller sends with it, though it makes none', async () => {
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a', namespace: KEY.namespace } };
    const children = { 'Service.v1': { a: service } };
    for (const object of [posted(), { ...posted(), metadata: { ...posted().metadata, uid: 'gone' } }]) {
      const world = rebalanceWorld();
      const { text } = await world.sync(object, children);
      const answered = JSON.parse(text) as { readonly children: unknown };
      assert.deepEqual(answered.children, [service]);
    }
  });
});
