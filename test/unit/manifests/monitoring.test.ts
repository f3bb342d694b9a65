import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { dashboard, prometheusRule } from '../../../src/cli/reference/monitoring.ts';
import { ALERTS, type AlertRow } from '../../../src/observability/alert-table.ts';
import { METRICS, type MetricRow } from '../../../src/observability/metric-table.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { PANELS } from '../../../src/observability/panel-table.ts';
import { at, listAt, textAt } from '../../support/at.ts';
import { KUSTOMIZE, render, ROOT } from '../../support/kustomize.ts';

const COMPONENT = 'metacontroller/components/monitoring';
const panelQueries = Object.values(PANELS).flatMap((rows) =>
  rows.flatMap(({ queries }) => Object.values(queries)),
);
const queries = [...Object.values<AlertRow>(ALERTS).map(({ expr }) => expr), ...panelQueries];

/** Words of a query that look like metrics of ours or of the process; a histogram is asked for by its parts. */
function metricsIn(query: string): readonly string[] {
  const words = query.match(/\b(counterpoise|rebalancer|process|nodejs)_\w+/g) ?? [];
  return words.map((word) => word.replace(/_(bucket|sum|count)$/, ''));
}

const METRICS_BY_NAME: Readonly<Record<string, MetricRow>> = METRICS;

/** Of a metric; Prometheus adds those of the target. Those of the process have no other that a query of ours names. */
function labelsOf(metric: string): readonly string[] {
  return [...(METRICS_BY_NAME[metric]?.labels ?? []), 'job', 'le', 'pod'];
}

/** Every `metric{label="value"}` of a query; =~ and != are the same here. */
function matchersIn(query: string) {
  return [...query.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, name = '', list = '']) =>
    [...list.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', value = '']) => ({
      metric: name.replace(/_(bucket|sum|count)$/, ''),
      label,
      value,
    })),
  );
}

/** The labels of every `by (...)` of a query. */
function groupingsIn(query: string): readonly (readonly string[])[] {
  return [...query.matchAll(/\bby \(([^)]*)\)/g)].map(([, list = '']) => list.split(', '));
}

describe('the alerts and the dashboard', () => {
  it('ask for no metric that the hooks do not have', async () => {
    const ofProcess = (await createMetrics().registry.getMetricsAsJSON()).map(({ name }) => name);
    const known = new Set([...Object.keys(METRICS), ...ofProcess]);
    assert.deepEqual(
      queries.flatMap(metricsIn).filter((name) => !known.has(name)),
      [],
    );
  });

  it('show every metric of ours on the dashboard', () => {
    const shown = new Set(panelQueries.flatMap(metricsIn));
    assert.deepEqual(
      Object.keys(METRICS).filter((name) => !shown.has(name)),
      [],
    );
  });

  it('name labels that each metric has, or that Prometheus adds, and values that its help lists', () => {
    for (const query of queries) {
      for (const { metric, label, value } of matchersIn(query)) {
        assert.ok(labelsOf(metric).includes(label), `${metric} has no label ${label}: ${query}`);
        const row = METRICS_BY_NAME[metric];
        if (row === undefined || value.startsWith('$') || label === 'job') continue;
        for (const word of value.split('|')) {
          assert.match(row.help, new RegExp(`\\b${word}\\b`), `${metric} has no ${label}="${word}"`);
        }
      }
    }
  });

  it('group by labels that each metric asked for has, or that Prometheus adds', () => {
    for (const query of queries) {
      for (const label of groupingsIn(query).flat()) {
        for (const metric of metricsIn(query)) {
          assert.ok(labelsOf(metric).includes(label), `${metric} has no label ${label}: ${query}`);
        }
      }
    }
  });

  it('tell labels that are left of the query', () => {
    const told = [
      ...Object.values<AlertRow>(ALERTS).map(({ expr, summary }) => [expr, summary] as const),
      ...Object.values(PANELS).flatMap((rows) =>
        rows.flatMap((row) => Object.entries(row.queries).map(([legend, query]) => [query, legend] as const)),
      ),
    ];
    for (const [query, text] of told) {
      const groupings = groupingsIn(query);
      const left = [...(groupings.length > 0 ? groupings : metricsIn(query).map(labelsOf)), ['job']];
      for (const [, name = ''] of text.matchAll(/\$labels\.(\w+)|\{\{(\w+)\}\}/g)) {
        if (name === '') continue;
        assert.ok(left.flat().includes(name), `${name} is not left of ${query}`);
      }
    }
  });
});

describe('each alert', () => {
  const runbook = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');
  for (const [name, row] of Object.entries<AlertRow>(ALERTS)) {
    it(`${name} has a sentence, and a paragraph in the runbook`, () => {
      assert.match(row.summary, /^\S.*\.$/);
      assert.ok(runbook.includes(`\n### ${name}\n`), `no "### ${name}" in docs/runbook.md`);
    });
  }

  for (const [name, row] of Object.entries<AlertRow>(ALERTS)) {
    it(`${name} has the reason of how long it waits and of each number in its paragraph`, () => {
      const [, paragraph = ''] = runbook.split(`\n### ${name}\n`);
      const [text = ''] = paragraph.split(/\n##+ /);
      const waits = row.for === undefined ? 'waits for nothing' : `waits ${row.for}`;
      const numbers = [...row.expr.matchAll(/[<>]=? ([\d.]+)/g)].map(([, number = '']) => number);
      const words = text.replaceAll(/\s+/g, ' ');
      for (const reason of [waits, ...numbers.filter((number) => number !== '0')]) {
        assert.match(words, new RegExp(`(^|[ (])${reason.replaceAll('.', '\\.')}`), reason);
      }
    });
  }

  it('leads to its paragraph', () => {
    const rules = listAt(prometheusRule(), 'spec.groups.0.rules');
    for (const rule of rules)
      assert.equal(
        textAt(rule, 'annotations.runbook'),
        `docs/runbook.md#${textAt(rule, 'alert').toLowerCase()}`,
      );
    assert.equal(rules.length, Object.keys(ALERTS).length);
  });

  it('is one of ours where the runbook has a heading for it', () => {
    const section = runbook.slice(runbook.indexOf('\n## Alerts\n')).split(/\n## /)[1] ?? '';
    const headings = [...section.matchAll(/^### (\S+)$/gm)].map(([, name = '']) => name);
    assert.deepEqual(headings, Object.keys(ALERTS));
  });
});

describe("Grafana's dashboard", () => {
  const panels = listAt(dashboard(), 'panels');

  it('has panels of their own numbers that do not cover each other', () => {
    const cells = panels.flatMap((panel) => {
      const [x, y, w, h] = ['x', 'y', 'w', 'h'].map((key) => Number(at(panel, `gridPos.${key}`))) as [
        number,
        number,
        number,
        number,
      ];
      return Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`);
    });
    assert.equal(new Set(cells).size, cells.length);
    assert.deepEqual(
      panels.map((panel) => at(panel, 'id')),
      panels.map((_, index) => index + 1),
    );
  });

  it('asks by variables that it has', () => {
    const variables = listAt(dashboard(), 'templating.list').map((variable) => textAt(variable, 'name'));
    const builtIn = ['__rate_interval', '__all'];
    const used = [...JSON.stringify(dashboard()).matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
    assert.deepEqual(
      used.filter((name) => ![...variables, ...builtIn].includes(name)),
      [],
    );
  });
});

describe('the component monitoring', () => {
  it('brings the rule, the monitor of both Services, and the dashboard as Grafana finds it', function () {
    if (KUSTOMIZE === undefined) this.skip();
    const objects = render(COMPONENT);
    assert.deepEqual(
      objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`).sort(),
      [
        'ConfigMap counterpoise/counterpoise-dashboard',
        'PrometheusRule counterpoise/counterpoise',
        'ServiceMonitor counterpoise/counterpoise',
      ],
    );
    const map = objects.find(({ kind }) => kind === 'ConfigMap');
    assert.deepEqual(map?.metadata.labels, { grafana_dashboard: '1' });
    const files = map['data'] as Readonly<Record<string, string>>;
    assert.deepEqual(JSON.parse(files['dashboard.json'] ?? ''), dashboard());
  });

  it('monitors by a label and a port that the Services of the base have', () => {
    const monitor: unknown = parse(readFileSync(join(ROOT, COMPONENT, 'service-monitor.yaml'), 'utf8'));
    assert.deepEqual(at(monitor, 'spec.selector.matchLabels'), {
      'app.kubernetes.io/part-of': 'counterpoise',
    });
    if (KUSTOMIZE === undefined) return;
    const services = render('metacontroller/overlays/production').filter(({ kind }) => kind === 'Service');
    for (const service of services) {
      assert.equal(service.metadata.labels?.['app.kubernetes.io/part-of'], 'counterpoise');
      assert.equal(at(service, 'spec.ports.0.name'), textAt(monitor, 'spec.endpoints.0.port'));
    }
    assert.equal(services.length, 2);
  });
});
