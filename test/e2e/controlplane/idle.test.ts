import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import { driversOf } from './drivers.ts';
import { applyObject, getJson } from './objects.ts';
import { showLoad, useNamespace } from './own-namespace.ts';
import { changesDuring, writesDuring } from './writes.ts';

const SAMPLES = join(import.meta.dirname, '..', '..', '..', 'metacontroller', 'samples');
/** An update loop shows itself within a second; nothing else can be awaited than that it does not. */
const QUIET_MS = 60_000;
const RANDOM = 30;
const INTERVAL_S = 3;

/** Specs that the API server, or a careless merge, would spell otherwise than they are written. */
const oddSpec = fc.record({
  balancerdImageRef: fc.constant('materialize/balancerd:v1'),
  staticRouting: fc.constant({
    environmentdNamespace: 'materialize',
    environmentdServiceName: 'environmentd',
  }),
  replicas: fc.constantFrom(1, 2, null),
  podLabels: fc.constantFrom({}, null, { team: 'a' }),
  podAnnotations: fc.constantFrom({}, null, { note: '' }),
  resourceRequirements: fc.oneof(
    fc.constantFrom({}, null),
    fc.record({
      limits: fc.record({
        cpu: fc.constantFrom('1000m', '0.5', '2', '100u', '1.50'),
        memory: fc.constantFrom('1024Mi', '123.4Mi', '1.500G', '1e9', '0.5Gi'),
      }),
      requests: fc.constantFrom({}, null, { memory: '64Mi' }),
    }),
  ),
  externalCertificateSpec: fc.constantFrom(
    null,
    {},
    { issuerRef: { name: 'issuer' } },
    { issuerRef: { name: 'issuer', kind: 'ClusterIssuer' }, dnsNames: ['b.example', 'a.example'] },
    { issuerRef: { name: 'issuer' }, duration: '2160h', renewBefore: '60m' },
  ),
});

interface Conditioned {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

for (const driver of driversOf('double', 'binary')) {
  describe(`no update loops on ${driver.name}`, () => {
    const NAMESPACE = `idle-${driver.id}`;
    const own = useNamespace(driver, NAMESPACE, 'balancers,rebalances');

    const untilReady = async (count: number): Promise<void> =>
      waitFor(`${count} Balancers to be Ready`, { deadlineMs: 90_000, everyMs: 500 }, async () => {
        const { items } = await getJson<{ readonly items: readonly Conditioned[] }>(
          own.plane,
          'balancers',
          '-n',
          NAMESPACE,
        );
        const late = items.filter(
          ({ status }) =>
            !status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
        );
        return items.length === count && late.length === 0
          ? arrived(undefined)
          : notYet(`${items.length} there; not Ready: ${JSON.stringify(late[0])}`);
      });

    /** A Rebalance whose weight is right: nothing but its attempts is left to write. */
    const applySteady = async (): Promise<void> => {
      const { plane, world } = own;
      const zone = await showLoad(world, 'idle', '2000');
      const resource = { name: 'idle.example', type: 'A', identifier: 'aws' };
      await applyObject(plane, {
        apiVersion: 'rebalancer.ch1aki.github.io/v1',
        kind: 'Rebalance',
        metadata: { name: 'steady', namespace: NAMESPACE },
        spec: {
          interval: `${INTERVAL_S}s`,
          policy: { targettracking: { targetValue: 1000, baseValue: 8 } },
          target: { route53: { hostedZoneID: zone.id, region: 'us-east-1', resource } },
          metrics: { prometheus: { address: world.prometheus.url, query: 'idle' } },
        },
      });
      await plane.kubectl([
        'wait',
        'rebalance/steady',
        '--for=condition=Ready',
        '--timeout=30s',
        '-n',
        NAMESPACE,
      ]);
    };

    it(`${QUIET_MS / 1000} s of quiet after settling, for every sample and for ${RANDOM} random Balancers: zero child updates, zero status writes, a Rebalance one per interval`, async function () {
      this.timeout(4 * 60_000);
      const { plane } = own;
      await plane.kubectl(['apply', '-k', SAMPLES, '-n', NAMESPACE]);
      const items = fc.sample(oddSpec, { seed: 4, numRuns: RANDOM }).map((spec, index) => ({
        apiVersion: 'materialize.cloud/v1alpha1',
        kind: 'Balancer',
        metadata: { name: `random-${index}`, namespace: NAMESPACE },
        spec,
      }));
      await applyObject(plane, { apiVersion: 'v1', kind: 'List', items });
      const samples = (await plane.kubectl(['get', 'balancers', '-o', 'name', '-n', NAMESPACE]))
        .trim()
        .split('\n').length;
      await untilReady(samples);
      await applySteady();
      let attempts: ReadonlyMap<string, number> = new Map();
      const written = await writesDuring(
        plane,
        ['deployments', 'services', 'certificates', 'balancers'],
        async () => {
          await plane.kubectl(['annotate', 'balancers', '--all', 'nudge=1', '-n', NAMESPACE]);
          const path = `/apis/rebalancer.ch1aki.github.io/v1/namespaces/${NAMESPACE}/rebalances`;
          attempts = await changesDuring(plane, path, () => sleep(QUIET_MS));
        },
      );
      assert.deepEqual(written, { 'PATCH balancers': samples });
      const steady = attempts.get('steady') ?? 0;
      const expected = QUIET_MS / 1000 / INTERVAL_S;
      assert.ok(
        Math.abs(steady - expected) <= expected / 10,
        `${steady} status writes in ${expected} intervals`,
      );
      const others = [...attempts].filter(([name, count]) => name !== 'steady' && count > 2);
      assert.deepEqual(
        others,
        [],
        'the samples have an interval of a minute, and are attempted once or twice',
      );
    });
  });
}
