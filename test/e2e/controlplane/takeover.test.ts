import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { V1Deployment, V1DeploymentSpec, V1Pod, V1PodList } from '@kubernetes/client-node';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import { balancersIn, type Balancers, type Condition } from './balancers.ts';
import type { Chain } from './chain.ts';
import type { ControlPlane } from './control-plane.ts';
import { startKillingRelay } from './killing-relay.ts';
import { applyOverlay } from './manifests.ts';
import { driversOf } from './drivers.ts';
import { applyObject, createNamespace, getJson } from './objects.ts';
import { runFromRunbook } from './runbook.ts';
import { sharedWorld } from './shared.ts';
import { writesDuring } from './writes.ts';

/** An update loop shows itself within a second; nothing else can be awaited than that it does not. */
const QUIET_MS = 5_000;
const SETTLE = { deadlineMs: 90_000, everyMs: 250 };

const spec = {
  balancerdImageRef: 'materialize/balancerd:v1',
  staticRouting: { environmentdNamespace: 'materialize', environmentdServiceName: 'environmentd' },
};

/** Names, uids and start times of a Balancer's running pods: the same before and after, no pod was restarted. */
type Pods = readonly (readonly [string, string, string])[];

const OLD_SELECTORS: Readonly<Record<string, readonly string[]>> = {
  two: ['materialize.cloud/name', 'app'],
  four: [
    'materialize.cloud/organization-name',
    'materialize.cloud/organization-namespace',
    'materialize.cloud/mz-resource-id',
    'materialize.cloud/app',
  ],
};

function annotated({ template }: V1DeploymentSpec): { readonly annotations?: object } {
  const annotations = template.metadata?.annotations;
  return annotations === undefined ? {} : { annotations };
}

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
    before(async function () {
      ({ plane, chain } = await sharedWorld(this, driver));
      balancers = balancersIn(plane, await createNamespace(plane, NAMESPACE));
    });
    after(async () => {
      await controllerOn();
      await plane.kubectl(['delete', 'balancers', '--all', '-n', NAMESPACE]);
    });

    async function podsOf(name: string): Promise<Pods> {
      const labelled = ['-l', `materialize.cloud/organization-name=${name}`, '-n', NAMESPACE];
      const { items } = await getJson<V1PodList>(plane, 'pods', ...labelled);
      return items
        .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
        .map(({ metadata, status }: V1Pod): Pods[number] => [
          metadata?.name ?? '',
          metadata?.uid ?? '',
          JSON.stringify(status?.startTime ?? ''),
        ])
        .sort();
    }

    async function controllerOff(): Promise<void> {
      await runFromRunbook(plane, 'hand-back-controller', {});
      await waitFor('the controller to be gone', SETTLE, async () => {
        const left = await plane.kubectl(['get', 'compositecontrollers', '-o', 'name']);
        return left.includes('counterpoise-balancer') ? notYet(left) : arrived(undefined);
      });
    }

    async function controllerOn(): Promise<void> {
      await applyOverlay(plane, 'production', chain.ports);
    }

    async function handBack(name: string): Promise<void> {
      await runFromRunbook(plane, 'hand-back', { NAMESPACE, BALANCER: name });
    }

    async function takenOver(name: string): Promise<void> {
      await runFromRunbook(plane, 'take-over', { NAMESPACE, BALANCER: name });
    }

    /** Waits for the Event of a step: the hook does not wait for what it records. */
    async function untilTold(name: string, step: string): Promise<void> {
      const about = ['--field-selector', `involvedObject.name=${name}`, '-n', NAMESPACE];
      await waitFor(`the Event ${step} of Balancer ${name}`, SETTLE, async () => {
        const told = await getJson<{ readonly items: readonly { readonly reason: string }[] }>(
          plane,
          'events',
          ...about,
        );
        const reasons = told.items.map(({ reason }) => reason);
        return reasons.includes(step) ? arrived(undefined) : notYet(reasons.join());
      });
    }

    async function served(name: string, more: object = {}): Promise<void> {
      await balancers.apply(name, {
        ...spec,
        externalCertificateSpec: { issuerRef: { name: 'ca' } },
        ...more,
      });
      await balancers.until(name, 'Ready', 'True');
      await balancers.until(name, 'ChildrenObserved', 'True');
      await balancers.untilRolledOut(name, 'all of it', () => true);
    }

    /** Puts a Deployment with an older selector in the place of ours, owned as orchestratord owns it. */
    async function serveOld(name: string, keys: readonly string[], onlyThem: boolean): Promise<void> {
      const { metadata, spec } = await balancers.deployment(name);
      assert.ok(metadata?.name !== undefined && spec !== undefined);
      const labels = spec.template.metadata?.labels ?? {};
      const kept = onlyThem ? [...keys, 'materialize.cloud/name'] : Object.keys(labels);
      const select = (wanted: readonly string[]): object =>
        Object.fromEntries(Object.entries(labels).filter(([key]) => wanted.includes(key)));
      await plane.kubectl(['delete', 'deployment', metadata.name, '-n', NAMESPACE, '--cascade=foreground']);
      const { labels: objectLabels, ownerReferences } = metadata;
      const template = { metadata: { ...annotated(spec), labels: select(kept) }, spec: spec.template.spec };
      const { replicas, strategy } = spec;
      await applyObject(plane, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: metadata.name, namespace: NAMESPACE, labels: objectLabels, ownerReferences },
        spec: { replicas, strategy, selector: { matchLabels: select(keys) }, template },
      });
      await balancers.untilRolledOut(name, 'the old Deployment', () => true);
    }

    /** Runs every command that the condition carries once it has the reason. */
    async function runWhatIsPrinted(name: string, type: string, reason: string): Promise<void> {
      const { message } = await waitFor(`${reason} of Balancer ${name}`, SETTLE, async () => {
        const { status } = await getJson<{ readonly status: { readonly conditions: readonly Condition[] } }>(
          plane,
          'balancer',
          name,
          '-n',
          NAMESPACE,
        );
        const found = status.conditions.find((condition) => condition.type === type);
        return found?.reason === reason ? arrived(found) : notYet(JSON.stringify(status));
      });
      const commands = [...message.matchAll(/with: kubectl ([^;]+)/g)].map(([, command = '']) => command);
      assert.ok(commands.length > 0, message);
      for (const command of commands) await plane.kubectl(command.split(' '));
    }

    async function untilMigrated(name: string): Promise<V1Deployment> {
      return waitFor(`Balancer ${name} to be migrated`, SETTLE, async () => {
        const [deployment, balancer] = [
          await balancers.deployment(name),
          await getJson<{ status?: { conditions: readonly { type: string }[] } }>(
            plane,
            'balancer',
            name,
            '-n',
            NAMESPACE,
          ),
        ];
        const labels = Object.keys(deployment.spec?.selector.matchLabels ?? {});
        const isDone = balancer.status?.conditions.every(({ type }) => type !== 'Migrating') === true;
        return labels.length === 6 && isDone ? arrived(deployment) : notYet(JSON.stringify(balancer.status));
      });
    }

    it('is handed back as it was and taken over again, and no pod restarts either way', async () => {
      await served('swap');
      const before = await podsOf('swap');
      assert.equal(before.length, 2);
      await controllerOff();
      await handBack('swap');
      for (const { metadata } of await balancers.children('swap')) {
        const { labels, annotations, ownerReferences } = metadata as Readonly<Record<string, unknown>>;
        assert.doesNotMatch(JSON.stringify([labels, annotations ?? {}]), /controller-uid|last-applied/);
        const [owner, ...others] = ownerReferences as readonly object[];
        assert.deepEqual(
          [Object.keys(owner ?? {}).sort(), others],
          [['apiVersion', 'kind', 'name', 'uid'], []],
        );
      }
      await controllerOn();
      await waitFor('the children to be missed', SETTLE, async () => {
        const condition = await balancers.until('swap', 'ChildrenObserved', 'False');
        return arrived(condition);
      });
      await takenOver('swap');
      for (const { kind, metadata } of await balancers.children('swap')) {
        const [owner] =
          (metadata as { ownerReferences?: readonly { controller?: boolean }[] }).ownerReferences ?? [];
        assert.equal(owner?.controller, true, kind);
      }
      await balancers.until('swap', 'Ready', 'True');
      assert.deepEqual(await podsOf('swap'), before);
      await untilTold('swap', 'Adopting');
    });

    it('keeps its pods though podLabels are wanted, which go in with the next image', async () => {
      await served('labels');
      const before = await podsOf('labels');
      await controllerOff();
      await handBack('labels');
      const more = { podLabels: { team: 'a' }, podAnnotations: { note: 'b' } };
      const externalCertificateSpec = { issuerRef: { name: 'ca' } };
      await balancers.apply('labels', { ...spec, externalCertificateSpec, ...more, replicas: 2 });
      await controllerOn();
      await balancers.until('labels', 'ChildrenObserved', 'False');
      await takenOver('labels');
      await balancers.until('labels', 'PodMetadataDeferred', 'True');
      await balancers.untilRolledOut('labels', 'what was there', () => true);
      assert.deepEqual(await podsOf('labels'), before);
      const written = await writesDuring(plane, ['deployments', 'services', 'certificates'], async () => {
        await plane.kubectl(['annotate', 'balancer', 'labels', 'nudge=1', '-n', NAMESPACE]);
        await sleep(QUIET_MS);
      });
      assert.deepEqual(written, {});
      await balancers.apply('labels', {
        ...spec,
        externalCertificateSpec,
        ...more,
        balancerdImageRef: 'materialize/balancerd:v2',
      });
      const rolled = await balancers.untilRolledOut(
        'labels',
        'the label',
        ({ spec }) => spec?.template.metadata?.labels?.['team'] === 'a',
      );
      assert.equal(rolled.spec?.template.metadata?.annotations?.['note'], 'b');
    });

    for (const [count, keys] of Object.entries(OLD_SELECTORS)) {
      it(`with a selector of ${count} labels gets ours around the pods that run`, async () => {
        await served(count);
        await controllerOff();
        await handBack(count);
        await serveOld(count, keys, false);
        const before = await podsOf(count);
        assert.equal(before.length, 2);
        await controllerOn();
        await takenOver(count);
        await untilMigrated(count);
        await balancers.untilRolledOut(count, 'the new Deployment', () => true);
        await balancers.until(count, 'Ready', 'True');
        assert.deepEqual(await podsOf(count), before);
        await untilTold(count, 'Orphaning');
      });
    }

    it('whose pods lack labels of the new selector is rolled first, and stays Ready', async () => {
      await served('bare');
      await controllerOff();
      await handBack('bare');
      await serveOld('bare', OLD_SELECTORS['four'] ?? [], true);
      await controllerOn();
      await takenOver('bare');
      await untilMigrated('bare');
      await balancers.untilRolledOut('bare', 'the new Deployment', () => true);
      await balancers.until('bare', 'Ready', 'True');
      assert.equal((await podsOf('bare')).length, 2);
    });

    it('without rights to write goes on by the commands that its conditions print', async () => {
      await served('barred');
      await controllerOff();
      await handBack('barred');
      await serveOld('barred', OLD_SELECTORS['two'] ?? [], false);
      const before = await podsOf('barred');
      await controllerOn();
      await plane.kubectl(['patch', 'clusterrole', 'counterpoise-balancer', '--type=json', '-p', READ_ALONE]);
      await runWhatIsPrinted('barred', 'ChildrenObserved', 'AdoptionFailed');
      await runWhatIsPrinted('barred', 'Migrating', 'OrphaningFailed');
      await untilMigrated('barred');
      await balancers.untilRolledOut('barred', 'the new Deployment', () => true);
      assert.deepEqual(await podsOf('barred'), before);
    });

    it('ends the same when its hook is killed at every step, the step taken and its answer lost', async () => {
      await served('killed');
      await controllerOff();
      await handBack('killed');
      await serveOld('killed', OLD_SELECTORS['two'] ?? [], false);
      const before = await podsOf('killed');
      const relay = await startKillingRelay(chain.ports.balancer, 'killed', async () =>
        chain.restartHook('balancer'),
      );
      try {
        await applyOverlay(plane, 'production', { ...chain.ports, balancer: relay.port });
        await waitFor('a migration with every step killed', SETTLE, () => {
          const steps = ['Adopting', 'AllObserved Orphaning', 'AllObserved'];
          return steps.every((step) => relay.killedAt.includes(step))
            ? arrived(undefined)
            : notYet(relay.killedAt.join('; '));
        });
        await untilMigrated('killed');
        await balancers.untilRolledOut('killed', 'the new Deployment', () => true);
        await balancers.until('killed', 'Ready', 'True');
        assert.deepEqual(await podsOf('killed'), before);
      } finally {
        await relay.stop();
      }
    });
  });
}
