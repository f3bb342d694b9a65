import assert from 'node:assert/strict';
import type { CoreV1EventList } from '@kubernetes/client-node';
import type { Exporter } from '../../support/exporter.ts';
import type { Relay } from '../../support/relay.ts';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import type { Moto } from '../moto/moto.ts';
import type { Prometheus } from '../prometheus.ts';
import { createZone, TEST_KEYS, type Zone } from '../zone.ts';
import type { Chain } from './chain.ts';
import type { ControlPlane } from './control-plane.ts';
import { driversOf } from './drivers.ts';
import { applyObject, createNamespace, getJson } from './objects.ts';
import { rebalancesIn, type Rebalances } from './rebalances.ts';
import { sharedWorld } from './shared.ts';

const QUERY = 'requests_per_second';

for (const driver of driversOf('double', 'binary')) {
  describe(`a Rebalance on ${driver.name}`, () => {
    const NAMESPACE = `rebalances-${driver.id}`;
    let plane: ControlPlane;
    let chain: Chain;
    let rebalances: Rebalances;
    let exporter: Exporter;
    let prometheus: Prometheus;
    let moto: Moto;
    let route53: Relay;
    let zone: Zone;
    before(async function () {
      ({ plane, chain, exporter, prometheus, moto, route53 } = await sharedWorld(this, driver));
      rebalances = rebalancesIn(plane, await createNamespace(plane, NAMESPACE));
    });

    const show = async (value: number): Promise<void> => {
      exporter.show({ name: QUERY, value: String(value) });
      await prometheus.waitFor(QUERY, String(value));
    };
    /** A pair of records, ours with `weight`, in a zone of its own. */
    const makeZone = async (name: string, weight: number): Promise<void> => {
      zone = await createZone(moto.url, name);
      const record = { Name: name, Type: 'A', TTL: 60 } as const;
      await zone.put(
        { ...record, SetIdentifier: 'onprem', Weight: 8, ResourceRecords: [{ Value: '192.0.2.1' }] },
        { ...record, SetIdentifier: 'aws', Weight: weight, ResourceRecords: [{ Value: '192.0.2.2' }] },
      );
    };
    const spec = (name: string, others: object = {}, tracking: object = {}): object => ({
      interval: '1h',
      policy: { targettracking: { targetValue: 1000, baseValue: 8, ...tracking } },
      target: {
        route53: {
          hostedZoneID: `hostedzone/${zone.id}`,
          region: 'us-east-1',
          resource: { name, type: 'A', identifier: 'aws' },
        },
      },
      metrics: { prometheus: { address: prometheus.url, query: QUERY } },
      ...others,
    });
    const untilWeight = async (weight: number): Promise<void> =>
      waitFor(`weight ${weight} in DNS`, { deadlineMs: 30_000 }, async () => {
        const seen = await zone.weightOf('aws');
        return seen === weight ? arrived(undefined) : notYet(`weight ${seen ?? 'absent'}`);
      });

    it("writes the README's 16 for 3000 against 1000 with base 8, and says so", async () => {
      await makeZone('readme.example', 1);
      await show(3000);
      await rebalances.apply('readme', spec('readme.example'));
      const { status } = await rebalances.until('readme', '16', ({ actualValue }) => actualValue === 16);
      assert.equal(await zone.weightOf('aws'), 16);
      assert.deepEqual([status?.condition, status?.desiredValue], ['Healthy', 16]);
      const changed = await waitFor('an Event of the change', { deadlineMs: 30_000 }, async () => {
        const field = 'involvedObject.name=readme';
        const { items } = await getJson<CoreV1EventList>(
          plane,
          'events',
          '-n',
          NAMESPACE,
          '--field-selector',
          field,
        );
        const found = items.find(({ message }) => message?.includes('16'));
        return found === undefined ? notYet(JSON.stringify(items)) : arrived(found);
      });
      assert.equal(changed.type, 'Normal');
    });

    it('is evaluated at once when its spec is edited, whatever the interval', async () => {
      await rebalances.apply('readme', spec('readme.example', {}, { targetValue: 1500 }));
      await rebalances.until('readme', '8', ({ actualValue }) => actualValue === 8);
      assert.equal(await zone.weightOf('aws'), 8);
    });

    it('in a dry run says what it would write, and leaves the record', async () => {
      await rebalances.apply('readme', spec('readme.example', { dryRun: true }));
      await rebalances.until('readme', 'a desired 16', ({ desiredValue }) => desiredValue === 16);
      assert.equal(await zone.weightOf('aws'), 8);
    });

    it('suspended asks nobody and keeps its last values', async () => {
      await rebalances.apply('readme', spec('readme.example', { suspend: true }));
      const { status } = await rebalances.until('readme', 'Suspended', ({ conditions = [] }) =>
        conditions.some(({ type, reason }) => type === 'Ready' && reason === 'Suspended'),
      );
      assert.equal(status?.desiredValue, 16);
      assert.equal(await zone.weightOf('aws'), 8);
    });

    it('reads the credentials that it names at each evaluation: a Secret that comes later is used, and so is a rotated one', async () => {
      await makeZone('secret.example', 1);
      const auth = {
        secretRef: {
          accessKeyIDSecretRef: { name: 'route53', key: 'id' },
          secretAccessKeySecretRef: { name: 'route53', key: 'key' },
        },
      };
      const { target, ...others } = spec('secret.example') as {
        readonly target: { readonly route53: object };
      };
      await rebalances.apply('secret', {
        ...others,
        interval: '2s',
        target: { route53: { ...target.route53, auth } },
      });
      await rebalances.until('secret', 'SecretMissing', (status) =>
        JSON.stringify(status.conditions).includes('SecretMissing'),
      );
      const rotateTo = async (id: string): Promise<void> => {
        await applyObject(plane, {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'route53', namespace: NAMESPACE },
          stringData: { id, key: TEST_KEYS.secretAccessKey },
        });
        await waitFor(`a call signed by ${id}`, { deadlineMs: 30_000 }, () => {
          const signed = route53.requests.map(({ headers }) => headers.authorization ?? 'unsigned');
          return signed.some((text) => text.includes(`Credential=${id}/`))
            ? arrived(undefined)
            : notYet(signed.at(-1) ?? 'no call');
        });
      };
      await rotateTo('FIRSTKEY');
      await untilWeight(16);
      await rotateTo('SECONDKEY');
    });

    it('that is deleted takes its series with it', async () => {
      await makeZone('series.example', 1);
      await show(3000);
      await rebalances.apply('series', spec('series.example', { interval: '1s' }));
      await rebalances.until('series', '16', ({ actualValue }) => actualValue === 16);
      const series = async (): Promise<readonly string[]> => {
        const answer = await fetch(`http://127.0.0.1:${chain.ports.rebalance}/metrics`);
        return (await answer.text()).split('\n').filter((line) => line.includes('name="series"'));
      };
      assert.ok((await series()).length > 0, 'it has no series');
      await plane.kubectl(['delete', 'rebalance', 'series', '-n', NAMESPACE]);
      await waitFor('its series to be gone', { deadlineMs: 30_000 }, async () => {
        const left = await series();
        return left.length === 0 ? arrived(undefined) : notYet(left.join(', '));
      });
    });

    it('holds its weight while Prometheus is away, and recovers by itself', async () => {
      await plane.kubectl(['delete', 'rebalances', '--all', '-n', NAMESPACE]);
      await makeZone('steady.example', 1);
      await show(3000);
      await rebalances.apply('steady', spec('steady.example', { interval: '3s' }));
      await rebalances.until('steady', '16', ({ actualValue }) => actualValue === 16);
      await prometheus.stop();
      await rebalances.until('steady', 'MetricUnreachable', (status) =>
        JSON.stringify(status.conditions).includes('MetricUnreachable'),
      );
      assert.equal(await zone.weightOf('aws'), 16);
      await prometheus.start();
      await show(2000);
      await untilWeight(8);
    });

    it('holds its weight while Route 53 is away, and recovers by itself', async () => {
      route53.setAway(true);
      await show(3000);
      await rebalances.until('steady', 'TargetUnreachable', (status) =>
        JSON.stringify(status.conditions).includes('TargetUnreachable'),
      );
      assert.equal(await zone.weightOf('aws'), 8);
      route53.setAway(false);
      await untilWeight(16);
    });

    it('goes on where it was after the API server and its hook were killed', async () => {
      await plane.restartApiServer();
      await chain.restartHook('rebalance');
      await show(4000);
      await untilWeight(24);
    });

    it('is not moved by a forged body: another uid, another spec, another status', async () => {
      await rebalances.apply('steady', spec('steady.example'));
      await rebalances.until('steady', '24', ({ actualValue }) => actualValue === 24);
      await show(5000);
      const live = await rebalances.read('steady');
      const forged: Readonly<Record<string, object>> = {
        'another uid': { ...live, metadata: { ...live.metadata, uid: 'forged' }, status: {} },
        'an empty status': { ...live, status: {} },
        'another spec': {
          ...live,
          status: {},
          metadata: { ...live.metadata, generation: 99 },
          spec: spec('steady.example', {}, { targetValue: 1 }),
        },
      };
      for (const [what, parent] of Object.entries(forged)) {
        const answer = await fetch(`http://127.0.0.1:${chain.ports.rebalance}/rebalance/sync`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ controller: {}, parent, children: {}, related: {}, finalizing: false }),
        });
        assert.equal(answer.status, 200, what);
        assert.equal(await zone.weightOf('aws'), 24, what);
      }
      assert.equal((await rebalances.read('steady')).status?.lastAttemptAt, live.status?.lastAttemptAt);
    });
  });
}
