import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { systemClock } from '../../src/foundation/clock.ts';
import type { ObservedObject } from '../../src/kubernetes/objects.ts';
import { kindOfCrd } from '../support/api-server/crd.ts';
import { createApiServer } from '../support/api-server/server.ts';
import { mustStart } from '../support/metacontroller/follow.ts';
import { startMetacontroller, type Metacontroller } from '../support/metacontroller/metacontroller.ts';
import type { Store } from '../support/metacontroller/store.ts';
import { arrived, notYet, waitFor } from '../support/wait.ts';
import { weightedRecord } from '../support/weighted-record.ts';
import { conditionOf, rebalance, type RebalanceStatus } from './rebalance.ts';
import { theWorld } from './world.ts';
import { createZone, type Zone } from './zone.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const KIND = { apiVersion: 'rebalancer.ch1aki.github.io/v1', kind: 'Rebalance' };

function readYaml(...path: readonly string[]): unknown {
  return parse(readFileSync(join(ROOT, ...path), 'utf8'));
}

/** The shipped CRD and CompositeController, the double of Metacontroller on a real clock, the real service. */
describe("README's story: one site carries 1000 with weight 8, the other takes what is above", () => {
  let kubectl: Store;
  let metacontroller: Metacontroller;
  let zone: Zone;

  before(async () => {
    const { moto, service, prometheus } = theWorld();
    const api = createApiServer(systemClock, [
      kindOfCrd(readYaml('crds', 'rebalances.rebalancer.ch1aki.github.io.yaml')),
    ]);
    kubectl = api.as('kubectl');
    const controller = readYaml('metacontroller', 'base', 'rebalance', 'composite-controller.yaml');
    await kubectl.create(controller as ObservedObject);
    metacontroller = await startMetacontroller({
      store: api.as('metacontroller'),
      clock: systemClock,
      dial: (url) => `${service.url}${new URL(url).pathname}`,
      onController: mustStart,
    });

    zone = await createZone(moto.url, 'example.com');
    await zone.put(weightedRecord('example.com.', 'aws', 8), weightedRecord('example.com.', 'onprem', 8));
    await show('3000');
    const { spec } = rebalance({
      name: 'story',
      targettracking: { baseValue: 8, targetValue: 1000 },
      prometheus: { address: prometheus.url, query: 'sum(story_load)' },
      zoneId: `hostedzone/${zone.id}`,
      record: { name: 'example.com', type: 'A', identifier: 'aws' },
      others: { interval: '1s' },
    });
    await kubectl.create({ ...KIND, metadata: { name: 'story', namespace: 'default' }, spec });
  });
  after(() => metacontroller.stop());

  /** What the exporter shows, once Prometheus has scraped it. */
  const show = async (load: string): Promise<void> => {
    theWorld().exporter.show({ name: 'story_load', value: load });
    await theWorld().prometheus.waitFor('story_load', load);
  };

  /** Lets Metacontroller sync what is due until the status is as wanted. */
  const until = (what: string, isSo: (status: RebalanceStatus) => boolean): Promise<RebalanceStatus> =>
    waitFor(what, { deadlineMs: 30_000 }, async () => {
      await metacontroller.settle();
      const live = await kubectl.get(KIND, 'default', 'story');
      const status = ((live.ok ? live.value['status'] : undefined) ?? {}) as RebalanceStatus;
      return isSo(status) ? arrived(status) : notYet(JSON.stringify(status));
    });

  it('Given weight 8 and a load of 3000, When the Rebalance is applied, Then the record goes to 16 and the status says why', async () => {
    const status = await until('weight 16', ({ actualValue }) => actualValue === 16);
    assert.equal(await zone.weightOf('aws'), 16);
    assert.equal(status.condition, 'Healthy');
    assert.match(status.decision?.because ?? '', /3000/);
    assert.equal(conditionOf(status, 'Ready').status, 'True');
  });

  it('Given a Prometheus that is stopped, When attempts go on failing, Then the record is held and the status says since when', async () => {
    await theWorld().prometheus.stop();
    const before = await zone.records();
    const status = await until('three failures', ({ failures = 0 }) => failures >= 3);
    assert.equal(conditionOf(status, 'MetricAvailable').reason, 'MetricUnreachable');
    assert.equal(status.condition, 'Error');
    assert.equal(status.actualValue, 16);
    assert.deepEqual(await zone.records(), before);
  });

  it('Given a Prometheus that is back with a load of 2500, When the next attempt is due, Then the record goes to 12', async () => {
    await theWorld().prometheus.start();
    await show('2500');
    const status = await until('weight 12', ({ actualValue }) => actualValue === 12);
    assert.equal(await zone.weightOf('aws'), 12);
    assert.equal(conditionOf(status, 'MetricAvailable').status, 'True');
    assert.equal(status.failures, 0);
  });

  it('Given a series that vanished, When attempts go on, Then the record is held and that is no failure', async () => {
    theWorld().exporter.show();
    await theWorld().prometheus.waitFor('story_load');
    const status = await until(
      'no data',
      (seen) => conditionOf(seen, 'MetricAvailable').reason === 'NoSeries',
    );
    assert.equal(status.failures, 0);
    assert.equal(await zone.weightOf('aws'), 12);
  });

  it('Given a load that is gone, When the next attempt is due, Then the record goes to 0', async () => {
    await show('0');
    await until('weight 0', ({ actualValue }) => actualValue === 0);
    assert.equal(await zone.weightOf('aws'), 0);
    assert.equal(await zone.weightOf('onprem'), 8);
  });
});
