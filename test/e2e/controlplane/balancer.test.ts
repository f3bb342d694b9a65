import assert from 'node:assert/strict';
import type { V1Deployment, V1PodList } from '@kubernetes/client-node';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import { balancersIn, type Balancers } from './balancers.ts';
import type { Chain } from './chain.ts';
import type { ControlPlane } from './control-plane.ts';
import { driversOf } from './drivers.ts';
import { applyObject, createNamespace, getJson } from './objects.ts';
import { sharedWorld } from './shared.ts';

const SETTLE = { deadlineMs: 60_000, everyMs: 250 };

const spec = {
  balancerdImageRef: 'materialize/balancerd:v1',
  staticRouting: { environmentdNamespace: 'materialize', environmentdServiceName: 'environmentd' },
};

function imageOf({ spec }: V1Deployment): string | undefined {
  return spec?.template.spec?.containers[0]?.image;
}

for (const driver of driversOf('double', 'binary')) {
  describe(`a Balancer on ${driver.name}`, () => {
    const NAMESPACE = `balancers-${driver.id}`;
    let plane: ControlPlane;
    let chain: Chain;
    let balancers: Balancers;
    before(async function () {
      ({ plane, chain } = await sharedWorld(this, driver));
      balancers = balancersIn(plane, await createNamespace(plane, NAMESPACE));
    });

    it('becomes Ready with running pods, a headless Service and no Certificate', async () => {
      await balancers.apply('plain', spec);
      const ready = await balancers.until('plain', 'Ready', 'True');
      assert.equal(ready.message, 'balancerd deployment is ready');
      const id = await balancers.resourceId('plain');
      assert.match(id, /^[a-z0-9]{10}$/);
      assert.deepEqual(
        (await balancers.children('plain')).map(({ kind, metadata }) => `${kind} ${metadata.name}`),
        [`Deployment mz${id}-balancerd`, `Service mz${id}-balancerd`],
      );
      const selector = `materialize.cloud/name=mz${id}-balancerd`;
      const pods = await getJson<V1PodList>(plane, 'pods', '-l', selector, '-n', NAMESPACE);
      assert.deepEqual(
        pods.items.map(({ status }) => status?.phase),
        ['Running', 'Running'],
      );
    });

    it('rolls out another image and another number of replicas', async () => {
      await balancers.apply('plain', { ...spec, balancerdImageRef: 'materialize/balancerd:v2', replicas: 3 });
      const deployment = await balancers.untilRolledOut(
        'plain',
        'the image',
        (found) => imageOf(found) === 'materialize/balancerd:v2',
      );
      assert.equal(deployment.status?.availableReplicas, 3);
      await balancers.until('plain', 'Ready', 'True');
    });

    it('restores a Service that was deleted and a Deployment that was edited by hand', async () => {
      const name = (await balancers.deployment('plain')).metadata?.name ?? '';
      await plane.kubectl(['delete', 'service', name, '-n', NAMESPACE]);
      await plane.kubectl(['scale', 'deployment', name, '--replicas=1', '-n', NAMESPACE]);
      await balancers.untilRolledOut('plain', 'the scale', ({ spec }) => spec?.replicas === 3);
      await balancers.untilChildren('plain', 'the Service', (kinds) => kinds.includes('Service'));
      await balancers.until('plain', 'ChildrenObserved', 'True');
    });

    it('rolls out another ConfigMap and other labels, and asks another issuer', async () => {
      const issued = (name: string): object => ({
        externalCertificateSpec: { issuerRef: { name }, dnsNames: ['example.com'] },
      });
      await balancers.apply('edited', { ...spec, configmapName: 'first', ...issued('first') });
      await balancers.until('edited', 'Ready', 'True');
      await balancers.apply('edited', {
        ...spec,
        configmapName: 'second',
        podLabels: { team: 'second' },
        ...issued('second'),
      });
      const { spec: rolledOut } = await balancers.untilRolledOut(
        'edited',
        'ConfigMap and labels',
        (found) => found.spec?.template.metadata?.labels?.['team'] === 'second',
      );
      const mounted = rolledOut?.template.spec?.volumes?.map(({ configMap }) => configMap?.name);
      assert.ok(mounted?.includes('second'), JSON.stringify(mounted));
      const certificate = `mz${await balancers.resourceId('edited')}-balancerd-external`;
      await waitFor('the other issuer', SETTLE, async () => {
        const { spec: asked } = await getJson<{
          readonly spec: { readonly issuerRef: { readonly name: string } };
        }>(plane, 'certificate', certificate, '-n', NAMESPACE);
        return asked.issuerRef.name === 'second' ? arrived(undefined) : notYet(JSON.stringify(asked));
      });
      await balancers.until('edited', 'Ready', 'True');
    });

    it('gets a Certificate with an issuer, and loses it with the issuer', async () => {
      await balancers.apply('tls', { ...spec, externalCertificateSpec: { issuerRef: { name: 'issuer' } } });
      await balancers.until('tls', 'Ready', 'True');
      const id = await balancers.resourceId('tls');
      assert.ok(
        (await balancers.children('tls')).some(
          ({ metadata }) => metadata.name === `mz${id}-balancerd-external`,
        ),
      );
      await balancers.apply('tls', spec);
      await balancers.untilChildren('tls', 'no Certificate', (kinds) => !kinds.includes('Certificate'));
    });

    it('with a spec that only the hook can refuse changes nothing and says why; mended, it goes on', async () => {
      const externalCertificateSpec = { issuerRef: { name: 'issuer' } };
      await balancers.apply('held', { ...spec, externalCertificateSpec });
      await balancers.until('held', 'Ready', 'True');
      const before = await balancers.children('held');
      await balancers.apply('held', {
        ...spec,
        balancerdImageRef: 'materialize/balancerd:v2',
        externalCertificateSpec: { ...externalCertificateSpec, privateKeySize: 999 },
      });
      const refused = await balancers.until('held', 'SpecValid', 'False');
      assert.match(refused.message, /ECDSA key size must be one of 256, 384, or 521 bits/);
      assert.deepEqual(await balancers.children('held'), before);
      await balancers.apply('held', {
        ...spec,
        balancerdImageRef: 'materialize/balancerd:v2',
        externalCertificateSpec: { ...externalCertificateSpec, privateKeySize: 384 },
      });
      await balancers.until('held', 'SpecValid', 'True');
      await balancers.untilRolledOut(
        'held',
        'the image',
        (found) => imageOf(found) === 'materialize/balancerd:v2',
      );
    });

    it('whose names are taken by strangers names them, and goes on by the commands that it prints', async () => {
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
      assert.deepEqual(
        (await balancers.children('taken')).map(({ kind, metadata }) => `${kind} ${metadata.name}`),
        [`Deployment ${name}`, `Service ${name}`],
      );
    });

    it('goes on after its hook was killed and started again', async () => {
      await chain.restartHook('balancer');
      await balancers.apply('plain', { ...spec, replicas: 1 });
      await balancers.untilRolledOut('plain', 'the scale', ({ spec }) => spec?.replicas === 1);
    });

    it('takes its children with it when it is deleted', async () => {
      await plane.kubectl(['delete', 'balancers', '--all', '-n', NAMESPACE]);
      await waitFor('the children to be gone', SETTLE, async () => {
        const left = await plane.kubectl([
          'get',
          'deployments,services,certificates,pods',
          '-o',
          'name',
          '-n',
          NAMESPACE,
        ]);
        return left === '' ? arrived(undefined) : notYet(left);
      });
    });
  });
}
