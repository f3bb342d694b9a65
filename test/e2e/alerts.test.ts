import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { prometheusRule } from '../../src/cli/reference/monitoring.ts';
import { PANELS } from '../../src/observability/panel-table.ts';
import { listAt, textAt } from '../support/at.ts';
import { arrived, notYet, waitFor } from '../support/wait.ts';
import { weightedRecord } from '../support/weighted-record.ts';
import { startPrometheus, type Prometheus } from './prometheus.ts';
import { rebalance, sync } from './rebalance.ts';
import { theWorld } from './world.ts';
import { createZone } from './zone.ts';

/** Grafana's own variables, as it would put them in. */
function withoutVariables(query: string): string {
  return query.replaceAll('$__rate_interval', '1m').replace(/\$\w+/g, '.*');
}

describe('A Prometheus that scrapes the hook and has the shipped rules', () => {
  let prometheus: Prometheus;

  before(async () => {
    const { exporter, service, directory } = theWorld();
    const own = join(directory, 'alerts');
    await mkdir(own);
    prometheus = await startPrometheus(own, exporter.url, () => undefined, {
      jobs: { 'counterpoise-rebalance': service.url },
      groups: [{ name: 'counterpoise', rules: listAt(prometheusRule(), 'spec.groups.0.rules') }],
    });
  });
  after(() => prometheus.stop());

  const get = async (path: string): Promise<unknown> => (await fetch(`${prometheus.url}${path}`)).json();

  it('can evaluate every rule', async () => {
    const states = await waitFor('every rule to be evaluated', { deadlineMs: 20_000 }, async () => {
      const rules = listAt(await get('/api/v1/rules'), 'data.groups.0.rules');
      const seen = rules.map((rule) => `${textAt(rule, 'name')} ${textAt(rule, 'health')}`);
      return rules.length > 0 && seen.every((line) => !line.endsWith('unknown'))
        ? arrived(seen)
        : notYet(seen.join(', '));
    });
    const named = listAt(prometheusRule(), 'spec.groups.0.rules').map((rule) => textAt(rule, 'alert'));
    assert.deepEqual(
      states,
      named.map((name) => `${name} ok`),
    );
  });

  it("can answer every query of the dashboard's panels", async () => {
    const queries = Object.values(PANELS).flatMap((rows) =>
      rows.flatMap((row) => Object.values(row.queries).map(withoutVariables)),
    );
    for (const query of queries) {
      const answer = await get(`/api/v1/query?${new URLSearchParams({ query }).toString()}`);
      assert.equal(textAt(answer, 'status'), 'success', `${query}: ${textAt(answer, 'error')}`);
    }
  });

  it('warns of a Rebalance that fails, by its name and namespace', async () => {
    const { moto, service } = theWorld();
    const zone = await createZone(moto.url, 'alerts.example');
    await zone.put(weightedRecord('www.alerts.example.', 'own', 5));
    const failing = rebalance({
      name: 'alerting',
      targettracking: { baseValue: 8, targetValue: 1000 },
      prometheus: { address: theWorld().prometheus.url, query: 'sum(' },
      zoneId: zone.id,
      record: { name: 'www.alerts.example', type: 'A', identifier: 'own' },
    });
    const { status } = await sync(service, failing);
    assert.equal(status.condition, 'Error');
    await waitFor('RebalanceFailing to be pending', { deadlineMs: 20_000 }, async () => {
      const alerts = listAt(await get('/api/v1/alerts'), 'data.alerts');
      const seen = alerts.map((alert) =>
        [
          textAt(alert, 'labels.alertname'),
          textAt(alert, 'state'),
          textAt(alert, 'labels.namespace'),
          textAt(alert, 'labels.name'),
        ].join(' '),
      );
      return seen.includes('RebalanceFailing pending default alerting')
        ? arrived(undefined)
        : notYet(seen.join(', ') || 'no alert');
    });
  });
});
