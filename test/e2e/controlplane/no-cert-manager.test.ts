import assert from 'node:assert/strict';
import { balancersIn } from './balancers.ts';
import { startChain, type Chain } from './chain.ts';
import { startControlPlane, type ControlPlane } from './control-plane.ts';
import { driversOf } from './drivers.ts';
import { installOwnCrds } from './crds.ts';
import { hookPorts } from './manifests.ts';

for (const driver of driversOf('double', 'binary')) {
  describe(`a cluster without cert-manager, on ${driver.name},`, () => {
    let plane: ControlPlane;
    let chain: Chain | undefined;
    before(async function () {
      this.timeout(120_000);
      plane = await startControlPlane();
      await installOwnCrds(plane);
      chain = await startChain(plane, {
        overlay: 'no-cert-manager',
        ports: await hookPorts(),
        driver,
      });
    });
    after(async () => {
      await chain?.stop();
      await plane.stop();
    });

    it('Certificate kind absent -> the variant works, and names the Secret that somebody must make', async () => {
      const balancers = balancersIn(plane, 'default');
      await balancers.apply('tls', {
        balancerdImageRef: 'materialize/balancerd:v1',
        staticRouting: { environmentdNamespace: 'materialize', environmentdServiceName: 'environmentd' },
        externalCertificateSpec: { issuerRef: { name: 'issuer' } },
      });
      await balancers.until('tls', 'Ready', 'True');
      const id = await balancers.resourceId('tls');
      const { message } = await balancers.until('tls', 'CertificateUnmanaged', 'True');
      assert.ok(message.includes(`mz${id}-balancerd-external-tls`), message);
    });
  });
}
