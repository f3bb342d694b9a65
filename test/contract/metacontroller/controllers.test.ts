import assert from 'node:assert/strict';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { createApiServer } from '../../support/api-server/server.ts';
import { recordAt } from '../../support/json.ts';
import type { ControllerReport } from '../../support/metacontroller/follow.ts';
import { startHookServer } from '../../support/metacontroller/hook-server.ts';
import { startMetacontroller } from '../../support/metacontroller/metacontroller.ts';
import { passTime } from '../../support/metacontroller/pass-time.ts';
import type { Store } from '../../support/metacontroller/store.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { startWorld, widget, type World } from './world.ts';

describe('Metacontroller: starting a controller', () => {
  async function start(spec: Readonly<Record<string, unknown>>): Promise<string> {
    const clock = createVirtualClock();
    const store = createApiServer(clock).as('metacontroller');
    const base = {
      parentResource: { apiVersion: 'apps/v1', resource: 'deployments' },
      generateSelector: true,
      hooks: { sync: { webhook: { url: 'http://127.0.0.1:1' } } },
    };
    await store.create({
      apiVersion: 'metacontroller.k8s.io/v1alpha1',
      kind: 'CompositeController',
      metadata: { name: 'c' },
      spec: { ...base, ...spec },
    });
    const reports: ControllerReport[] = [];
    const metacontroller = await startMetacontroller({
      store,
      clock,
      onController: (report) => void reports.push(report),
    });
    await metacontroller.stop();
    return reports.map(({ failure }) => failure?.message ?? 'started').join();
  }

  it('starts one whose kinds are all served', async () => {
    assert.equal(await start({ childResources: [{ apiVersion: 'v1', resource: 'services' }] }), 'started');
  });

  it('[missing-kind] does not start one with a child kind whose CRD is missing', async () => {
    assert.equal(
      await start({
        childResources: [
          { apiVersion: 'v1', resource: 'services' },
          { apiVersion: 'cert-manager.io/v1', resource: 'certificates' },
        ],
      }),
      'certificates of cert-manager.io/v1 is not served: install its CRD',
    );
  });

  it('does not start one whose parent kind is missing', async () => {
    assert.equal(
      await start({ parentResource: { apiVersion: 'example.com/v1', resource: 'gadgets' } }),
      'gadgets of example.com/v1 is not served: install its CRD',
    );
  });

  it('[parent-needs-status] ignores one whose parents have no status subresource', async () => {
    assert.equal(
      await start({ parentResource: { apiVersion: 'v1', resource: 'configmaps' } }),
      'configmaps have no status subresource',
    );
  });

  it('refuses what the double does not play: finalize hooks, customize hooks, hook version v2', async () => {
    const sync = { webhook: { url: 'http://127.0.0.1:1' } };
    assert.match(await start({ hooks: { sync, finalize: sync } }), /spec\.hooks: Unrecognized key/);
    assert.match(await start({ hooks: { sync: { ...sync, version: 'v2' } } }), /hooks\.sync\.version/);
  });
});

const CONTROLLER = { apiVersion: 'metacontroller.k8s.io/v1alpha1', kind: 'CompositeController' };

async function controllerIn(store: Store): Promise<ObservedObject> {
  const [controller] = await store.list(CONTROLLER);
  assert.ok(controller);
  return controller;
}

/** The messages of the Events about CompositeControllers. */
async function toldOf(store: Store): Promise<readonly string[]> {
  const events = await store.list({ apiVersion: 'v1', kind: 'Event' });
  return events
    .filter(({ involvedObject }) => recordAt(involvedObject)['kind'] === CONTROLLER.kind)
    .map(({ message }) => String(message))
    .sort();
}

describe('Metacontroller: following its CompositeControllers', () => {
  let world: World;
  afterEach(() => world.stop());

  async function applyWith(webhook: object): Promise<void> {
    const controller = await controllerIn(world.kubectl);
    const spec = recordAt(controller, 'spec');
    await world.kubectl.update({ ...controller, spec: { ...spec, hooks: { sync: { webhook } } } });
  }

  it('[follows-controllers] syncs every parent for a controller that comes later', async () => {
    world = await startWorld();
    const controller = await controllerIn(world.kubectl);
    await world.kubectl.remove(controller);
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    assert.equal(world.hook.bodies.length, 0);
    await world.kubectl.create({ ...CONTROLLER, metadata: { name: 'later' }, spec: controller['spec'] });
    await world.metacontroller.settle();
    assert.equal(world.hook.bodies[0]?.controller.metadata.name, 'later');
    assert.deepEqual(await toldOf(world.kubectl), [
      'Started controller: later',
      'Started controller: widgets',
      'Stopped controller: widgets',
    ]);
  });

  it('[follows-controllers] asks the hook of another spec, of every parent anew, and the former no more', async () => {
    world = await startWorld();
    const other = await startHookServer();
    try {
      await world.kubectl.create(widget());
      await world.metacontroller.settle();
      const asked = world.hook.bodies.length;
      await applyWith({ url: other.url });
      await world.metacontroller.settle();
      assert.equal(other.bodies[0]?.parent.metadata.name, 'one');
      assert.equal(world.hook.bodies.length, asked);
    } finally {
      await other.stop();
    }
  });

  it('[follows-controllers] goes on as it was when nothing of the spec changes', async () => {
    world = await startWorld();
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    const asked = world.hook.bodies.length;
    const { metadata, ...rest } = await controllerIn(world.kubectl);
    await world.kubectl.update({ ...rest, metadata: { ...metadata, labels: { touched: 'yes' } } });
    await world.metacontroller.settle();
    assert.equal(world.hook.bodies.length, asked);
    assert.deepEqual(await toldOf(world.kubectl), ['Started controller: widgets']);
  });

  it('[controller-stopped] gives up the call that a deleted controller has open, and touches nothing', async () => {
    world = await startWorld();
    world.hook.reply('Never');
    await world.kubectl.create(widget());
    world.metacontroller.startDue();
    await world.kubectl.remove(await controllerIn(world.kubectl));
    const [report, ...others] = await world.metacontroller.settle();
    assert.deepEqual([report?.outcome.kind, others], ['Failed', []]);
    assert.equal((await world.widget())['status'], undefined);
  });

  it('[start-retried] starts one whose child kind comes later, and says so until then', async () => {
    let served = false;
    const clock = createVirtualClock();
    const store = createApiServer(clock).as('metacontroller');
    await store.create({
      ...CONTROLLER,
      metadata: { name: 'early' },
      spec: {
        parentResource: { apiVersion: 'apps/v1', resource: 'deployments' },
        childResources: [{ apiVersion: 'v1', resource: 'services' }],
        generateSelector: true,
        hooks: { sync: { webhook: { url: 'http://127.0.0.1:1' } } },
      },
    });
    const metacontroller = await startMetacontroller({
      store: {
        ...store,
        discover: async (apiVersion, resource) =>
          resource === 'services' && !served ? undefined : store.discover(apiVersion, resource),
      },
      clock,
    });
    await passTime(clock, metacontroller, 10);
    served = true;
    await passTime(clock, metacontroller, 1000);
    const told = await toldOf(store);
    assert.equal(told.at(0), 'Cannot create new controller: services of v1 is not served: install its CRD');
    assert.equal(told.at(-1), 'Started controller: early');
    await metacontroller.stop();
  });

  it('[label-selector] serves the parents that its selector selects, and each of them only as long as it does', async () => {
    world = await startWorld({ parentResource: { labelSelector: { matchLabels: { run: 'a' } } } });
    const labelled = (run: string, size: number): ObservedObject => {
      const { metadata, ...rest } = widget('one', { size });
      return { ...rest, metadata: { ...metadata, labels: { run } } };
    };
    await world.kubectl.create(widget('other'));
    await world.kubectl.create(labelled('a', 1));
    await world.metacontroller.settle();
    assert.deepEqual([...new Set(world.hook.bodies.map(({ parent }) => parent.metadata.name))], ['one']);
    const asked = world.hook.bodies.length;
    await world.kubectl.update(labelled('b', 2));
    await world.metacontroller.settle();
    assert.equal(world.hook.bodies.length, asked);
    await world.kubectl.update(labelled('a', 3));
    await world.metacontroller.settle();
    assert.ok(world.hook.bodies.length > asked);
  });

  it('refuses a selector that the double does not play', async () => {
    await assert.rejects(
      startWorld({ parentResource: { labelSelector: { matchExpressions: [] } } }),
      /widgets cannot start: .*labelSelector/,
    );
  });
});
