import assert from 'node:assert/strict';
import type { V1Deployment } from '@kubernetes/client-node';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import { balancersIn, type Balancers } from './balancers.ts';
import type { ControlPlane } from './control-plane.ts';
import { driversOf } from './drivers.ts';
import { applyObject, createNamespace, readPath } from './objects.ts';
import { sharedWorld } from './shared.ts';
import { together } from './together.ts';

const SETTLE = { deadlineMs: 60_000, everyMs: 250 };

const spec = {
  balancerdImageRef: 'materialize/balancerd:v1',
  staticRouting: { environmentdNamespace: 'materialize', environmentdServiceName: 'environmentd' },
};
const ANOTHER_IMAGE = 'materialize/balancerd:v2';

const issuedBy = (name: string): object => ({
  externalCertificateSpec: { issuerRef: { name }, dnsNames: ['example.com'] },
});

function imageOf({ spec }: V1Deployment): string | undefined {
  return spec?.template.spec?.containers[0]?.image;
}

for (const driver of driversOf('double', 'binary')) {
  describe(`a Balancer on ${driver.name}`, () => {
    const NAMESPACE = `balancers-${driver.id}`;
    let plane: ControlPlane;
    let balancers: Balancers;
    before(async function () {
      ({ plane } = await sharedWorld(this, driver));
      balancers = balancersIn(plane, await createNamespace(plane, NAMESPACE));
    });
    after(async () => {
      await plane.kubectl(['delete', 'balancers', '--all', '-n', NAMESPACE]);
    });
    const scenario = together();

    /** Names and phases of the pods that a Balancer's Deployment selects, those on their way out left aside. */
    const podsOf = async (name: string): Promise<readonly string[]> => {
      const selector = `materialize.cloud/name=mz${await balancers.resourceId(name)}-balancerd`;
      const { items } = await readPath<{
        readonly items: readonly {
          readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
          readonly status: { readonly phase: string };
        }[];
      }>(plane, `/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=${selector}`);
      return items
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        .map(({ metadata, status }) => `${metadata.name} ${status.phase}`);
    };
    const namesOf = async (name: string): Promise<readonly string[]> =>
      (await balancers.children(name)).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    const created = async (name: string, others: object = {}): Promise<void> => {
      await balancers.apply(name, { ...spec, ...others });
      await balancers.until(name, 'Ready', 'True');
      await balancers.until(name, 'ChildrenObserved', 'True');
      await balancers.untilRolledOut(name, 'all of it', () => true);
    };
    const untilIssuer = async (name: string, issuer: string): Promise<void> => {
      const certificate = `mz${await balancers.resourceId(name)}-balancerd-external`;
      const path = `/apis/cert-manager.io/v1/namespaces/${NAMESPACE}/certificates/${certificate}`;
      await waitFor(`a Certificate of ${issuer}`, SETTLE, async () => {
        const { spec: asked } = await readPath<{
          readonly spec: { readonly issuerRef: { readonly name: string } };
        }>(plane, path);
        return asked.issuerRef.name === issuer ? arrived(undefined) : notYet(JSON.stringify(asked));
      });
    };

    scenario(
      'created -> pods Running -> Ready=True, with a headless Service and no Certificate',
      async () => {
        await created('plain');
        const ready = await balancers.until('plain', 'Ready', 'True');
        assert.equal(ready.message, 'balancerd deployment is ready');
        const id = await balancers.resourceId('plain');
        assert.match(id, /^[a-z0-9]{10}$/);
        assert.deepEqual(await namesOf('plain'), [
          `Deployment mz${id}-balancerd`,
          `Service mz${id}-balancerd`,
        ]);
        const pods = await podsOf('plain');
        assert.equal(pods.length, 2);
        for (const pod of pods) assert.match(pod, / Running$/);
      },
    );

    scenario(
      'image, replicas, ConfigMap, issuer, labels changed -> rolled out, one after the other',
      async () => {
        await created('edited', { configmapName: 'first', ...issuedBy('first') });
        const changes: readonly (readonly [string, object, (deployment: V1Deployment) => boolean])[] = [
          ['image', { balancerdImageRef: ANOTHER_IMAGE }, (found) => imageOf(found) === ANOTHER_IMAGE],
          ['replicas', { replicas: 3 }, ({ status }) => status?.availableReplicas === 3],
          [
            'ConfigMap',
            { configmapName: 'second' },
            (found) => JSON.stringify(found.spec?.template.spec?.volumes).includes('"name":"second"'),
          ],
          [
            'labels',
            { podLabels: { team: 'second' } },
            (found) => found.spec?.template.metadata?.labels?.['team'] === 'second',
          ],
        ];
        let wanted: object = { ...spec, configmapName: 'first', ...issuedBy('first') };
        for (const [what, change, holds] of changes) {
          wanted = { ...wanted, ...change };
          await balancers.apply('edited', wanted);
          await balancers.untilRolledOut('edited', what, holds);
        }
        await balancers.apply('edited', { ...wanted, ...issuedBy('second') });
        await untilIssuer('edited', 'second');
        await balancers.until('edited', 'Ready', 'True');
      },
    );

    scenario('child deleted or edited by hand -> restored', async () => {
      await created('handled', issuedBy('issuer'));
      const name = (await balancers.deployment('handled')).metadata?.name ?? '';
      const here = ['-n', NAMESPACE];
      await plane.kubectl(['delete', 'service', name, ...here]);
      await plane.kubectl(['delete', 'certificate', `${name}-external`, ...here]);
      await plane.kubectl(['scale', 'deployment', name, '--replicas=1', ...here]);
      await balancers.untilRolledOut('handled', 'the scale', (found) => found.spec?.replicas === 2);
      await balancers.untilChildren('handled', 'all children', (kinds) => kinds.length === 3);
      const edit = { spec: { issuerRef: { name: 'by-hand' } } };
      await plane.kubectl([
        'patch',
        'certificate',
        `${name}-external`,
        '--type=merge',
        '-p',
        JSON.stringify(edit),
        ...here,
      ]);
      await untilIssuer('handled', 'issuer');
      await plane.kubectl(['delete', 'deployment', name, ...here]);
      await balancers.untilRolledOut('handled', 'a Deployment', ({ status }) => status?.replicas === 2);
      await balancers.until('handled', 'ChildrenObserved', 'True');
    });

    scenario('issuer given and taken away -> gets a Certificate, and loses it', async () => {
      await created('tls', issuedBy('issuer'));
      const id = await balancers.resourceId('tls');
      assert.ok((await namesOf('tls')).includes(`Certificate mz${id}-balancerd-external`));
      await balancers.apply('tls', spec);
      await balancers.untilChildren('tls', 'no Certificate', (kinds) => !kinds.includes('Certificate'));
    });

    scenario('spec made invalid -> nothing changes, condition says why; made valid -> goes on', async () => {
      const sized = (privateKeySize: number): object => ({
        balancerdImageRef: ANOTHER_IMAGE,
        // without an algorithm CEL does not know which sizes there are; the hook knows the default
        externalCertificateSpec: { issuerRef: { name: 'issuer' }, privateKeySize },
      });
      await created('held', issuedBy('issuer'));
      const before = [await balancers.children('held'), await podsOf('held')];
      await balancers.apply('held', { ...spec, ...sized(999) });
      const refused = await balancers.until('held', 'SpecValid', 'False');
      assert.match(refused.message, /ECDSA key size must be one of 256, 384, or 521 bits/);
      assert.deepEqual([await balancers.children('held'), await podsOf('held')], before);
      await balancers.apply('held', { ...spec, ...sized(384) });
      await balancers.until('held', 'SpecValid', 'True');
      await balancers.untilRolledOut('held', 'the image', (found) => imageOf(found) === ANOTHER_IMAGE);
    });

    scenario(
      'name taken by a stranger -> NameTaken, handed over by the printed command -> adopted',
      async () => {
        const name = 'mztaken-balancerd';
        const labels = { app: 'balancerd' };
        await applyObject(plane, {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name, namespace: NAMESPACE },
          spec: {
            selector: { matchLabels: labels },
            template: {
              metadata: { labels },
              spec: { containers: [{ name: 'balancerd', image: 'stranger' }] },
            },
          },
        });
        await applyObject(plane, {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name, namespace: NAMESPACE },
          spec: { clusterIP: 'None', selector: { some: 'body' }, ports: [{ name: 'http', port: 1 }] },
        });
        await balancers.apply('taken', { ...spec, resourceId: 'taken' });
        const { message } = await waitFor('NameTaken', SETTLE, async () => {
          const condition = await balancers.until('taken', 'ChildrenObserved', 'False');
          return condition.reason === 'NameTaken' ? arrived(condition) : notYet(condition.reason);
        });
        const commands = [...message.matchAll(/with: kubectl ([^;]+)/g)].map(([, command = '']) => command);
        assert.equal(commands.length, 2, message);
        for (const command of commands) await plane.kubectl(command.split(' '));
        await balancers.until('taken', 'ChildrenObserved', 'True');
        await balancers.untilRolledOut(
          'taken',
          'our image',
          (found) => imageOf(found) === spec.balancerdImageRef,
        );
        await waitFor('both to be adopted', SETTLE, async () => {
          const names = (await namesOf('taken')).join();
          return names === `Deployment ${name},Service ${name}` ? arrived(undefined) : notYet(names);
        });
      },
    );

    scenario(
      'status lost (cleared by kubectl) -> keeps its children and its resource id, one that its spec has moved on from too',
      async () => {
        await created('lost', { resourceId: 'lost-first', ...issuedBy('issuer') });
        await balancers.apply('lost', { ...spec, resourceId: 'lost-second', ...issuedBy('issuer') });
        await balancers.until('lost', 'ResourceIdIgnored', 'True');
        const before = [await balancers.children('lost'), await podsOf('lost')];
        const clear = ['--subresource=status', '--type=merge', '-p', '{"status":null}'];
        await plane.kubectl(['patch', 'balancer', 'lost', ...clear, '-n', NAMESPACE]);
        await balancers.until('lost', 'Ready', 'True');
        assert.equal(await balancers.resourceId('lost'), 'lost-first');
        await balancers.until('lost', 'ResourceIdIgnored', 'True');
        assert.deepEqual([await balancers.children('lost'), await podsOf('lost')], before);
      },
    );

    scenario('deleted -> children collected', async () => {
      await created('deleted', issuedBy('issuer'));
      const selector = ['-l', 'materialize.cloud/organization-name=deleted', '-n', NAMESPACE];
      const kinds = 'deployments,services,certificates,replicasets,pods';
      assert.notEqual(await plane.kubectl(['get', kinds, '-o', 'name', ...selector]), '');
      await plane.kubectl(['delete', 'balancer', 'deleted', '-n', NAMESPACE]);
      await waitFor('the children to be gone', { deadlineMs: 60_000, everyMs: 1000 }, async () => {
        const left = await plane.kubectl(['get', kinds, '-o', 'name', ...selector]);
        return left === '' ? arrived(undefined) : notYet(left);
      });
    });
  });
}
