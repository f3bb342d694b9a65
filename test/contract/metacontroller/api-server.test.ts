import assert from 'node:assert/strict';
import type { ObservedObject, OwnerReference } from '../../../src/kubernetes/objects.ts';
import { createApiServer, type ApiServer } from '../../support/api-server/server.ts';
import { listAt, recordAt } from '../../support/json.ts';
import type { Change, Store } from '../../support/metacontroller/store.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.ts';
import { deployment, DEPLOYMENT, mustGet, service, SERVICE, widget, WIDGET, WIDGETS } from './world.ts';

describe('The API server in memory', () => {
  let clock: VirtualClock;
  let server: ApiServer;
  let kubectl: Store;
  beforeEach(() => {
    clock = createVirtualClock();
    server = createApiServer(clock, [WIDGETS]);
    kubectl = server.as('kubectl');
  });

  it('gives a new object uid, resourceVersion, creationTimestamp and generation', async () => {
    await kubectl.create(widget());
    const { metadata } = await mustGet(kubectl, WIDGET, 'one');
    assert.match(metadata.uid ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.match(metadata.resourceVersion ?? '', /^\d+$/);
    assert.equal(metadata.creationTimestamp, '2026-01-01T00:00:00Z');
    assert.equal(metadata.generation, 1);
  });

  const admitted = [
    { name: '[defaults] an absent field gets its default', sent: {}, stored: { size: 1 } },
    {
      name: '[defaults] inside items of a list too',
      sent: { size: 2, steps: [{}, { count: 1 }] },
      stored: { size: 2, steps: [{ count: 3 }, { count: 1 }] },
    },
    {
      name: '[pruning] a field that the schema does not know is dropped',
      sent: { size: 2, colour: 'red' },
      stored: { size: 2 },
    },
    {
      name: '[nulls-dropped] a null is dropped where the schema does not allow it, and the default steps in',
      sent: { size: null, color: null, note: null },
      stored: { note: null, size: 1 },
    },
    {
      name: 'a map keeps its keys',
      sent: { size: 2, labels: { any: 'thing' } },
      stored: { size: 2, labels: { any: 'thing' } },
    },
  ] as const;
  for (const { name, sent, stored } of admitted) {
    it(name, async () => {
      await kubectl.create(widget('one', sent));
      assert.deepEqual((await mustGet(kubectl, WIDGET, 'one'))['spec'], stored);
    });
  }

  it('[status-subresource] ignores a status in create and update, and everything else in a status update', async () => {
    await kubectl.create({ ...widget(), status: { phase: 'New' } });
    assert.equal((await mustGet(kubectl, WIDGET, 'one'))['status'], undefined);
    await kubectl.updateStatus({ ...widget('one', { size: 9 }), status: { phase: 'Done', unknown: 1 } });
    await kubectl.update({ ...widget(), status: { phase: 'New' } });
    const after = await mustGet(kubectl, WIDGET, 'one');
    assert.deepEqual([after['spec'], after['status']], [{ size: 1 }, { phase: 'Done' }]);
  });

  it('[generation] rises with the spec, not with metadata or status; a Service has none', async () => {
    await kubectl.create(widget());
    await kubectl.create(service());
    await kubectl.updateStatus({ ...widget(), status: { phase: 'Done' } });
    await kubectl.update({ ...widget(), metadata: { ...widget().metadata, annotations: { a: 'b' } } });
    assert.equal((await mustGet(kubectl, WIDGET, 'one')).metadata.generation, 1);
    await kubectl.update(widget('one', { size: 2 }));
    assert.equal((await mustGet(kubectl, WIDGET, 'one')).metadata.generation, 2);
    assert.equal((await mustGet(kubectl, SERVICE, 'one')).metadata.generation, undefined);
  });

  it('[deployment-generation] rises with the annotations of a Deployment too', async () => {
    await kubectl.create(deployment());
    await kubectl.update({
      ...deployment(),
      metadata: { ...deployment().metadata, annotations: { a: 'b' } },
    });
    assert.equal((await mustGet(kubectl, DEPLOYMENT, 'one')).metadata.generation, 2);
  });

  it('[resource-version-conflict] refuses an outdated resourceVersion and another uid', async () => {
    await kubectl.create(widget());
    const old = await mustGet(kubectl, WIDGET, 'one');
    await kubectl.update(widget('one', { size: 2 }));
    const outdated = await kubectl.update(old);
    assert.deepEqual(outdated, {
      ok: false,
      error: { reason: 'Conflict', message: 'Widget "one" has been modified' },
    });
    const foreign = { ...widget(), metadata: { ...widget().metadata, uid: 'other' } };
    assert.equal((await kubectl.update(foreign)).ok, false);
    assert.equal((await kubectl.remove(foreign)).ok, false);
  });

  it('[no-op-write] keeps resourceVersion and tells nobody when nothing changes', async () => {
    await kubectl.create(widget());
    const before = await mustGet(kubectl, WIDGET, 'one');
    const changes: Change[] = [];
    kubectl.watch((change) => changes.push(change));
    clock.advance(60_000);
    await kubectl.update(widget());
    assert.deepEqual(await mustGet(kubectl, WIDGET, 'one'), before);
    assert.deepEqual(changes, []);
    assert.deepEqual(
      server.writes.map(({ verb }) => verb),
      ['create', 'update'],
    );
  });

  it('tells watchers what was added, modified and deleted until they stop', async () => {
    const seen: string[] = [];
    const stop = kubectl.watch(({ type, object, previous }) =>
      seen.push(`${type} ${previous?.metadata.generation ?? '-'} ${object.metadata.generation ?? '-'}`),
    );
    await kubectl.create(widget());
    await kubectl.update(widget('one', { size: 2 }));
    await kubectl.remove(await mustGet(kubectl, WIDGET, 'one'));
    stop();
    await kubectl.create(widget());
    assert.deepEqual(seen, ['ADDED - 1', 'MODIFIED 1 2', 'DELETED - 2']);
  });

  it('knows no object that is not there, and no kind that is not served', async () => {
    const absent = { ok: false, error: { reason: 'NotFound', message: 'Widget "one" not found' } };
    assert.deepEqual(await kubectl.update(widget()), absent);
    assert.deepEqual(await kubectl.updateStatus(widget()), absent);
    assert.deepEqual(await kubectl.remove(widget()), absent);
    const gadget = { ...widget(), kind: 'Gadget' };
    assert.equal((await kubectl.create(gadget)).ok, false);
    await kubectl.create(widget());
    const again = await kubectl.create(widget());
    assert.equal(again.ok ? '' : again.error.reason, 'AlreadyExists');
  });

  it('[garbage-collection] takes what nobody else owns, and what that owned, and leaves what has a living owner', async () => {
    for (const name of ['one', 'two']) await kubectl.create(widget(name));
    const owner = async (kind: Pick<ObservedObject, 'apiVersion' | 'kind'>, name: string): Promise<OwnerReference> => {
      const { uid = '' } = (await mustGet(kubectl, kind, name)).metadata;
      return { ...kind, name, uid };
    };
    const own = async (name: string, ...ownerReferences: readonly OwnerReference[]): Promise<void> => {
      await kubectl.create({ ...service(name), metadata: { ...service(name).metadata, ownerReferences } });
    };
    await own('owned', await owner(WIDGET, 'one'));
    await own('shared', await owner(WIDGET, 'one'), await owner(WIDGET, 'two'));
    await own('grandchild', await owner(SERVICE, 'owned'));
    await kubectl.remove(await mustGet(kubectl, WIDGET, 'one'));
    const left = await kubectl.list(SERVICE);
    assert.deepEqual(
      left.map(({ metadata }) => metadata.name),
      ['shared'],
    );
  });

  it('[orphan-propagation] leaves what a deleted object owned, with the owners that it has besides', async () => {
    for (const name of ['one', 'two']) await kubectl.create(widget(name));
    const [one, two] = [await mustGet(kubectl, WIDGET, 'one'), await mustGet(kubectl, WIDGET, 'two')];
    const ownerReferences = [one, two].map(({ metadata: { name, uid = '' } }) => ({ ...WIDGET, name, uid }));
    await kubectl.create({ ...service(), metadata: { ...service().metadata, ownerReferences } });
    await kubectl.remove(one, 'Orphan');
    assert.deepEqual((await mustGet(kubectl, SERVICE, 'one')).metadata.ownerReferences, ownerReferences.slice(1));
    await kubectl.remove(two, 'Orphan');
    assert.deepEqual((await mustGet(kubectl, SERVICE, 'one')).metadata.ownerReferences, []);
  });

  it('[managed-fields] the last writer of a field owns it; writers of the status are told apart', async () => {
    await kubectl.create(widget('one', { size: 1, color: 'red' }));
    clock.advance(1_000);
    await server.as('metacontroller').updateStatus({ ...widget(), status: { phase: 'Done' } });
    clock.advance(1_000);
    await server.as('kubectl-patch').update(widget('one', { size: 2, color: 'red' }));
    const managed = listAt((await mustGet(kubectl, WIDGET, 'one')).metadata, 'managedFields');
    const common = { apiVersion: 'example.com/v1', fieldsType: 'FieldsV1', operation: 'Update' };
    assert.deepEqual(managed, [
      {
        ...common,
        manager: 'kubectl',
        time: '2026-01-01T00:00:00Z',
        fieldsV1: { 'f:spec': { 'f:color': {} } },
      },
      {
        ...common,
        manager: 'metacontroller',
        subresource: 'status',
        time: '2026-01-01T00:00:01Z',
        fieldsV1: { 'f:status': { 'f:phase': {} } },
      },
      {
        ...common,
        manager: 'kubectl-patch',
        time: '2026-01-01T00:00:02Z',
        fieldsV1: { 'f:spec': { 'f:size': {} } },
      },
    ]);
  });

  it('[managed-fields] items of a container list are named by their names; a field that goes has no owner', async () => {
    await kubectl.create(deployment());
    const pod = recordAt(deployment(), 'spec', 'template', 'spec');
    const template = { metadata: { labels: { app: 'one' } }, spec: { ...pod, containers: [] } };
    const [entry] = listAt((await mustGet(kubectl, DEPLOYMENT, 'one')).metadata, 'managedFields');
    const fields = recordAt(entry, 'fieldsV1', 'f:spec', 'f:template', 'f:spec', 'f:containers');
    assert.deepEqual(Object.keys(recordAt(fields, 'k:{"name":"main"}')).includes('f:image'), true);
    await kubectl.update(deployment('one', { template }));
    const [after] = listAt((await mustGet(kubectl, DEPLOYMENT, 'one')).metadata, 'managedFields');
    assert.deepEqual(recordAt(after, 'fieldsV1', 'f:spec', 'f:template', 'f:spec', 'f:containers'), {});
  });
});
