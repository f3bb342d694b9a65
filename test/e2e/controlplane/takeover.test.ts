import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import { balancersIn, type Balancers, type Child } from './balancers.ts';
import type { Chain } from './chain.ts';
import type { ControlPlane } from './control-plane.ts';
import { driversOf } from './drivers.ts';
import { killAtEveryStep } from './killing.ts';
import { createNamespace } from './objects.ts';
import { conditionsOf, SERVED_SPEC, swapIn, type Pods, type Swap } from './orchestratord.ts';
import { sharedWorld } from './shared.ts';
import { untilTold } from './told.ts';
import { writesDuring } from './writes.ts';

/** An update loop shows itself within a second; nothing else can be awaited than that it does not. */
const QUIET_MS = 5_000;
const SETTLE = { deadlineMs: 90_000, everyMs: 250 };

const POD_METADATA = { podLabels: { team: 'a' }, podAnnotations: { note: 'b' } };

/** The shipped ClusterRole of the hook without its rights to write. */
const READ_ALONE = JSON.stringify(
  [0, 1, 2].map((rule) => ({ op: 'replace', path: `/rules/${rule}/verbs`, value: ['get'] })),
);

for (const driver of driversOf('double', 'binary')) {
  describe(`a Balancer that orchestratord has served, on ${driver.name},`, () => {
    const NAMESPACE = `takeover-${driver.id}`;
    let plane: ControlPlane;
    let chain: Chain;
    let balancers: Balancers;
    let swap: Swap;
    before(async function () {
      ({ plane, chain } = await sharedWorld(this, driver));
      balancers = balancersIn(plane, await createNamespace(plane, NAMESPACE));
      swap = swapIn(plane, chain, NAMESPACE);
    });
    after(async () => {
      await swap.controllerOn();
      await plane.kubectl(['delete', 'balancers', '--all', '-n', NAMESPACE]);
    });

    /** Has Balancers served by ours, then by orchestratord with what `past` makes of each; gives the pods that they have then. */
    const served = async (
      past: Readonly<Record<string, () => Promise<void>>>,
    ): Promise<ReadonlyMap<string, Pods>> => {
      const names = Object.keys(past);
      await swap.serve(...names);
      await swap.controllerOff();
      const pods = Object.entries(past).map(async ([name, makePast]) => {
        await swap.handBack(name);
        await makePast();
        return [name, await swap.podsOf(name)] as const;
      });
      return new Map(await Promise.all(pods));
    };

    /** Runs every command that the condition carries once it has the reason. */
    const runWhatIsPrinted = async (name: string, type: string, reason: string): Promise<void> => {
      const { message } = await waitFor(`${reason} of Balancer ${name}`, SETTLE, async () => {
        const conditions = await conditionsOf(plane, NAMESPACE, name);
        const found = conditions.find((condition) => condition.type === type);
        return found?.reason === reason ? arrived(found) : notYet(JSON.stringify(conditions));
      });
      const commands = [...message.matchAll(/with: kubectl ([^;]+)/g)].map(([, command = '']) => command);
      assert.ok(commands.length > 0, message);
      for (const command of commands) await plane.kubectl(command.split(' '));
    };

    const untilMigrated = async (name: string): Promise<void> => {
      await swap.untilMigrated(name);
      await balancers.untilRolledOut(name, 'the new Deployment', () => true);
      await balancers.until(name, 'Ready', 'True');
    };

    describe('at the same time as others,', () => {
      let pods: ReadonlyMap<string, Pods>;
      let handedBack: readonly Child[];
      before(async () => {
        pods = await served({
          swap: async () => {
            handedBack = await balancers.children('swap');
          },
          labels: () => balancers.apply('labels', { ...SERVED_SPEC, ...POD_METADATA }),
          two: () => swap.serveOld('two', 'two', 'all'),
          four: () => swap.serveOld('four', 'four', 'all'),
          bare: () => swap.serveOld('bare', 'four', 'of the selector'),
        });
        await swap.controllerOn();
        await Promise.all([...pods.keys()].map((name) => balancers.until(name, 'ChildrenObserved', 'False')));
        await Promise.all([...pods.keys()].map((name) => swap.takenOver(name)));
      });

      it('swap from and rollback to orchestratord, as the runbook tells it: adopted, no pod restarted, pod names and start times equal before and after', async () => {
        assert.deepEqual(handedBack.map(({ kind }) => kind).sort(), ['Certificate', 'Deployment', 'Service']);
        for (const { metadata } of handedBack) {
          const { labels, annotations, ownerReferences } = metadata as Readonly<Record<string, unknown>>;
          assert.doesNotMatch(JSON.stringify([labels, annotations ?? {}]), /controller-uid|last-applied/);
          const [owner, ...others] = ownerReferences as readonly object[];
          assert.deepEqual(
            [Object.keys(owner ?? {}).sort(), others],
            [['apiVersion', 'kind', 'name', 'uid'], []],
          );
        }
        for (const { kind, metadata } of await balancers.children('swap')) {
          const [owner] =
            (metadata as { ownerReferences?: readonly { controller?: boolean }[] }).ownerReferences ?? [];
          assert.equal(owner?.controller, true, kind);
        }
        await balancers.until('swap', 'Ready', 'True');
        assert.equal(pods.get('swap')?.length, 2);
        assert.deepEqual(await swap.podsOf('swap'), pods.get('swap'));
        await untilTold(plane, { name: 'swap', namespace: NAMESPACE }, 'Adopting');
      });

      for (const count of ['two', 'four']) {
        it(`migration of an old ${count}-label selector: pod names and start times equal before and after`, async () => {
          await untilMigrated(count);
          assert.equal(pods.get(count)?.length, 2);
          assert.deepEqual(await swap.podsOf(count), pods.get(count));
          await untilTold(plane, { name: count, namespace: NAMESPACE }, 'Orphaning');
        });
      }

      it('migration where the pods lack labels of the new selector: rolled first, and Ready', async () => {
        await untilMigrated('bare');
        assert.equal((await swap.podsOf('bare')).length, 2);
      });

      it('podLabels that the adopted template lacks are deferred: no pod restarted, and they go in with the next image', async () => {
        await balancers.until('labels', 'PodMetadataDeferred', 'True');
        await balancers.untilRolledOut('labels', 'what was there', () => true);
        assert.deepEqual(await swap.podsOf('labels'), pods.get('labels'));
        const written = await writesDuring(plane, ['deployments', 'services', 'certificates'], async () => {
          await plane.kubectl(['annotate', 'balancer', 'labels', 'nudge=1', '-n', NAMESPACE]);
          await sleep(QUIET_MS);
        });
        assert.deepEqual(written, {});
        await balancers.apply('labels', {
          ...SERVED_SPEC,
          ...POD_METADATA,
          balancerdImageRef: 'materialize/balancerd:v2',
        });
        const rolled = await balancers.untilRolledOut(
          'labels',
          'the label',
          ({ spec }) => spec?.template.metadata?.labels?.['team'] === 'a',
        );
        assert.equal(rolled.spec?.template.metadata?.annotations?.['note'], 'b');
      });
    });

    describe('alone,', () => {
      it('takeover and migration without rights to write: by the commands that the conditions print', async () => {
        const pods = await served({ barred: () => swap.serveOld('barred', 'two', 'all') });
        await swap.controllerOn();
        await plane.kubectl([
          'patch',
          'clusterrole',
          'counterpoise-balancer',
          '--type=json',
          '-p',
          READ_ALONE,
        ]);
        await runWhatIsPrinted('barred', 'ChildrenObserved', 'AdoptionFailed');
        await runWhatIsPrinted('barred', 'Migrating', 'OrphaningFailed');
        await untilMigrated('barred');
        assert.deepEqual(await swap.podsOf('barred'), pods.get('barred'));
      });

      it('interrupted at every step (hook killed, the step taken and its answer lost) and resumed: same end', async () => {
        const pods = await served({ killed: () => swap.serveOld('killed', 'two', 'all') });
        const killing = killAtEveryStep(chain.relays.balancer, 'killed', () => chain.restartHook('balancer'));
        try {
          await swap.controllerOn();
          await waitFor('a migration with every step killed', SETTLE, () => {
            const steps = ['Adopting', 'AllObserved Orphaning', 'AllObserved'];
            return steps.every((step) => killing.killedAt.includes(step))
              ? arrived(undefined)
              : notYet(killing.killedAt.join('; '));
          });
          await untilMigrated('killed');
          assert.deepEqual(await swap.podsOf('killed'), pods.get('killed'));
        } finally {
          killing.stop();
        }
      });
    });
  });
}
