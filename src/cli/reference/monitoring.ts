import { ALERTS, type AlertRow } from '../../observability/alert-table.ts';
import { PANELS, type PanelRow } from '../../observability/panel-table.ts';

/** monitoring.coreos.com/v1 PrometheusRule of the alert table. */
export function prometheusRule(): object {
  const rules = Object.entries<AlertRow>(ALERTS).map(([alert, row]) => ({
    alert,
    expr: row.expr,
    ...(row.for === undefined ? {} : { for: row.for }),
    labels: { severity: row.severity },
    annotations: { summary: row.summary, runbook: `docs/runbook.md#${alert.toLowerCase()}` },
  }));
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'counterpoise', namespace: 'counterpoise' },
    spec: { groups: [{ name: 'counterpoise', rules }] },
  };
}

/** Grafana lays panels out on a grid of 24 columns. */
const COLUMNS = 24;
const PANEL = { width: 12, height: 8 } as const;

interface Placed {
  readonly panels: readonly object[];
  /** The first free line of the grid. */
  readonly y: number;
}

/** Grafana's dashboard of the panel table: two panels a line, a row with a title for each section. */
export function dashboard(): object {
  const { panels } = Object.entries(PANELS).reduce<Placed>(placeSection, { panels: [], y: 0 });
  return {
    uid: 'counterpoise',
    title: 'counterpoise',
    tags: ['counterpoise'],
    editable: true,
    refresh: '1m',
    schemaVersion: 39,
    time: { from: 'now-6h', to: 'now' },
    templating: { list: VARIABLES },
    panels: panels.map((panel, index) => ({ id: index + 1, ...panel })),
  };
}

function placeSection({ panels, y }: Placed, [title, rows]: readonly [string, readonly PanelRow[]]): Placed {
  const head = { type: 'row', title, collapsed: false, gridPos: { x: 0, y, w: COLUMNS, h: 1 }, panels: [] };
  const perLine = COLUMNS / PANEL.width;
  const placed = rows.map((row, index) => ({
    ...timeSeries(row),
    gridPos: {
      x: (index % perLine) * PANEL.width,
      y: y + 1 + Math.floor(index / perLine) * PANEL.height,
      w: PANEL.width,
      h: PANEL.height,
    },
  }));
  const lines = Math.ceil(rows.length / perLine);
  return { panels: [...panels, head, ...placed], y: y + 1 + lines * PANEL.height };
}

const DATASOURCE = { type: 'prometheus', uid: '$datasource' } as const;

function timeSeries({ title, description, unit, queries }: PanelRow): object {
  return {
    type: 'timeseries',
    title,
    description,
    datasource: DATASOURCE,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: Object.entries(queries).map(([legendFormat, expr], index) => ({
      refId: String.fromCodePoint('A'.charCodeAt(0) + index),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
  };
}

const VARIABLES = [
  { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' },
  labelValues('job', 'label_values(counterpoise_hook_requests_total, job)'),
  labelValues('namespace', 'label_values(rebalancer_actual, namespace)'),
  labelValues('name', 'label_values(rebalancer_actual{namespace=~"$namespace"}, name)'),
] as const;

function labelValues(name: string, query: string): object {
  return {
    name,
    type: 'query',
    datasource: DATASOURCE,
    query,
    refresh: 2,
    includeAll: true,
    allValue: '.*',
    multi: true,
    current: { text: 'All', value: '$__all' },
  };
}
