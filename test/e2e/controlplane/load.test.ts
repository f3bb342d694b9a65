import assert from 'node:assert/strict';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import { driversOf } from './drivers.ts';
import { getJson } from './objects.ts';
import { showLoad, useNamespace } from './own-namespace.ts';
import { countRequests, writesDuring } from './writes.ts';

const BALANCERS = 200;
const REBALANCES = 100;
const LOAD_MS = 5 * 60_000;

interface List {
  readonly items: readonly {
    readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
  }[];
}

function times(count: number, make: (index: number) => object): readonly object[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

for (const driver of driversOf('double', 'binary')) {
  describe(`${BALANCERS} Balancers and ${REBALANCES} Rebalances at once on ${driver.name}`, () => {
    const NAMESPACE = `load-${driver.id}`;
    const own = useNamespace(driver, NAMESPACE, 'balancers,rebalances', '--wait=false');

    const ready = async (kind: string): Promise<number> => {
      const { items } = await getJson<List>(own.plane, kind, '-n', NAMESPACE);
      return items.filter(({ status }) =>
        status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
      ).length;
    };

    it('all settle: Ready, each child created once and updated never; seconds, syncs and API requests are printed', async function () {
      this.timeout(LOAD_MS);
      const { plane, world } = own;
      const zone = await showLoad(world, 'load', '3000');
      const balancers = times(BALANCERS, (index) => ({
        apiVersion: 'materialize.cloud/v1alpha1',
        kind: 'Balancer',
        metadata: { name: `balancer-${index}`, namespace: NAMESPACE },
        spec: {
          balancerdImageRef: 'materialize/balancerd:v1',
          staticRouting: { environmentdNamespace: 'materialize', environmentdServiceName: 'environmentd' },
          externalCertificateSpec: { issuerRef: { name: 'issuer' } },
        },
      }));
      const rebalances = times(REBALANCES, (index) => ({
        apiVersion: 'rebalancer.ch1aki.github.io/v1',
        kind: 'Rebalance',
        metadata: { name: `rebalance-${index}`, namespace: NAMESPACE },
        spec: {
          dryRun: true,
          policy: { targettracking: { targetValue: 1000, baseValue: 8 } },
          target: {
            route53: {
              hostedZoneID: zone.id,
              resource: { name: 'load.example', type: 'A', identifier: 'aws' },
            },
          },
          metrics: { prometheus: { address: world.prometheus.url, query: 'load' } },
        },
      }));
      const { relays } = world.chain;
      const counts = async (): Promise<readonly [number, number, number]> => [
        relays.balancer.requests.length,
        relays.rebalance.requests.length,
        await countRequests(plane),
      ];
      const before = await counts();
      const start = performance.now();
      const written = await writesDuring(plane, ['deployments', 'services', 'certificates'], async () => {
        const list = { apiVersion: 'v1', kind: 'List', items: [...balancers, ...rebalances] };
        await plane.kubectl(['create', '-f', '-'], JSON.stringify(list));
        await waitFor('all to be Ready', { deadlineMs: LOAD_MS, everyMs: 1000 }, async () => {
          const seen = [await ready('balancers'), await ready('rebalances')];
          return seen[0] === BALANCERS && seen[1] === REBALANCES
            ? arrived(undefined)
            : notYet(`${seen.join(' Balancers and ')} Rebalances are`);
        });
      });
      const seconds = ((performance.now() - start) / 1000).toFixed(0);
      const { 'PUT deployments/status': rollouts, ...ours } = written;
      const [balancerSyncs = 0, rebalanceSyncs = 0, requests = 0] = (await counts()).map(
        (count, index) => count - (before[index] ?? 0),
      );
      process.stderr.write(
        `      all settled in ${seconds} s, by ${balancerSyncs} syncs of Balancers and ${rebalanceSyncs} of Rebalances; ` +
          `${requests} requests of the API by all, ${rollouts ?? 0} of them status writes of Deployments\n`,
      );
      assert.deepEqual(ours, {
        'POST deployments': BALANCERS,
        'POST services': BALANCERS,
        'POST certificates': BALANCERS,
      });
    });
  });
}
