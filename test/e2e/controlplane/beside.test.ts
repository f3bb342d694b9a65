import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ROOT } from '../../support/kustomize.ts';
import { hasPassed } from '../../support/suite.ts';
import { balancersIn } from './balancers.ts';
import { RUN_LABEL } from './beside.ts';
import { startChainBeside, type Chain } from './chain.ts';
import { connectTo, type Cluster } from './cluster.ts';
import { startControlPlane, type ControlPlane } from './control-plane.ts';
import { installOwnCrds } from './crds.ts';
import { driversOf } from './drivers.ts';
import { installMetacontrollerCrds } from './metacontroller.ts';
import { createNamespace } from './objects.ts';

const spec = {
  balancerdImageRef: 'materialize/balancerd:v1',
  staticRouting: { environmentdNamespace: 'materialize', environmentdServiceName: 'environmentd' },
};

const METACONTROLLER_RBAC = join(ROOT, 'metacontroller', 'base', 'metacontroller-rbac.yaml');
const NAMESPACE = 'beside';

const stranger = {
  apiVersion: 'metacontroller.k8s.io/v1alpha1',
  kind: 'CompositeController',
  metadata: { name: 'stranger' },
  spec: {
    generateSelector: true,
    parentResource: { apiVersion: 'materialize.cloud/v1alpha1', resource: 'balancers' },
    hooks: { sync: { webhook: { url: 'http://127.0.0.1:1' } } },
  },
};

for (const driver of driversOf('double', 'binary')) {
  describe(`a run on a cluster that exists, which has ${driver.name},`, () => {
    let plane: ControlPlane;
    let cluster: Cluster;
    let chain: Chain | undefined;
    let metacontroller: { stop(): Promise<void> } | undefined;
    before(async function () {
      this.timeout(120_000);
      plane = await startControlPlane();
      // as whoever installed it there has granted it
      await plane.kubectl(['apply', '-f', METACONTROLLER_RBAC]);
      cluster = await connectTo(plane.kubeconfig, { [RUN_LABEL]: 'run' }, () => undefined);
    });
    after(async function () {
      await chain?.stop();
      await metacontroller?.stop();
      await plane.stop({ keep: !hasPassed(this.test?.parent) });
    });

    const names = async (kind: string, ...more: readonly string[]): Promise<string> =>
      plane.kubectl(['get', kind, '-o', 'name', ...more]);

    it('is refused where there is no Metacontroller', async () => {
      await assert.rejects(startChainBeside(cluster, {}), /that cluster has no Metacontroller; install it/);
      assert.equal(await names('crds'), '');
    });

    it('is refused where another controller serves our kinds, which it names', async () => {
      await installMetacontrollerCrds(plane);
      await plane.kubectl(['create', '-f', '-'], JSON.stringify(stranger));
      await assert.rejects(
        startChainBeside(cluster, {}),
        /CompositeController stranger serves balancers.materialize.cloud there; delete it/,
      );
      assert.doesNotMatch(await names('crds'), /balancers/);
      await plane.kubectl(['delete', 'compositecontroller', 'stranger']);
    });

    it('creates the CRDs that are missing, serves the parents with its label alone, and leaves nothing', async () => {
      metacontroller = await driver.start(plane);
      chain = await startChainBeside(cluster, {});
      await createNamespace(cluster, NAMESPACE);
      const theirs = balancersIn(plane, NAMESPACE);
      const ours = balancersIn(cluster, NAMESPACE);
      await theirs.apply('theirs', spec);
      await ours.apply('ours', spec);
      await ours.until('ours', 'Ready', 'True');
      assert.deepEqual(await theirs.children('theirs'), []);
      await chain.stop();
      chain = undefined;
      assert.equal(await names('compositecontrollers'), '');
      assert.doesNotMatch(await names('namespaces'), /beside/);
      assert.doesNotMatch(await names('crds'), /balancers|rebalances/);
    });

    it('leaves a CRD that was there, with the objects that are not its own', async () => {
      await installOwnCrds(plane);
      await balancersIn(plane, 'default').apply('theirs', spec);
      chain = await startChainBeside(cluster, {});
      await chain.stop();
      chain = undefined;
      assert.match(await names('balancers', '-n', 'default'), /theirs/);
    });
  });
}
