import assert from 'node:assert/strict';
import { startDeadline } from '../../src/foundation/deadline.ts';
import { err, ok, type Result } from '../../src/foundation/result.ts';
import { createRivalReader, type RivalReader } from '../../src/hooks/rival-reader.ts';
import type { ApiFailure, KubernetesApi } from '../../src/kubernetes/api.ts';
import type { ObservedMetadata, ObservedObject } from '../../src/kubernetes/objects.ts';
import { MINUTE, NOON, wireSpec } from '../support/rebalance.ts';
import { KEY, posted, rebalanceWorld, type PostedObject } from '../support/rebalance-world.ts';

const CREATED = '2026-01-02T00:00:00Z';

function ours(spec: unknown = wireSpec()): PostedObject {
  return { ...posted(spec), metadata: { ...KEY, uid: 'u-1', generation: 1, creationTimestamp: CREATED } };
}

/** Another Rebalance on the same record; older where nothing is said. */
function rival(metadata: Partial<ObservedMetadata> = {}, spec: unknown = wireSpec()): PostedObject {
  const creationTimestamp = '2026-01-01T00:00:00Z';
  return {
    metadata: { namespace: 'team', name: 'first', uid: 'u-0', generation: 1, creationTimestamp, ...metadata },
    spec,
  };
}

describe('a Rebalance whose record an older one steers', () => {
  it('asks nothing, writes nothing, names the other, and tells it once', async () => {
    const world = rebalanceWorld();
    world.live = ours();
    world.rivals = [rival()];
    const { status, resyncAfterSeconds } = await world.settle();
    assert.deepEqual(world.calls, ['get']);
    const [ready] = status.conditions ?? [];
    assert.deepEqual(
      [ready?.type, ready?.status, ready?.reason, ready?.message],
      [
        'Ready',
        'False',
        'Conflict',
        'Rebalance team/first, which is older, steers the same record of zone Z0123456789: delete one of the two, or let it steer another record',
      ],
    );
    assert.deepEqual(
      [status.condition, status.actualValue, resyncAfterSeconds],
      ['Unhealthy', undefined, 60],
    );

    world.nowMs += MINUTE;
    await world.settle();
    assert.deepEqual(
      world.events.map(({ type, reason }) => [type, reason]),
      [['Warning', 'Conflict']],
    );
  });

  it('takes over at its next attempt once the older one is gone', async () => {
    const world = rebalanceWorld();
    world.live = ours();
    world.rivals = [rival()];
    await world.settle();
    world.rivals = [];
    world.nowMs = NOON + MINUTE;
    const { status } = await world.settle();
    assert.deepEqual([status.condition, status.actualValue], ['Healthy', 16]);
  });

  const harmless: Readonly<Record<string, PostedObject>> = {
    younger: rival({ creationTimestamp: '2026-01-03T00:00:00Z' }),
    'being deleted': rival({ deletionTimestamp: CREATED }),
    suspended: rival({}, wireSpec({}, { suspend: true })),
    'a dry run': rival({}, wireSpec({}, { dryRun: true })),
    'invalid in its spec': rival({}, wireSpec({ targetValue: -1 })),
  };
  for (const [how, other] of Object.entries(harmless)) {
    it(`is held back by none that is ${how}`, async () => {
      const world = rebalanceWorld();
      world.live = ours();
      world.rivals = [other];
      assert.equal((await world.sync()).status.actualValue, 16);
    });
  }

  it('shows as a dry run what it would write, and lists nobody', async () => {
    for (const [flags, spec] of [
      [[], wireSpec({}, { dryRun: true })],
      [['--observe-only'], wireSpec()],
    ] as const) {
      const world = rebalanceWorld(...flags);
      world.live = ours(spec);
      world.rivals = [rival()];
      const { status } = await world.sync();
      assert.deepEqual([status.desiredValue, world.lists], [16, 0]);
    }
  });

  it('is not looked for with --verify-parent=false', async () => {
    const world = rebalanceWorld('--verify-parent=false');
    world.live = ours();
    world.rivals = [rival()];
    assert.deepEqual([(await world.sync()).status.actualValue, world.lists], [16, 0]);
  });
});

describe('a Rebalance that cannot learn who else steers its record', () => {
  it('writes nothing on a guess and says why; with the list, it goes on', async () => {
    const world = rebalanceWorld();
    world.live = ours();
    world.listFailure = { kind: 'Forbidden', message: 'rebalances is forbidden' };
    const { status } = await world.settle();
    assert.deepEqual(world.calls, ['get']);
    const [ready] = status.conditions ?? [];
    assert.deepEqual([status.condition, ready?.reason], ['Error', 'RivalsUnknown']);
    assert.match(ready?.message ?? '', /may steer the same record: rebalances is forbidden$/);

    world.listFailure = undefined;
    world.nowMs += MINUTE;
    assert.equal((await world.settle()).status.actualValue, 16);
    assert.deepEqual(
      world.events.map(({ reason }) => reason),
      ['RivalsUnknown', 'WeightChanged', 'Recovered'],
    );
  });
});

describe('a reader of rivals', () => {
  let lists: number;
  let listed: Result<readonly ObservedObject[], ApiFailure>;
  let reader: RivalReader;
  const object = (uid: string): ObservedObject => ({
    apiVersion: 'rebalancer.ch1aki.github.io/v1',
    kind: 'Rebalance',
    ...rival({ uid }),
  });
  const api = {
    list: () => {
      lists += 1;
      return Promise.resolve(listed);
    },
  } as Partial<KubernetesApi> as KubernetesApi;
  const read = async (uid: string, nowMs = NOON): Promise<string | undefined> => {
    const holders = await reader.read({ uid, nowMs, deadline: startDeadline(1_000) });
    return holders.ok
      ? [...holders.value.values()].map((holder) => holder.uid).join(' ')
      : holders.error.message;
  };

  beforeEach(() => {
    lists = 0;
    listed = ok(Array.from({ length: 200 }, (_, index) => object(`u-${index}`)));
    reader = createRivalReader(api);
  });

  it('lists once for 200 objects that ask within a few seconds, together or one after the other', async () => {
    await Promise.all(Array.from({ length: 200 }, (_, index) => read(`u-${index}`, NOON + index * 25)));
    for (let index = 0; index < 200; index += 1) await read(`u-${index}`, NOON + 5_000);
    assert.equal(lists, 1);
    await read('u-0', NOON + 5_001);
    assert.equal(lists, 2);
  });

  it('lists anew for those whom the last list does not know, once for all of them', async () => {
    await read('u-0');
    listed = ok([object('u-new'), object('u-newer')]);
    assert.deepEqual(await Promise.all([read('u-new'), read('u-newer')]), ['u-new', 'u-new']);
    assert.equal(lists, 2);
  });

  it('asks nobody twice who is in no list', async () => {
    assert.equal(await read('u-gone'), 'u-0');
    assert.equal(lists, 1);
  });

  it('keeps no failure', async () => {
    const good = listed;
    listed = err({ kind: 'Unavailable', message: 'too busy' });
    assert.deepEqual(await Promise.all([read('u-0'), read('u-1')]), ['too busy', 'too busy']);
    listed = good;
    assert.equal(await read('u-0'), 'u-0');
    listed = err({ kind: 'Unavailable', message: 'too busy' });
    assert.equal(await read('u-new'), 'too busy');
  });

  it('is not misled by a clock that was set back', async () => {
    await read('u-0', NOON);
    await read('u-0', NOON - MINUTE);
    assert.equal(lists, 2);
  });

  it('says that there is no API', async () => {
    reader = createRivalReader(undefined);
    assert.equal(await read('u-0'), 'there is no Kubernetes API');
  });
});
