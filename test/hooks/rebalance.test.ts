import assert from 'node:assert/strict';
import { err, ok } from '../../src/foundation/result.ts';
import type { RebalanceStatus } from '../../src/rebalance/status.ts';
import type { TargetFailure } from '../../src/rebalance/targets/port.ts';
import { MINUTE, NOON, severalTarget, wireSpec } from '../support/rebalance.ts';
import { KEY, posted, rebalanceWorld, value, type RebalanceWorld } from '../support/rebalance-world.ts';

function conditionOf(status: RebalanceStatus, type: string) {
  const found = status.conditions?.find((condition) => condition.type === type);
  assert.ok(found, `no condition ${type}`);
  return found;
}

function callsOf(world: RebalanceWorld): readonly string[] {
  return world.calls.splice(0);
}

const UNREACHABLE: TargetFailure = {
  reason: 'TargetUnreachable',
  message: 'no connection to Route 53',
  outcomeUnknown: false,
};

/** A world whose object was evaluated once, at noon, with nothing left to do. */
async function settledWorld(...flags: readonly string[]): Promise<RebalanceWorld> {
  const world = rebalanceWorld(...flags);
  await world.settle();
  world.calls.length = 0;
  world.events.length = 0;
  return world;
}

describe('a sync of a Rebalance', () => {
  describe('that is due', () => {
    it('reads the live object, asks the query, reads the set, writes: 3000/1000/8 gives 16', async () => {
      const world = rebalanceWorld();
      const { code, status, resyncAfterSeconds } = await world.sync();
      assert.equal(code, 200);
      assert.deepEqual(callsOf(world), ['get', 'metric', 'set', 'write 16']);
      assert.equal(status.condition, 'Healthy');
      assert.deepEqual([status.actualValue, status.desiredValue], [16, 16]);
      assert.equal(status.lastAttemptAt, '2026-03-04T12:00:00Z');
      assert.equal(status.decision?.generation, 1);
      assert.equal(resyncAfterSeconds, 60);
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
      assert.deepEqual(callsOf(world), []);
      world.nowMs = NOON + MINUTE;
      await world.settle();
      assert.deepEqual(callsOf(world), ['get', 'metric', 'set']);
    });

    it('is due at once after an edit', async () => {
      const world = await settledWorld();
      world.live = {
        ...posted(wireSpec({ maximum: 10 }), world.live?.status),
        metadata: { ...KEY, uid: 'u-1', generation: 2 },
      };
      const { status } = await world.settle();
      assert.deepEqual(callsOf(world), ['get', 'metric', 'set', 'write 10']);
      assert.equal(status.decision?.generation, 2);
    });

    it('raises a short interval to --min-interval and says so', async () => {
      const world = rebalanceWorld('--min-interval=2m');
      const { status, resyncAfterSeconds } = await world.sync();
      assert.equal(resyncAfterSeconds, 120);
      assert.equal(conditionOf(status, 'IntervalRaised').reason, 'BelowMinInterval');
    });
  });

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

  describe('with several metrics and guards', () => {
    const query = (text: string) => ({ address: 'http://prometheus:9090', query: text });
    const wire = wireSpec(
      {},
      {
        additionalMetrics: [{ name: 'queue', targetValue: 100, prometheus: query('queue') }],
        guards: [{ name: 'errors', stops: 'Increase', prometheus: query('errors') }],
      },
    );
    /** The README example with a queue that asks for 32 and a guard that is open. */
    function severalWorld(): RebalanceWorld {
      const world = rebalanceWorld();
      world.live = posted(wire);
      world.readings = { queue: value('500'), errors: value('0.01') };
      return world;
    }

    it('asks every query once and follows the metric that asks for the most', async () => {
      const world = severalWorld();
      const { status } = await world.settle();
      assert.deepEqual(callsOf(world), ['get', 'metric', 'metric', 'metric', 'set', 'write 32']);
      assert.equal(status.decision?.metric, 'queue');
      assert.equal(status.metric?.value, '3000');
      assert.deepEqual(
        [status.metrics, status.guards].map((values) => values?.map(({ name, value: text }) => [name, text])),
        [[['queue', '500']], [['errors', '0.01']]],
      );
    });

    it('writes nothing while a guard is closed or cannot be read, and says which', async () => {
      const world = severalWorld();
      for (const reading of [
        value('0'),
        ok({ kind: 'NoData', reason: 'NotANumber', message: 'NaN' } as const),
      ]) {
        world.readings = { ...world.readings, errors: reading };
        const { status } = await world.settle();
        assert.ok(!callsOf(world).some((call) => call.startsWith('write')));
        assert.equal(conditionOf(status, 'Ready').reason, 'GuardStopped');
        assert.match(conditionOf(status, 'GuardsPassed').message, /^guard "errors"/);
        world.nowMs += MINUTE;
      }
    });

    it('lets the weight rise without one metric, and fall only when it is back', async () => {
      const world = severalWorld();
      await world.settle();
      const failure = {
        reason: 'QueryRejected',
        message: 'spec.additionalMetrics[0].prometheus.query: no',
      } as const;
      world.readings = { queue: err(failure), errors: value('1') };
      callsOf(world);
      world.nowMs += MINUTE;
      const { status } = await world.settle();
      assert.deepEqual(callsOf(world), ['get', 'metric', 'metric', 'metric', 'set']);
      assert.equal(status.condition, 'Error');
      assert.match(
        conditionOf(status, 'Ready').message,
        /^metric "queue": spec\.additionalMetrics\[0\]\.prometheus\.query: no; .* the policy stays at 32$/,
      );
      world.readings = { queue: value('100'), errors: value('1') };
      world.nowMs += MINUTE;
      await world.settle();
      assert.ok(callsOf(world).includes('write 16'));
    });
  });

  describe('that is not due', () => {
    it('makes no outside call and answers the posted status byte for byte', async () => {
      const world = await settledWorld();
      const { live } = world;
      for (const afterMs of [0, 1_000, 30_000]) {
        world.nowMs = NOON + afterMs;
        const answer = await world.sync();
        assert.deepEqual(callsOf(world), []);
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
      assert.deepEqual(callsOf(world), ['get']);
      assert.deepEqual(stale.status, world.live?.status);
      assert.equal(stale.resyncAfterSeconds, 60);
    });

    it('costs one GET when it is posted twice', async () => {
      const world = rebalanceWorld();
      const first = posted();
      await world.settle();
      callsOf(world);
      await world.sync(first);
      assert.deepEqual(callsOf(world), ['get']);
    });

    it('costs one GET when it is forged: spec, status and generation of the caller move nothing', async () => {
      const world = await settledWorld();
      const forged = {
        metadata: { ...KEY, uid: 'u-1', generation: 77 },
        spec: wireSpec({ minimum: 255, maximum: 255 }),
        status: { lastAttemptAt: '1999-01-01T00:00:00Z' },
      };
      const answer = await world.sync(forged);
      assert.deepEqual(callsOf(world), ['get']);
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
      assert.deepEqual(callsOf(world), []);
    });
  });

  describe('of an object that is gone', () => {
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
        assert.deepEqual(callsOf(world), calls);
      });
    }

    it('being deleted by the posted body: not even a GET', async () => {
      const world = await settledWorld();
      const metadata = { ...KEY, uid: 'u-1', generation: 1, deletionTimestamp: '2026-03-04T11:59:00Z' };
      const answer = await world.sync({ ...posted(), metadata });
      assert.deepEqual([answer.code, answer.status], [200, {}]);
      assert.deepEqual(callsOf(world), []);
    });
  });

  describe('that cannot be verified', () => {
    for (const kind of ['Unavailable', 'Forbidden'] as const) {
      it(`is a 503 that touches nothing: ${kind}`, async () => {
        const world = rebalanceWorld();
        world.apiFailure = { kind, message: 'the API said no' };
        const answer = await world.sync();
        assert.deepEqual(
          [answer.code, answer.text],
          [503, 'cannot verify Rebalance default/example: the API said no\n'],
        );
        assert.deepEqual(callsOf(world), ['get']);
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
      assert.deepEqual(callsOf(world), ['metric', 'set', 'write 16']);
    });
  });

  describe('holds', () => {
    it('a bad spec: nothing asked, the field named, the attempt counted, tried again after a minute', async () => {
      const world = rebalanceWorld();
      world.live = posted(wireSpec({ targetValue: -1 }));
      const { code, status, resyncAfterSeconds } = await world.settle();
      assert.equal(code, 200);
      assert.deepEqual(callsOf(world), ['get']);
      const valid = conditionOf(status, 'SpecValid');
      assert.equal(valid.status, 'False');
      assert.match(valid.message, /^spec\.policy\.targettracking\.targetValue: /);
      assert.equal(status.lastAttemptAt, '2026-03-04T12:00:00Z');
      assert.equal(resyncAfterSeconds, 60);
      assert.deepEqual(
        world.events.map(({ type, reason }) => [type, reason]),
        [['Warning', 'InvalidField']],
      );
    });

    it('whatever a spec is, one minute is its interval and no neighbour is disturbed', async () => {
      for (const spec of [
        undefined,
        null,
        'x',
        [],
        {},
        { interval: {} },
        { policy: { targettracking: null } },
      ]) {
        const world = rebalanceWorld();
        world.live = { ...posted(), spec };
        const { code, resyncAfterSeconds } = await world.settle();
        assert.deepEqual([code, resyncAfterSeconds], [200, 60]);
        assert.deepEqual(callsOf(world), ['get']);
      }
    });

    it('whatever a status is, it never makes a body refused', async () => {
      for (const status of [
        null,
        'x',
        [],
        7,
        { decision: 'x', change: [], conditions: {}, lastAttemptAt: 'x' },
      ]) {
        const world = rebalanceWorld();
        world.live = posted(wireSpec(), status);
        assert.equal((await world.sync()).status.actualValue, 16);
      }
    });

    it('suspend: neither Prometheus nor Route 53, last values kept', async () => {
      const world = await settledWorld();
      world.live = {
        metadata: { ...KEY, uid: 'u-1', generation: 2 },
        spec: wireSpec({}, { suspend: true }),
        status: world.live?.status,
      };
      const { status } = await world.settle();
      assert.deepEqual(callsOf(world), ['get']);
      assert.equal(conditionOf(status, 'Ready').reason, 'Suspended');
      assert.deepEqual([status.actualValue, status.decision?.generation], [16, 2]);
    });

    for (const [name, world] of [
      ['dryRun', () => Object.assign(rebalanceWorld(), { live: posted(wireSpec({}, { dryRun: true })) })],
      ['--observe-only', () => rebalanceWorld('--observe-only')],
    ] as const) {
      it(`${name}: everything but the write`, async () => {
        const dry = world();
        const { status } = await dry.settle();
        assert.deepEqual(callsOf(dry), ['get', 'metric', 'set']);
        assert.deepEqual([status.actualValue, status.desiredValue], [1, 16]);
        assert.deepEqual(dry.weights, [1, 8]);
      });
    }
  });

  describe('writes', () => {
    it('nothing when DNS already holds the weight', async () => {
      const world = rebalanceWorld();
      world.weights = [16, 8];
      await world.sync();
      assert.deepEqual(callsOf(world), ['get', 'metric', 'set']);
    });

    it('nothing on what another sync read, if that needs no change', async () => {
      const world = rebalanceWorld();
      world.sharedWeights = [16, 8];
      await world.sync();
      assert.deepEqual(callsOf(world), ['get', 'metric', 'shared set']);
    });

    it('only what it decides on a reading of its own', async () => {
      const world = rebalanceWorld();
      world.sharedWeights = [1, 8];
      await world.sync();
      assert.deepEqual(callsOf(world), ['get', 'metric', 'shared set', 'set', 'write 16']);
    });

    it('nothing where a reading of its own shows that nothing is to be done any more', async () => {
      const world = rebalanceWorld();
      world.sharedWeights = [1, 8];
      world.weights = [16, 8];
      const { status } = await world.sync();
      assert.deepEqual(callsOf(world), ['get', 'metric', 'shared set', 'set']);
      assert.equal(status.actualValue, 16);
    });

    it('at the longer interval that the budget of Route 53 leaves, and says so', async () => {
      const world = rebalanceWorld();
      world.shortestIntervalMs = 300_000;
      const { status, resyncAfterSeconds } = await world.settle();
      assert.equal(resyncAfterSeconds, 300);
      const raised = status.conditions?.find(({ type }) => type === 'IntervalRaised');
      assert.equal(raised?.reason, 'Route53Budget');
      world.nowMs += 299_000;
      const early = await world.settle();
      assert.equal(early.resyncAfterSeconds, 1);
    });

    it('0 and looks again: another record went to 0 meanwhile, so 1 is written', async () => {
      const world = rebalanceWorld();
      world.reading = value('0');
      world.afterWrite = () => (world.weights = [world.weights[0] ?? 0, 0]);
      const { status } = await world.settle();
      assert.deepEqual(callsOf(world), ['get', 'metric', 'set', 'write 0', 'set', 'write 1']);
      assert.equal(status.actualValue, 1);
      assert.deepEqual(world.weights, [1, 0]);
    });

    it('0 and looks again: the others carry the set, so 0 stays', async () => {
      const world = rebalanceWorld();
      world.reading = value('0');
      const { status } = await world.settle();
      assert.deepEqual(callsOf(world), ['get', 'metric', 'set', 'write 0', 'set']);
      assert.equal(status.actualValue, 0);
    });

    it('0 and cannot look again, or cannot write 1: says so', async () => {
      const blind = rebalanceWorld();
      blind.reading = value('0');
      blind.afterWrite = () => (blind.setFailure = UNREACHABLE);
      assert.equal(conditionOf((await blind.settle()).status, 'Ready').reason, 'TargetUnreachable');

      const bound = rebalanceWorld();
      bound.reading = value('0');
      bound.afterWrite = () => {
        bound.weights = [0, 0];
        bound.writeFailure = UNREACHABLE;
      };
      const { status } = await bound.settle();
      assert.deepEqual(callsOf(bound), ['get', 'metric', 'set', 'write 0', 'set', 'write 1']);
      assert.deepEqual([conditionOf(status, 'Ready').reason, status.actualValue], ['TargetUnreachable', 0]);
    });

    describe('several records at once', () => {
      const severalWorld = (...weights: readonly number[]) => {
        const world = rebalanceWorld();
        world.live = posted(wireSpec({}, { target: severalTarget([3, 1]) }));
        return Object.assign(world, { weights, owned: 2 });
      };
      const partsOf = ({ resources = [] }: RebalanceStatus) => resources.map((each) => each.actualValue);

      it('by their shares, and nothing once they have their parts', async () => {
        const world = severalWorld(1, 0, 8);
        const { status } = await world.settle();
        assert.deepEqual(callsOf(world), ['get', 'metric', 'set', 'write 12 4']);
        assert.deepEqual([status.actualValue, partsOf(status)], [16, [12, 4]]);
        world.nowMs += MINUTE;
        await world.settle();
        assert.deepEqual(callsOf(world), ['get', 'metric', 'set']);
        assert.deepEqual(world.weights, [12, 4, 8]);
      });

      it('of which only one differs: that one', async () => {
        const world = severalWorld(12, 9, 8);
        const { status } = await world.settle();
        assert.deepEqual(callsOf(world), ['get', 'metric', 'set', 'write 4']);
        assert.deepEqual(partsOf(status), [12, 4]);
      });

      it('to 0, and rescues the set by the record that has most of it', async () => {
        const world = severalWorld(1, 1, 8);
        world.reading = value('0');
        world.afterWrite = () => (world.weights = [...world.weights.slice(0, 2), 0]);
        const { status } = await world.settle();
        assert.deepEqual(callsOf(world), ['get', 'metric', 'set', 'write 0 0', 'set', 'write 1']);
        assert.deepEqual(world.weights, [1, 0, 0]);
        assert.deepEqual([status.actualValue, status.desiredValue, partsOf(status)], [1, 0, [1, 0]]);
      });

      it('to 0, while somebody gives one of them a weight: that stands until the next evaluation', async () => {
        const world = severalWorld(1, 1, 8);
        world.reading = value('0');
        world.afterWrite = () => (world.weights = [0, 3, 0]);
        const { status } = await world.settle();
        assert.deepEqual(callsOf(world), ['get', 'metric', 'set', 'write 0 0', 'set']);
        assert.deepEqual([status.actualValue, world.weights], [0, [0, 3, 0]]);
      });
    });

    it('a refused write leaves the weight read, and is tried again at most a minute later', async () => {
      const world = rebalanceWorld();
      world.live = posted(wireSpec({}, { interval: '1h' }));
      world.writeFailure = { reason: 'Throttled', message: 'Rate exceeded', outcomeUnknown: false };
      const { status, resyncAfterSeconds } = await world.settle();
      assert.deepEqual([status.condition, status.actualValue, status.desiredValue], ['Error', 1, 16]);
      assert.equal(resyncAfterSeconds, 60);
    });

    it('a record that a shared list does not have is looked for once more, in a list of its own', async () => {
      for (const reason of ['RecordNotFound', 'RecordNotWeighted'] as const) {
        const world = rebalanceWorld();
        world.sharedFailure = { reason, message: 'not there a moment ago', outcomeUnknown: false };
        const { status } = await world.settle();
        assert.deepEqual(callsOf(world), ['get', 'metric', 'set', 'set', 'write 16']);
        assert.equal(status.actualValue, 16);
      }
    });

    it('another failure of a shared list is one, and nothing more is asked', async () => {
      const world = rebalanceWorld();
      world.sharedFailure = UNREACHABLE;
      const { status } = await world.settle();
      assert.deepEqual(callsOf(world), ['get', 'metric', 'set']);
      assert.equal(status.condition, 'Error');
    });

    it('nothing is decided when the set cannot be read', async () => {
      const world = await settledWorld();
      world.nowMs += MINUTE;
      world.setFailure = UNREACHABLE;
      const { status } = await world.settle();
      assert.deepEqual(callsOf(world), ['get', 'metric', 'set']);
      assert.deepEqual([status.condition, status.desiredValue], ['Error', 16]);
    });
  });

  describe('follows a pending change', () => {
    async function pendingWorld(): Promise<RebalanceWorld> {
      const world = rebalanceWorld();
      world.change = ok({ id: 'C7', status: 'PENDING' });
      await world.settle();
      callsOf(world);
      return world;
    }

    it('asks about it alone when it is 10 s old, and writes only change and TargetSynced', async () => {
      const world = await pendingWorld();
      const before = world.live?.status as RebalanceStatus;
      world.nowMs = NOON + 9_999;
      assert.equal((await world.settle()).resyncAfterSeconds, 1);
      assert.deepEqual(callsOf(world), []);

      world.nowMs = NOON + 10_000;
      world.change = ok({ id: 'C7', status: 'INSYNC' });
      const { status, resyncAfterSeconds } = await world.settle();
      assert.deepEqual(callsOf(world), ['get', 'change C7']);
      assert.equal(status.change?.status, 'INSYNC');
      assert.equal(conditionOf(status, 'TargetSynced').status, 'True');
      assert.equal(status.lastAttemptAt, before.lastAttemptAt);
      assert.equal(resyncAfterSeconds, 50);
    });

    it('asks about it in the same call before a load is judged, since the load answers to it', async () => {
      const world = await pendingWorld();
      const metrics = { prometheus: { address: 'http://prometheus:9090', query: 'load', window: '1m' } };
      world.live = {
        ...posted(wireSpec({ signal: 'load' }, { metrics }), world.live?.status),
        metadata: { ...KEY, uid: 'u-1', generation: 2 },
      };
      world.nowMs = NOON + 5_000;
      world.change = ok({ id: 'C7', status: 'INSYNC' });
      const { status } = await world.settle();
      assert.deepEqual(callsOf(world).slice(0, 2), ['get', 'change C7']);
      assert.equal(status.change?.status, 'INSYNC');
    });

    it('asks again 10 s after it was last asked', async () => {
      const world = await pendingWorld();
      world.nowMs = NOON + 10_000;
      await world.settle();
      assert.deepEqual(callsOf(world), ['get', 'change C7']);
      world.nowMs = NOON + 19_999;
      await world.settle();
      assert.deepEqual(callsOf(world), []);
    });

    it('says when it cannot be asked', async () => {
      const world = await pendingWorld();
      world.nowMs = NOON + 10_000;
      world.change = err({ reason: 'AccessDenied', message: 'no route53:GetChange', outcomeUnknown: false });
      const { status } = await world.settle();
      assert.equal(conditionOf(status, 'TargetSynced').reason, 'AccessDenied');
    });

    it('asks nothing once suspended', async () => {
      const world = await pendingWorld();
      world.live = {
        metadata: { ...KEY, uid: 'u-1', generation: 2 },
        spec: wireSpec({}, { suspend: true }),
        status: world.live?.status,
      };
      await world.settle();
      assert.deepEqual(callsOf(world), ['get']);
      world.nowMs = NOON + 30_000;
      const { resyncAfterSeconds } = await world.settle();
      assert.deepEqual(callsOf(world), []);
      assert.equal(resyncAfterSeconds, 30);
    });
  });

  describe('reads Secrets by name', () => {
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
      assert.deepEqual(callsOf(world), ['get', 'secret default/login', 'metric', 'set', 'write 16']);
      world.nowMs += MINUTE;
      await world.settle();
      assert.deepEqual(callsOf(world), ['get', 'secret default/login', 'metric', 'set']);
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
          assert.ok(!callsOf(world).some((call) => call.startsWith('secret')));
      });
    }

    it('of another namespace where the operator allows it', async () => {
      const world = rebalanceWorld('--allow-cross-namespace-secrets');
      world.live = posted(withLogin('other'));
      world.secrets = { 'other/login': { user: 'u', password: 'p' } };
      assert.equal((await world.settle()).status.actualValue, 16);
    });
  });
});
