import assert from 'node:assert/strict';
import { err } from '../../../src/foundation/result.ts';
import { service, startWorld, widget, type World } from './world.ts';

describe('Metacontroller: the status', () => {
  let world: World;
  afterEach(() => world.stop());

  it('[status-replaced] replaces the status whole: what is left out is gone', async () => {
    world = await startWorld();
    world.hook.reply({ body: { status: { phase: 'New', seen: 1 } } });
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    world.hook.reply({ body: { status: { phase: 'Done' } } });
    await world.kubectl.update(widget('one', { size: 2 }));
    await world.metacontroller.settle();
    assert.deepEqual((await world.widget())['status'], { phase: 'Done', observedGeneration: 2 });
    world.hook.reply({ body: {} });
    await world.kubectl.update(widget('one', { size: 3 }));
    await world.metacontroller.settle();
    assert.deepEqual((await world.widget())['status'], { observedGeneration: 3 });
  });

  it('[observed-generation] stamps the generation of the posted parent on every 200, whatever the hook says', async () => {
    world = await startWorld();
    world.hook.reply({ body: { status: { observedGeneration: 99 } } });
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    assert.deepEqual((await world.widget())['status'], { observedGeneration: 1 });
  });

  it('[status-compared] writes nothing when the status is what it was', async () => {
    world = await startWorld();
    world.hook.reply({ body: { status: { phase: 'Done' } } });
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    const before = await world.widget();
    await world.kubectl.create(service('unrelated'));
    await world.kubectl.update({
      ...widget(),
      metadata: { ...widget().metadata, labels: { touched: 'yes' } },
    });
    await world.metacontroller.settle();
    const statusWrites = world.server.writes.filter(({ verb }) => verb === 'updateStatus');
    assert.equal(statusWrites.length, 1);
    assert.deepEqual((await world.widget())['status'], before['status']);
  });

  it('[status-triggers-sync] syncs once more after a status write, and for ever when the status differs at every call', async () => {
    world = await startWorld();
    world.hook.reply({ body: { status: { phase: 'Done' } } });
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    assert.equal(world.hook.bodies.length, 2);
    let calls = 0;
    world.hook.reply(() => ({ body: { status: { seen: ++calls } } }));
    await world.kubectl.update(widget('one', { size: 2 }));
    await assert.rejects(world.metacontroller.settle(), /a hot loop/);
  });

  it('[ignore-status-changes] lets a status write trigger nothing, but a spec, label or annotation change does', async () => {
    world = await startWorld({ parentResource: { ignoreStatusChanges: true } });
    let calls = 0;
    world.hook.reply(() => ({ body: { status: { seen: ++calls } } }));
    const { metadata } = widget();
    const triggers = [
      () => world.kubectl.create(widget()),
      () => world.kubectl.update(widget('one', { size: 2 })),
      () => world.kubectl.update({ ...widget('one', { size: 2 }), metadata: { ...metadata, labels: { a: 'b' } } }),
      () =>
        world.kubectl.update({
          ...widget('one', { size: 2 }),
          metadata: { ...metadata, labels: { a: 'b' }, annotations: { a: 'b' } },
        }),
    ];
    for (const [index, trigger] of triggers.entries()) {
      await trigger();
      await world.metacontroller.settle();
      assert.equal(calls, index + 1);
    }
    assert.deepEqual((await world.widget())['status'], { seen: 4, observedGeneration: 2 });
  });

  it('[stale-parent] replaces what the live status has become meanwhile, with the generation that was posted', async () => {
    world = await startWorld();
    world.hook.reply(async ({ parent }) => {
      if (parent.metadata.generation === 1) {
        await world.kubectl.update(widget('one', { size: 2 }));
        await world.kubectl.updateStatus({ ...widget(), status: { phase: 'Edited', seen: 7 } });
        return { body: { status: { phase: 'Old' } } };
      }
      return { code: 500, body: 'look at what the first sync left' };
    });
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    assert.deepEqual((await world.widget())['status'], { phase: 'Old', observedGeneration: 1 });
  });

  /** Somebody else writes the parent each time that Metacontroller has read it for its status, `times` times. */
  const interferedWith = async (times: number): Promise<void> => {
    let left = times;
    world = await startWorld({
      store: (server) => ({
        ...server,
        updateStatus: async (object) => {
          if (left > 0) await world.kubectl.updateStatus({ ...widget(), status: { seen: left-- } });
          return server.updateStatus(object);
        },
      }),
    });
    // Nothing but the first sync counts.
    world.hook.reply(({ parent }) =>
      parent['status'] === undefined ? { body: { status: { phase: 'Done' } } } : { code: 429, headers: { 'retry-after': '60' }, body: '' },
    );
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
  };

  it('[status-retried] reads again and writes again where somebody wrote in between, three times', async () => {
    await interferedWith(3);
    assert.deepEqual((await world.widget())['status'], { phase: 'Done', observedGeneration: 1 });
    assert.deepEqual(await world.syncErrors(), []);
  });

  it('[status-retried] gives up after the fourth time without a word: what was written brings the next sync', async () => {
    await interferedWith(4);
    assert.deepEqual((await world.widget())['status'], { seen: 1 });
    assert.deepEqual(await world.syncErrors(), []);
  });

  it('[status-retried] tells any other refusal in the place of what failed before', async () => {
    world = await startWorld({
      store: (server) => ({
        ...server,
        create: () => Promise.resolve(err({ reason: 'Invalid', message: 'no child' })),
        updateStatus: () => Promise.resolve(err({ reason: 'Invalid', message: 'no status' })),
      }),
    });
    world.hook.reply({ body: { children: [service()], status: { phase: 'Done' } } });
    await world.kubectl.create(widget());
    world.metacontroller.startDue();
    await world.metacontroller.idle();
    assert.deepEqual(await world.syncErrors(), ['Sync error: no status']);
  });

  it('[stale-parent] writes no status to a namesake with another uid', async () => {
    world = await startWorld();
    let calls = 0;
    world.hook.reply(async ({ parent }) => {
      calls += 1;
      if (calls > 1) return { code: 500, body: 'no' };
      await world.kubectl.remove(parent);
      await world.kubectl.create(widget());
      return { body: { status: { phase: 'Old' } } };
    });
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    assert.equal((await world.widget())['status'], undefined);
  });
});

describe('Metacontroller: when it syncs', () => {
  let world: World;
  afterEach(() => world.stop());

  it('[resync-after] syncs once more after resyncAfterSeconds; events in between cancel nothing', async () => {
    world = await startWorld();
    const times: number[] = [];
    const startMs = world.clock.nowMs();
    world.hook.reply(() => {
      times.push(world.clock.nowMs() - startMs);
      return { body: { status: { phase: 'Done' }, ...(times.length === 1 ? { resyncAfterSeconds: 30 } : {}) } };
    });
    await world.kubectl.create(widget());
    await world.pass(10_000);
    await world.kubectl.update(widget('one', { size: 2 }));
    await world.pass(100_000);
    // Each of the first two is followed by the sync that its status write brings.
    assert.deepEqual(times, [0, 0, 10_000, 10_000, 30_000]);
  });

  it('[resync-after] keeps the earliest of several pending times', async () => {
    world = await startWorld({ parentResource: { ignoreStatusChanges: true } });
    const times: number[] = [];
    const startMs = world.clock.nowMs();
    const answers = [5, 60, 0];
    world.hook.reply(() => {
      times.push(world.clock.nowMs() - startMs);
      return { body: { resyncAfterSeconds: answers.shift() ?? 0 } };
    });
    await world.kubectl.create(widget());
    await world.pass(1_000);
    await world.kubectl.update(widget('one', { size: 2 }));
    await world.pass(100_000);
    assert.deepEqual(times, [0, 1_000, 5_000]);
  });

  it('[resync-after] with ignoreStatusChanges, 4 s are one sync every 4 s, although each writes a status', async () => {
    world = await startWorld({ parentResource: { ignoreStatusChanges: true } });
    let calls = 0;
    world.hook.reply(() => ({ body: { status: { seen: ++calls }, resyncAfterSeconds: 4 } }));
    await world.kubectl.create(widget());
    await world.pass(40_000);
    assert.equal(calls, 11);
  });

  it('[resync-period] syncs every parent once a period, with or without ignoreStatusChanges', async () => {
    for (const ignoreStatusChanges of [false, true]) {
      world = await startWorld({
        controller: { resyncPeriodSeconds: 30 },
        parentResource: { ignoreStatusChanges },
      });
      world.hook.reply({ body: {} });
      await world.kubectl.create(widget('one'));
      await world.kubectl.create(widget('two'));
      await world.metacontroller.settle();
      const settled = world.hook.bodies.length;
      await world.pass(90_000);
      assert.equal(world.hook.bodies.length - settled, 6);
      await world.stop();
    }
  });

  it('[one-at-a-time] never has two syncs of one parent; an event meanwhile brings one more afterwards', async () => {
    world = await startWorld({ parentResource: { ignoreStatusChanges: true } });
    let running = 0;
    let most = 0;
    world.hook.reply(async ({ parent }) => {
      running += 1;
      most = Math.max(most, running);
      if (parent.metadata.generation === 1) {
        await world.kubectl.update(widget('one', { size: 2 }));
        await world.kubectl.update(widget('one', { size: 3 }));
      }
      running -= 1;
      return { body: {} };
    });
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    assert.equal(most, 1);
    assert.deepEqual(
      world.hook.bodies.map(({ parent }) => parent.metadata.generation),
      [1, 3],
    );
  });

  it('[workers] syncs different parents at the same time, five by default', async () => {
    for (const { workers, together } of [
      { workers: undefined, together: 5 },
      { workers: 2, together: 2 },
    ]) {
      world = await startWorld({
        parentResource: { ignoreStatusChanges: true },
        ...(workers === undefined ? {} : { workers }),
      });
      let waiting: (() => void)[] = [];
      const groups: number[] = [];
      world.hook.reply(
        () =>
          new Promise((resolve) => {
            waiting.push(() => resolve({ body: {} }));
            if (waiting.length < together) return;
            // All that may run together are here: nobody else comes until one of them is answered.
            groups.push(waiting.length);
            for (const answer of waiting) answer();
            waiting = [];
          }),
      );
      for (let index = 0; index < together * 2; index += 1) await world.kubectl.create(widget(`w${index}`));
      await world.metacontroller.settle();
      assert.deepEqual(groups, [together, together]);
      await world.stop();
    }
  });

  it('does not call the hook for a parent that is gone', async () => {
    world = await startWorld();
    await world.kubectl.create(widget());
    await world.kubectl.remove(await world.widget());
    const reports = await world.metacontroller.settle();
    assert.deepEqual(
      reports.map(({ outcome }) => outcome.kind),
      ['ParentGone'],
    );
    assert.equal(world.hook.bodies.length, 0);
  });
});
