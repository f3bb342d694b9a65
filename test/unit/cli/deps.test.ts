import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDeps } from '../../../src/cli/deps.ts';
import type { KubernetesAccess } from '../../../src/config/settings.ts';
import { startDeadline } from '../../../src/foundation/deadline.ts';
import { testDeps, testSettings } from '../../support/deps.ts';

const KUBECONFIG = {
  'current-context': 'c',
  contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
  clusters: [{ name: 'k', cluster: { server: 'http://127.0.0.1:1' } }],
  users: [{ name: 'u', user: {} }],
};

describe('the real world', () => {
  let directory = '';
  before(() => (directory = mkdtempSync(join(tmpdir(), 'counterpoise-'))));
  after(() => rmSync(directory, { recursive: true, force: true }));

  async function create(kubernetes: KubernetesAccess) {
    const { logger, lines } = testDeps();
    return { deps: await createDeps({ ...testSettings(), kubernetes }, logger), lines };
  }

  it('without a Kubernetes API says once what is missing', async () => {
    const { deps, lines } = await create({ kind: 'None' });
    assert.ok(deps.ok);
    assert.equal(deps.value.kubernetes, undefined);
    assert.deepEqual(
      lines.map(({ level, msg }) => [level, msg]),
      [['warn', 'no Kubernetes API: Events are dropped, Secrets and live objects cannot be read']],
    );
  });

  it('says which version runs, as package.json has it', async () => {
    const { deps } = await create({ kind: 'None' });
    assert.ok(deps.ok);
    const manifest = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');
    const { version } = JSON.parse(manifest) as { readonly version: string };
    const { values } = await deps.value.metrics.counterpoise_build_info.get();
    assert.deepEqual(values, [{ labels: { version }, value: 1 }]);
  });

  it('has the Kubernetes API of a kubeconfig', async () => {
    const path = join(directory, 'kubeconfig');
    writeFileSync(path, JSON.stringify(KUBECONFIG));
    const { deps, lines } = await create({ kind: 'Kubeconfig', paths: [path] });
    assert.ok(deps.ok && deps.value.kubernetes !== undefined);
    assert.deepEqual(lines, []);
  });

  it('counts each request to it', async () => {
    const path = join(directory, 'kubeconfig');
    writeFileSync(path, JSON.stringify(KUBECONFIG));
    const { deps } = await create({ kind: 'Kubeconfig', paths: [path] });
    assert.ok(deps.ok);
    const { rivals, metrics } = deps.value;
    await rivals.read({ uid: 'u-1', nowMs: 0, deadline: startDeadline(5_000) });
    const { values } = await metrics.counterpoise_kubernetes_requests_total.get();
    assert.deepEqual(values, [
      { labels: { verb: 'list', resource: 'rebalances', outcome: 'unavailable' }, value: 1 },
    ]);
  });

  it('names the kubeconfig that it cannot read, and how to do without', async () => {
    const { deps } = await create({ kind: 'Kubeconfig', paths: ['/nowhere/config'] });
    assert.ok(!deps.ok);
    assert.match(
      deps.error,
      /^--kubeconfig or KUBECONFIG="\/nowhere\/config": there is no such file; --kubernetes=false does without$/,
    );
  });
});
