import { stringify } from 'yaml';
import { BALANCER, REBALANCE } from './resources.ts';
import { customResourceDefinition, type ResourceDefinition } from './crd.ts';
import { fieldsPage } from './fields.ts';
import { errorsPage, flagsPage, metricsPage } from './pages.ts';
import { reasonsPage } from './reasons.ts';

/** Whether a path names a file that `npm run generate` owns. */
export function isGenerated(path: string): boolean {
  return /^(crds\/.*\.yaml|docs\/reference\/.*\.md)$/.test(path) && path !== 'crds/kustomization.yaml';
}

/** Every generated file, by its path from the root of the repository. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...[BALANCER, REBALANCE].map(crdFile),
    ['docs/reference/balancer.md', fieldsPage(BALANCER, 'src/api/balancer.ts')],
    ['docs/reference/rebalance.md', fieldsPage(REBALANCE, 'src/api/rebalance.ts')],
    ['docs/reference/flags.md', flagsPage()],
    ['docs/reference/metrics.md', metricsPage()],
    ['docs/reference/reasons.md', reasonsPage()],
    ['docs/reference/errors.md', errorsPage()],
  ]);
}

function crdFile(resource: ResourceDefinition): readonly [string, string] {
  const text = stringify(customResourceDefinition(resource), { lineWidth: 120 });
  const name = `${resource.plural}.${resource.group}`;
  return [`crds/${name}.yaml`, `# Generated from src/api by \`npm run generate\`; do not edit.\n${text}`];
}
