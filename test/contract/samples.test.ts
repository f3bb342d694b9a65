import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ObservedObject } from '../../src/kubernetes/objects.ts';
import { rollOutDeployments } from '../support/api-server/rollout.ts';
import { manifests, sampleFiles, startCluster, type Cluster } from '../support/cluster.ts';
import { testDeps } from '../support/deps.ts';
import { listAt, recordAt, type JsonRecord } from '../support/json.ts';
import { ROOT } from '../support/kustomize.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';

const MINUTE_MS = 60_000;

describe('The samples, under the manifests and the double of Metacontroller', () => {
  let clock: VirtualClock;
  let cluster: Cluster;
  beforeEach(async () => {
    clock = createVirtualClock();
    cluster = await startCluster({ clock, deps: testDeps() });
  });
  afterEach(() => cluster.stop());

  async function read(object: ObservedObject): Promise<ObservedObject> {
    const stored = await cluster.kubectl.get(object, 'default', object.metadata.name);
    assert.ok(stored.ok, `${object.kind} ${object.metadata.name} is not there`);
    return stored.value;
  }

  async function condition(object: ObservedObject, type: string): Promise<JsonRecord> {
    const { status } = await read(object);
    return recordAt(listAt(status, 'conditions').find((one) => recordAt(one)['type'] === type));
  }

  async function applyAll(paths: readonly string[]): Promise<readonly ObservedObject[]> {
    const objects = paths.flatMap(manifests);
    for (const object of objects) await cluster.apply(object);
    await cluster.metacontroller.settle();
    await rollOutDeployments(cluster.server, clock);
    await cluster.metacontroller.settle();
    return objects;
  }

  async function syncErrors(): Promise<readonly unknown[]> {
    const events = await cluster.kubectl.list({ apiVersion: 'v1', kind: 'Event' });
    return events.filter(({ reason }) => reason === 'SyncError').map(({ message }) => message);
  }

  it('settle without a single SyncError, every Balancer Ready', async () => {
    const objects = await applyAll(sampleFiles());
    assert.deepEqual(await syncErrors(), []);
    const balancers = objects.filter(({ kind }) => kind === 'Balancer');
    assert.ok(balancers.length > 0);
    for (const balancer of balancers) {
      assert.equal((await condition(balancer, 'Ready'))['status'], 'True', balancer.metadata.name);
    }
  });

  it('are quiet once settled: no child is written, and no status but one per attempt of a Rebalance', async () => {
    const objects = await applyAll(sampleFiles());
    const before = cluster.server.writes.length;
    await cluster.pass(10 * MINUTE_MS);
    const later = cluster.server.writes.slice(before).filter(({ kind }) => kind !== 'Event');
    assert.deepEqual(
      later.filter(({ kind, verb }) => kind !== 'Rebalance' || verb !== 'updateStatus'),
      [],
    );
    // Their metric fails, so each is attempted once a minute.
    const failing = objects.filter(
      ({ kind, spec }) => kind === 'Rebalance' && recordAt(spec)['suspend'] !== true,
    );
    assert.ok(failing.length > 0);
    for (const { metadata } of failing) {
      const attempts = later.filter(({ name }) => name === metadata.name).length;
      assert.equal(attempts, 10, metadata.name);
    }
  });

  it('make a Deployment, a Service and a Certificate of the one with TLS, collected when it goes', async () => {
    const [tls] = await applyAll(['metacontroller/samples/balancer-tls.yaml']);
    assert.ok(tls);
    const kinds = [
      { apiVersion: 'apps/v1', kind: 'Deployment' },
      { apiVersion: 'v1', kind: 'Service' },
      { apiVersion: 'cert-manager.io/v1', kind: 'Certificate' },
    ];
    const count = async (): Promise<readonly number[]> =>
      Promise.all(kinds.map(async (kind) => (await cluster.kubectl.list(kind)).length));
    assert.deepEqual(await count(), [1, 1, 1]);
    await cluster.kubectl.remove(await read(tls));
    await cluster.metacontroller.settle();
    assert.deepEqual(await count(), [0, 0, 0]);
  });

  it('hold every child when the spec becomes invalid, and go on when it is mended', async () => {
    const [tls] = await applyAll(['metacontroller/samples/balancer-tls.yaml']);
    assert.ok(tls);
    const children = await Promise.all(
      [
        { apiVersion: 'apps/v1', kind: 'Deployment' },
        { apiVersion: 'v1', kind: 'Service' },
        { apiVersion: 'cert-manager.io/v1', kind: 'Certificate' },
      ].map((kind) => cluster.kubectl.list(kind)),
    );
    const spec = { ...recordAt(tls, 'spec'), replicas: 5, staticRouting: undefined };
    await cluster.apply({ ...tls, spec });
    await cluster.metacontroller.settle();
    assert.equal((await condition(tls, 'SpecValid'))['message'], 'no routing configuration present');
    for (const child of children.flat()) assert.deepEqual(await read(child), child);
    await cluster.apply({ ...tls, spec: { ...recordAt(tls, 'spec'), replicas: 5 } });
    await cluster.metacontroller.settle();
    const [deployment] = await cluster.kubectl.list({ apiVersion: 'apps/v1', kind: 'Deployment' });
    assert.equal(recordAt(deployment, 'spec')['replicas'], 5);
  });

  it('that are invalid and got past admission are answered by SpecValid=False, with the words on their first line', async () => {
    const files = globSync('metacontroller/samples/invalid/*.yaml', { cwd: ROOT }).sort();
    assert.ok(files.length > 0);
    for (const file of files) {
      const [object] = await applyAll([file]);
      assert.ok(object);
      const [, refusal] = /^# refused: (.+)$/m.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
      assert.ok(refusal !== undefined, `${file} does not say why it is refused`);
      const { status, message } = await condition(object, 'SpecValid');
      assert.equal(status, 'False', file);
      assert.ok(String(message).includes(refusal), `${file}: "${String(message)}" is not "${refusal}"`);
    }
    assert.deepEqual(await syncErrors(), []);
    assert.deepEqual(await cluster.kubectl.list({ apiVersion: 'apps/v1', kind: 'Deployment' }), []);
  });

  it('that name a taken name say NameTaken within 10 s, and nothing of the stranger is touched', async () => {
    const sample = manifests('metacontroller/samples/balancer-config.yaml')[0];
    assert.ok(sample);
    const stranger = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'mz7a1b2c3d4e-balancerd' } };
    const taken = await cluster.apply({ ...stranger, spec: { ports: [] } });
    await cluster.apply(sample);
    await cluster.pass(11_000);
    assert.equal((await condition(sample, 'ChildrenObserved'))['reason'], 'NameTaken');
    assert.deepEqual(await read(taken), taken);
  });
});
