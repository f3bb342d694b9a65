import assert from 'node:assert/strict';
import { balancersIn, type Balancers } from './balancers.ts';
import type { ControlPlane } from './control-plane.ts';
import { driversOf } from './drivers.ts';
import { createNamespace, readPath } from './objects.ts';
import { sharedWorld } from './shared.ts';
import { steer, type Steered } from './steered.ts';
import { untilTold } from './told.ts';
import type { World } from './world.ts';

const spec = {
  balancerdImageRef: 'materialize/balancerd:v1',
  staticRouting: { environmentdNamespace: 'materialize', environmentdServiceName: 'environmentd' },
};

interface Listed {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly uid: string } }[];
}

for (const driver of driversOf('double', 'binary')) {
  describe(`nothing lost, weights held, recovers by itself, on ${driver.name}:`, () => {
    const namespace = `faults-${driver.id}`;
    let plane: ControlPlane;
    let world: World;
    let balancers: Balancers;
    /** A Rebalance whose weight is 16, evaluated every 2 s. */
    let steady: Steered;
    before(async function () {
      ({ plane, ...world } = await sharedWorld(this, driver));
      balancers = balancersIn(plane, await createNamespace(plane, namespace));
      steady = await steer(plane, world, { name: 'steady', namespace });
      await steady.apply(steady.spec({ interval: '2s' }));
      await settled('kept');
      await steady.until('16', ({ actualValue }) => actualValue === 16);
    });
    after(async () => {
      await plane.kubectl(['delete', 'balancers,rebalances', '--all', '-n', namespace]);
    });

    const settled = async (name: string): Promise<void> => {
      await balancers.apply(name, spec);
      await balancers.until(name, 'Ready', 'True');
      await balancers.untilRolledOut(name, 'all of it', () => true);
    };
    /** The uids of a Balancer's children and pods. */
    const uidsOf = async (name: string): Promise<readonly string[]> => {
      const labelled = `labelSelector=materialize.cloud/organization-name=${name}`;
      const pods = await readPath<Listed>(plane, `/api/v1/namespaces/${namespace}/pods?${labelled}`);
      return [...(await balancers.children(name)), ...pods.items].map(({ metadata }) => metadata.uid);
    };
    const rolledOut = async (name: string, image: string): Promise<void> => {
      await balancers.untilRolledOut(
        name,
        image,
        (found) => found.spec?.template.spec?.containers[0]?.image === image,
      );
      await balancers.until(name, 'Ready', 'True');
    };
    const about =
      (name: string) =>
      ({ body }: { readonly body: string }): boolean =>
        body.includes(`"name":"${name}","namespace":"${namespace}"`);

    /** The hook tells of a failure and of its end, each in one short line that says the same tomorrow: no stack, no time, no port. */
    const untilReadable = async (failure: string): Promise<void> => {
      const told = await untilTold(plane, { name: 'steady', namespace }, failure, 'Recovered');
      const ours = told.filter(({ reason }) => reason !== 'SyncError');
      for (const { type, reason, message } of ours) {
        assert.equal(type, ['WeightChanged', 'Recovered'].includes(reason) ? 'Normal' : 'Warning', reason);
        // that of Prometheus stands in the spec
        const text = message.replaceAll(world.queries.url, 'address');
        assert.match(text, /^[^\n]{10,200}$/);
        assert.doesNotMatch(text, /:\d{4,5}\b|\bat \S+:\d+|\d{2}:\d{2}:\d{2}/);
      }
    };

    it('Balancer hook killed during a sync, when it had half of a request and when its answer was not heard: what was created and edited is rolled out, nothing else touched', async () => {
      const image = 'materialize/balancerd:v2';
      const others = await uidsOf('kept');
      await settled('edited');
      const [, service] = await balancers.children('edited');
      const { balancer: toHook } = world.chain.relays;
      const held = [toHook.hold('half-asked', about('created')), toHook.hold('answered', about('edited'))];
      await balancers.apply('created', spec);
      await balancers.apply('edited', { ...spec, balancerdImageRef: image });
      const inFlight = await Promise.all(held);
      await world.chain.restartHook('balancer');
      for (const exchange of inFlight) exchange.cut();
      await rolledOut('created', spec.balancerdImageRef);
      await rolledOut('edited', image);
      assert.deepEqual((await balancers.children('edited'))[1], service);
      assert.deepEqual(await uidsOf('kept'), others);
    });

    it('Rebalance hook killed during a sync, when it waited for Prometheus, when Route 53 had taken the change and when its answer was not heard: the weight makes its one step', async () => {
      const { queries, route53, chain } = world;
      /** Settled at weight 1, and allowed to rise by 4 in ten minutes. */
      const slow = async (name: string): Promise<Steered> => {
        const one = await steer(plane, world, { name, namespace });
        await one.load(1125);
        await one.apply(stepping(one, '1h'));
        await one.until('1', ({ actualValue }) => actualValue === 1);
        await one.load(3000);
        return one;
      };
      const stepping = (one: Steered, interval: string): object => {
        const increase = { policies: [{ type: 'Weight', value: 4, periodSeconds: 600 }] };
        return one.spec({ interval, behavior: { increase } });
      };
      const asking = await slow('asking');
      const written = await slow('written');
      const unheard = await slow('unheard');
      const held = [
        queries.hold('answered', ({ path }) => path.includes(`query=${asking.query}`)),
        route53.hold('answered', ({ path, body }) => path.includes(written.zone.id) && body !== ''),
        chain.relays.rebalance.hold('answered', about('unheard')),
      ];
      for (const one of [asking, written, unheard]) await one.apply(stepping(one, '2h'));
      const inFlight = await Promise.all(held);
      await chain.restartHook('rebalance');
      for (const exchange of inFlight) exchange.cut();
      for (const one of [asking, written, unheard]) {
        const { status } = await one.until('5', ({ actualValue }) => actualValue === 5);
        assert.deepEqual([status?.desiredValue, status?.decision?.policyWeight], [5, 16], one.name);
        assert.equal(await one.zone.weightOf('aws'), 5, one.name);
        assert.equal(one.asked().changes, 1, one.name);
      }
      assert.equal(await steady.zone.weightOf('aws'), 16);
    });

    it('API server restarted, the load changed meanwhile: no child and no pod is another, and both hooks go on', async () => {
      const before = await uidsOf('kept');
      const restarting = plane.restartApiServer();
      await steady.load(2000);
      await restarting;
      await steady.untilWeight(8);
      assert.deepEqual(await uidsOf('kept'), before);
      await balancers.apply('kept', { ...spec, balancerdImageRef: 'materialize/balancerd:v3' });
      await rolledOut('kept', 'materialize/balancerd:v3');
    });

    it('Prometheus restarted, the load changed meanwhile; events readable', async () => {
      await world.prometheus.stop();
      try {
        await steady.untilReason('MetricAvailable', 'MetricUnreachable');
        assert.equal(await steady.zone.weightOf('aws'), 8);
      } finally {
        await world.prometheus.start();
      }
      await steady.load(3000);
      await steady.untilWeight(16);
      await untilReadable('MetricUnreachable');
    });

    it('Route 53 emulator away and back, the load changed meanwhile; events readable', async () => {
      world.route53.setAway(true);
      try {
        await steady.load(2000);
        await steady.untilReason('TargetSynced', 'TargetUnreachable');
        assert.equal(await steady.zone.weightOf('aws'), 16);
      } finally {
        world.route53.setAway(false);
      }
      await steady.untilWeight(8);
      await untilReadable('TargetUnreachable');
    });
  });
}
