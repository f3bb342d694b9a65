import assert from 'node:assert/strict';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import { balancersIn } from './balancers.ts';
import type { Cluster } from './cluster.ts';
import { driversOf } from './drivers.ts';
import { createNamespace } from './objects.ts';
import { sharedWorld } from './shared.ts';
import { steer } from './steered.ts';
import type { World } from './world.ts';

const SETTLE = { deadlineMs: 60_000, everyMs: 250 };

const spec = {
  balancerdImageRef: 'materialize/balancerd:v1',
  staticRouting: { environmentdNamespace: 'materialize', environmentdServiceName: 'environmentd' },
};

/** What holds on every cluster, whether its pods find an image to run or not. */
for (const driver of driversOf('double', 'binary', 'cluster')) {
  describe(`without a word about pods, on ${driver.name},`, () => {
    let plane: Cluster;
    let world: World;
    let namespace: string;
    before(async function () {
      ({ plane, ...world } = await sharedWorld(this, driver));
      namespace = await createNamespace(plane, `existing-${driver.id}`);
    });
    after(async () => {
      await plane.kubectl(['delete', 'balancers,rebalances', '--all', '-n', namespace]);
    });

    it('a Balancer gets its children, changes them with its spec, has one restored, and takes them with it', async () => {
      const balancers = balancersIn(plane, namespace);
      await balancers.apply('plain', spec);
      await balancers.until('plain', 'ChildrenObserved', 'True');
      const name = `mz${await balancers.resourceId('plain')}-balancerd`;
      await balancers.apply('plain', { ...spec, replicas: 3 });
      await waitFor('3 replicas', SETTLE, async () => {
        const replicas = (await balancers.deployment('plain')).spec?.replicas;
        return replicas === 3 ? arrived(undefined) : notYet(`${replicas}`);
      });
      await plane.kubectl(['delete', 'service', name, '-n', namespace]);
      await balancers.untilChildren('plain', 'the Service', (kinds) => kinds.includes('Service'));
      await plane.kubectl(['delete', 'balancer', 'plain', '-n', namespace]);
      await balancers.untilChildren('plain', 'no child', (kinds) => kinds.length === 0);
    });

    it('a Rebalance writes 16 for 3000 against 1000 with base 8, and is evaluated at once when its spec is edited', async () => {
      const steered = await steer(plane, world, { name: `existing-${driver.id}`, namespace });
      await steered.apply(steered.spec());
      await steered.until('16', ({ actualValue }) => actualValue === 16);
      await steered.apply(steered.spec({}, { targetValue: 1500 }));
      await steered.until('8', ({ actualValue }) => actualValue === 8);
      assert.equal(await steered.zone.weightOf('aws'), 8);
    });
  });
}
