import assert from 'node:assert/strict';
import { err } from '../../../src/foundation/result.ts';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { omit, recordAt } from '../../support/json.ts';
import { LAST_APPLIED } from '../../support/metacontroller/merge.ts';
import {
  deployment,
  DEPLOYMENT,
  mustGet,
  service,
  SERVICE,
  startWorld,
  widget,
  type World,
} from './world.ts';

function withMetadata(object: ObservedObject, fields: Partial<ObservedObject['metadata']>): ObservedObject {
  return { ...object, metadata: { ...object.metadata, ...fields } };
}

describe('Metacontroller: children', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
    await world.kubectl.create(widget());
  });
  afterEach(() => world.stop());

  async function answer(...children: readonly ObservedObject[]): Promise<void> {
    world.hook.reply({ body: { children } });
    const { spec } = await world.widget();
    await world.kubectl.update(widget('one', { size: Number(recordAt(spec)['size']) + 1 }));
    await world.metacontroller.settle();
  }

  async function childWrites(): Promise<readonly string[]> {
    const before = world.server.writes.length;
    const { spec } = await world.widget();
    await world.kubectl.update(widget('one', { size: Number(recordAt(spec)['size']) + 1 }));
    await world.metacontroller.settle();
    return world.server.writes
      .slice(before)
      .filter(({ manager, verb }) => manager === 'metacontroller' && verb !== 'updateStatus')
      .map(({ verb, kind }) => `${verb} ${kind}`);
  }

  it('are created with the parent as controlling owner and the last-applied annotation', async () => {
    await answer(service());
    const { uid } = (await world.widget()).metadata;
    const { metadata } = await mustGet(world.kubectl, SERVICE, 'one');
    assert.deepEqual(metadata.ownerReferences, [
      {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        name: 'one',
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    const asked = { ...service(), metadata: { ...service().metadata, labels: { 'controller-uid': uid } } };
    assert.deepEqual(JSON.parse(metadata.annotations?.[LAST_APPLIED] ?? ''), asked);
  });

  it('[controller-uid-label] carry the uid of their parent as a label', async () => {
    await answer(service());
    const child = await mustGet(world.kubectl, SERVICE, 'one');
    assert.deepEqual(child.metadata.labels, { 'controller-uid': (await world.widget()).metadata.uid });
  });

  it('[foreign-controller-uid] that carry another uid are an error: nothing at all is applied', async () => {
    const foreign = withMetadata(service(), { labels: { 'controller-uid': 'someone-else' } });
    world.hook.reply({ body: { status: { phase: 'Done' }, children: [deployment(), foreign] } });
    await world.metacontroller.settle();
    assert.match((await world.syncErrors()).join(), /Service default\/one do not match the parent's selector/);
    assert.deepEqual(await world.kubectl.list(DEPLOYMENT), []);
    assert.equal((await world.widget())['status'], undefined);
  });

  it('[namespace-default] without a namespace get that of the parent', async () => {
    await answer({ ...service(), metadata: { name: 'one' } });
    await mustGet(world.kubectl, SERVICE, 'one');
  });

  it('[in-place] are updated under InPlace', async () => {
    await answer(deployment('one', { replicas: 2 }));
    await answer(deployment('one', { replicas: 3 }));
    assert.equal(recordAt(await mustGet(world.kubectl, DEPLOYMENT, 'one'), 'spec')['replicas'], 3);
  });

  it('[on-delete] are never updated under OnDelete, the default', async () => {
    const certificate = (secretName: string): ObservedObject => ({
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: 'one', namespace: 'default' },
      spec: { secretName },
    });
    await answer(certificate('a'));
    await answer(certificate('b'));
    const stored = await mustGet(world.kubectl, certificate('a'), 'one');
    assert.deepEqual(stored['spec'], { secretName: 'a' });
  });

  it('[omitted-is-deleted] that are not answered any more are deleted', async () => {
    await answer(deployment(), service());
    await answer(deployment());
    assert.deepEqual(await world.kubectl.list(SERVICE), []);
    await mustGet(world.kubectl, DEPLOYMENT, 'one');
  });

  for (const [name, body] of [
    ['omitted', {}],
    ['null', { children: null }],
    ['empty', { children: [] }],
  ] as const) {
    it(`[no-children-deletes-all] ${name} children delete every child`, async () => {
      await answer(deployment(), service());
      world.hook.reply({ body });
      await world.kubectl.update(widget('one', { size: 99 }));
      await world.metacontroller.settle();
      assert.deepEqual([...(await world.kubectl.list(DEPLOYMENT)), ...(await world.kubectl.list(SERVICE))], []);
    });
  }

  it('that somebody deletes come back', async () => {
    await answer(service());
    const before = await mustGet(world.kubectl, SERVICE, 'one');
    await world.kubectl.remove(before);
    await world.metacontroller.settle();
    assert.notEqual((await mustGet(world.kubectl, SERVICE, 'one')).metadata.uid, before.metadata.uid);
  });

  it('that somebody edits go back, as far as they were asked for', async () => {
    await answer(deployment());
    const child = await mustGet(world.kubectl, DEPLOYMENT, 'one');
    const spec = recordAt(child, 'spec');
    await world.kubectl.update({ ...child, spec: { ...spec, replicas: 9, minReadySeconds: 5 } });
    await world.metacontroller.settle();
    const after = recordAt(await mustGet(world.kubectl, DEPLOYMENT, 'one'), 'spec');
    assert.deepEqual([after['replicas'], after['minReadySeconds']], [2, 5]);
  });

  it('[adoption] of nobody with the label are adopted, and keep their other owners', async () => {
    await world.metacontroller.settle();
    const parent = await world.widget();
    const { uid = '' } = parent.metadata;
    const stranger = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u1' };
    const loose = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'one', uid };
    world.hook.reply({ body: { children: [service()] } });
    await world.kubectl.create(
      withMetadata(service(), {
        labels: { 'controller-uid': uid },
        ownerReferences: [stranger, loose],
      }),
    );
    await world.metacontroller.settle();
    const { metadata } = await mustGet(world.kubectl, SERVICE, 'one');
    assert.deepEqual(metadata.ownerReferences, [
      stranger,
      { ...loose, controller: true, blockOwnerDeletion: true },
    ]);
    assert.ok(metadata.annotations?.[LAST_APPLIED]);
    // The first sync's own update met the adoption and lost: no error, the adoption brings the next sync.
    assert.deepEqual(await world.syncErrors(), []);
  });

  it('[adoption] that have another controller, or not the label, are left alone', async () => {
    const { uid = '' } = (await world.widget()).metadata;
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u1', controller: true };
    const others = [
      withMetadata(service('a'), { labels: { 'controller-uid': uid }, ownerReferences: [owner] }),
      withMetadata(service('b'), { labels: { 'controller-uid': 'another' } }),
      service('c'),
    ];
    for (const object of others) await world.kubectl.create(object);
    const before = await world.kubectl.list(SERVICE);
    await world.metacontroller.settle();
    assert.deepEqual(await world.kubectl.list(SERVICE), before);
    assert.deepEqual(world.hook.bodies.at(-1)?.children['Service.v1'], {});
  });

  it('[adoption-refused] that cannot be adopted stop the sync before the hook is asked, with a SyncError', async () => {
    await world.stop();
    const refusal = { reason: 'Refused', message: 'Service "one" is forbidden' } as const;
    world = await startWorld({
      store: (store) => ({
        ...store,
        update: async (object) => (object.kind === 'Service' ? err(refusal) : store.update(object)),
      }),
    });
    await world.kubectl.create(widget());
    const { metadata } = await world.widget();
    await world.kubectl.create(withMetadata(service(), { labels: { 'controller-uid': metadata.uid ?? '' } }));
    const [report] = await world.metacontroller.settle();
    assert.equal(report?.outcome.kind, 'Unclaimed');
    assert.equal(world.hook.bodies.length, 0);
    assert.deepEqual(await world.syncErrors(), [`Sync error: can't claim Service children: ${refusal.message}`]);
  });

  it('[release] that lose the label are let go, and the name is taken from then on', async () => {
    await answer(service());
    const child = await mustGet(world.kubectl, SERVICE, 'one');
    await world.kubectl.update(withMetadata(child, { labels: {} }));
    await world.metacontroller.settle();
    assert.deepEqual((await mustGet(world.kubectl, SERVICE, 'one')).metadata.ownerReferences, []);
    assert.deepEqual(world.hook.bodies.at(-1)?.children['Service.v1'], {});
  });

  it('[name-taken] whose name a stranger has are silently not made: no event, no error, not in children', async () => {
    await world.kubectl.create(service('one', { selector: { app: 'stranger' } }));
    const before = await mustGet(world.kubectl, SERVICE, 'one');
    await answer(service(), deployment());
    assert.deepEqual(await mustGet(world.kubectl, SERVICE, 'one'), before);
    assert.deepEqual(await world.syncErrors(), []);
    assert.deepEqual(world.hook.bodies.at(-1)?.children['Service.v1'], {});
    await mustGet(world.kubectl, DEPLOYMENT, 'one');
  });

  it('[immutable-field] with another spec.selector are a 422 SyncError, while the other children and the status are applied', async () => {
    await answer(deployment(), service());
    const status = { phase: 'Done' };
    const children = [
      deployment('one', { selector: { matchLabels: { app: 'other' } } }),
      service('one', { selector: { app: 'new' } }),
    ];
    world.hook.reply({ body: { status, children } });
    await world.kubectl.update(widget('one', { size: 99 }));
    await world.metacontroller.settle();
    assert.match(
      (await world.syncErrors()).join(),
      /Deployment\.apps "one" is invalid: spec\.selector: .*field is immutable/,
    );
    const [made, serviceMade] = [
      await mustGet(world.kubectl, DEPLOYMENT, 'one'),
      await mustGet(world.kubectl, SERVICE, 'one'),
    ];
    assert.deepEqual(recordAt(made, 'spec', 'selector', 'matchLabels'), { app: 'one' });
    assert.deepEqual(recordAt(serviceMade, 'spec', 'selector'), { app: 'new' });
    assert.equal(recordAt((await world.widget())['status'])['phase'], 'Done');
  });

  it('[immutable-field] a clusterIP None for a Service that has an address is a 422 too', async () => {
    const { uid = '' } = (await world.widget()).metadata;
    const spec = omit(recordAt(service(), 'spec'), 'clusterIP');
    await world.kubectl.create({
      ...withMetadata(service(), { labels: { 'controller-uid': uid } }),
      spec,
    });
    await answer(service());
    assert.match((await world.syncErrors()).join(), /Service "one" is invalid: spec\.clusterIP/);
  });

  it('[canonical-quantities] whose value the API server writes otherwise are PUT at every sync, changing nothing', async () => {
    const withCpu = (cpu: string): ObservedObject =>
      deployment('one', {
        template: {
          metadata: { labels: { app: 'one' } },
          spec: { containers: [{ name: 'main', image: 'i', resources: { limits: { cpu } } }] },
        },
      });
    await answer(withCpu('1000m'));
    const before = await mustGet(world.kubectl, DEPLOYMENT, 'one');
    assert.deepEqual(await childWrites(), ['update Deployment', 'update Deployment']);
    assert.deepEqual(await mustGet(world.kubectl, DEPLOYMENT, 'one'), before);
    await answer(withCpu('1'));
    assert.deepEqual(await childWrites(), []);
  });

  it('[garbage-collection] are deleted by owner reference when the parent goes; the hook is not called for that', async () => {
    await answer(deployment(), service());
    const calls = world.hook.bodies.length;
    await world.kubectl.remove(await world.widget());
    await world.metacontroller.settle();
    assert.deepEqual([...(await world.kubectl.list(DEPLOYMENT)), ...(await world.kubectl.list(SERVICE))], []);
    assert.equal(world.hook.bodies.length, calls);
  });

  it('[deleting-parent] of a parent that a finalizer holds are neither made nor deleted; the status is still written', async () => {
    const { metadata } = widget('held');
    await world.kubectl.create({
      ...widget('held'),
      metadata: { ...metadata, ...{ finalizers: ['example.com/hold'] } },
    });
    world.hook.reply(({ parent }) => ({
      body: parent.metadata.name === 'held' ? { children: [service('held')] } : {},
    }));
    await world.metacontroller.settle();
    await world.kubectl.remove(await world.widget('held'));
    world.hook.reply({ body: { status: { phase: 'Going' } } });
    await world.metacontroller.settle();
    await mustGet(world.kubectl, SERVICE, 'held');
    assert.equal(recordAt((await world.widget('held'))['status'])['phase'], 'Going');
    const held = await world.widget('held');
    await world.kubectl.update({ ...held, metadata: { ...held.metadata, ...{ finalizers: [] } } });
    assert.deepEqual(await world.kubectl.list(SERVICE), []);
  });
});
