import assert from 'node:assert/strict';
import type { V1Deployment, V1PodList, VersionInfo } from '@kubernetes/client-node';
import { runProcess } from '../../support/process.ts';
import { hasPassed } from '../../support/suite.ts';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import { toolVersion } from '../tools/build.ts';
import { startControlPlane, type ControlPlane } from './control-plane.ts';
import { installCertManagerCrds, installOwnCrds } from './crds.ts';
import { requestToken } from './service-account.ts';

const COLD_BUILD_MS = 30 * 60_000;

async function json<T>(plane: ControlPlane, ...args: readonly string[]): Promise<T> {
  return JSON.parse(await plane.kubectl([...args, '-o', 'json'])) as T;
}

async function servedKinds(plane: ControlPlane): Promise<string> {
  return plane.kubectl(['api-resources', '--no-headers', '-o', 'name']);
}

/** Running processes that mention the control plane's directory: all of its parts do. */
async function processesOf(directory: string): Promise<readonly string[]> {
  const all = await runProcess({ name: 'ps', command: 'ps', args: ['-eo', 'pid,args'] });
  return all.split('\n').filter((line) => line.includes(directory));
}

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'example.invalid/web:1', ports: [{ containerPort: 80 }] }] },
    },
  },
};

describe('the control plane', () => {
  let plane: ControlPlane;
  before(async function () {
    this.timeout(COLD_BUILD_MS);
    plane = await startControlPlane({ log: (line) => process.stderr.write(`    ${line}\n`) });
  });

  it('is the pinned version of Kubernetes and lists its namespaces', async () => {
    const { text } = await plane.call({ path: '/version' });
    assert.equal((JSON.parse(text) as VersionInfo).gitVersion, toolVersion('kube-apiserver'));
    const namespaces = await plane.kubectl(['get', 'namespaces', '-o', 'name']);
    assert.match(namespaces, /^namespace\/default$/m);
  });

  it('CRDs accepted', async () => {
    await installOwnCrds(plane);
    assert.match(await servedKinds(plane), /^balancers\.materialize\.cloud$/m);
  });

  it('CRDs of cert-manager accepted', async () => {
    await installCertManagerCrds(plane);
    assert.match(await servedKinds(plane), /^certificates\.cert-manager\.io$/m);
  });

  it('runs the pods of a Deployment on the fake node until it is Available', async () => {
    await plane.kubectl(['apply', '-f', '-'], JSON.stringify(deployment));
    await waitFor('the Deployment to be Available', { deadlineMs: 60_000 }, async () => {
      const { status } = await json<V1Deployment>(plane, 'get', 'deployment', 'web');
      const available = status?.conditions?.find(({ type }) => type === 'Available')?.status;
      return available === 'True' ? arrived(undefined) : notYet(JSON.stringify(status));
    });
    const pods = await json<V1PodList>(plane, 'get', 'pods', '-l', 'app=web');
    assert.deepEqual(
      pods.items.map(({ status, spec }) => [status?.phase, spec?.nodeName]),
      [
        ['Running', 'fake-node'],
        ['Running', 'fake-node'],
      ],
    );
  });

  it('collects what a deleted Deployment owned', async () => {
    await plane.kubectl(['delete', 'deployment', 'web', '--cascade=background']);
    await waitFor('its pods to be gone', { deadlineMs: 60_000 }, async () => {
      const pods = await plane.kubectl(['get', 'pods', '-l', 'app=web', '-o', 'name']);
      return pods === '' ? arrived(undefined) : notYet(pods);
    });
  });

  it('gives a ServiceAccount a token that may do nothing it was not given', async () => {
    await plane.kubectl(['create', 'serviceaccount', 'nobody']);
    const token = await requestToken(plane, { namespace: 'default', name: 'nobody' });
    const { status, text } = await plane.call({ path: '/api/v1/secrets', token });
    assert.equal(status, 403, text);
    assert.match(text, /system:serviceaccount:default:nobody/);
  });

  it('keeps everything when the API server is killed and started again', async () => {
    await plane.kubectl(['create', 'configmap', 'kept', '--from-literal=key=value']);
    await plane.restartApiServer();
    assert.equal(await plane.kubectl(['get', 'configmap', 'kept', '-o', 'jsonpath={.data.key}']), 'value');
  });

  it('leaves no process behind', async () => {
    assert.equal((await processesOf(plane.directory)).length, 5);
    await plane.stop({ keep: true });
    assert.deepEqual(await processesOf(plane.directory), []);
  });

  after(async function () {
    const keep = !hasPassed(this.test?.parent);
    await plane.stop({ keep });
    if (keep) process.stderr.write(`    logs are kept in ${plane.directory}\n`);
  });
});
