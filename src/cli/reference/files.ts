import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { BALANCER, REBALANCE } from './resources.ts';
import { cliPage } from './cli.ts';
import { customResourceDefinition, type ResourceDefinition } from './crd.ts';
import { fieldsPage } from './fields.ts';
import { licencesPage } from './licences.ts';
import { dashboard, prometheusRule } from './monitoring.ts';
import { errorsPage, flagsPage, metricsPage } from './pages.ts';
import { reasonsPage } from './reasons.ts';

const LOCKFILE = join(import.meta.dirname, '..', '..', '..', 'package-lock.json');

const MONITORING = {
  rule: 'metacontroller/components/monitoring/prometheus-rule.yaml',
  dashboard: 'metacontroller/components/monitoring/dashboard.json',
};

/** Whether a path names a file that `npm run generate` owns. */
export function isGenerated(path: string): boolean {
  if (Object.values(MONITORING).includes(path)) return true;
  return /^(crds\/.*\.yaml|docs\/reference\/.*\.md)$/.test(path) && path !== 'crds/kustomization.yaml';
}

/** Every generated file, by its path from the root of the repository. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...[BALANCER, REBALANCE].map(crdFile),
    ['docs/reference/balancer.md', fieldsPage(BALANCER, 'src/api/balancer.ts')],
    ['docs/reference/rebalance.md', fieldsPage(REBALANCE, 'src/api/rebalance.ts')],
    ['docs/reference/cli.md', cliPage()],
    ['docs/reference/flags.md', flagsPage()],
    ['docs/reference/metrics.md', metricsPage()],
    ['docs/reference/reasons.md', reasonsPage()],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/licences.md', licencesPage(readFileSync(LOCKFILE, 'utf8'))],
    [MONITORING.rule, yamlFile('src/observability/alert-table.ts', prometheusRule())],
    [MONITORING.dashboard, `${JSON.stringify(dashboard(), undefined, 2)}\n`],
  ]);
}

function crdFile(resource: ResourceDefinition): readonly [string, string] {
  const name = `${resource.plural}.${resource.group}`;
  return [`crds/${name}.yaml`, yamlFile('src/api', customResourceDefinition(resource))];
}

function yamlFile(source: string, object: object): string {
  const text = stringify(object, { lineWidth: 120 });
  return `# Generated from ${source} by \`npm run generate\`; do not edit.\n${text}`;
}
