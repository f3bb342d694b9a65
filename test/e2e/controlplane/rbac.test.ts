import assert from 'node:assert/strict';
import type { ApiCall } from './api.ts';
import type { ControlPlane } from './control-plane.ts';
import { applyOverlay, type HookName } from './manifests.ts';
import { installMetacontrollerCrds } from './metacontroller.ts';
import { requestToken } from './service-account.ts';
import { sharedControlPlane, sharedHookPorts } from './shared.ts';

interface Deed {
  readonly call: ApiCall;
  readonly allowed: readonly HookName[];
}

const get = (path: string): ApiCall => ({ path });
const remove = (path: string): ApiCall => ({ method: 'DELETE', path });
const patch = (path: string): ApiCall => ({
  method: 'PATCH',
  path,
  body: { metadata: { labels: { a: 'b' } } },
});

const BALANCERS = '/apis/materialize.cloud/v1alpha1/namespaces/default/balancers';
const REBALANCES = '/apis/rebalancer.ch1aki.github.io/v1/namespaces/default/rebalances';
const ALL_REBALANCES = '/apis/rebalancer.ch1aki.github.io/v1/rebalances?limit=1';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SERVICES = '/api/v1/namespaces/default/services';
const CERTIFICATES = '/apis/cert-manager.io/v1/namespaces/default/certificates';
const SECRETS = '/api/v1/namespaces/default/secrets';

const event: ApiCall = {
  method: 'POST',
  path: '/api/v1/namespaces/default/events',
  body: {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { generateName: 'proof.' },
    involvedObject: { apiVersion: 'v1', kind: 'Namespace', name: 'default', namespace: 'default' },
    reason: 'Proof',
    message: 'that it may',
    type: 'Normal',
  },
};

/** Every verb that a hook uses, and what lies next to it. */
const deeds: Readonly<Record<string, Deed>> = {
  'read a Deployment by name': { call: get(`${DEPLOYMENTS}/none`), allowed: ['balancer'] },
  'read a Service by name': { call: get(`${SERVICES}/none`), allowed: ['balancer'] },
  'read a Certificate by name': { call: get(`${CERTIFICATES}/none`), allowed: ['balancer'] },
  'read a Rebalance by name': { call: get(`${REBALANCES}/none`), allowed: ['rebalance'] },
  'read a Secret by name': { call: get(`${SECRETS}/none`), allowed: ['rebalance'] },
  'record an Event': { call: event, allowed: ['balancer', 'rebalance'] },
  'count an Event up': {
    call: { method: 'PATCH', path: '/api/v1/namespaces/default/events/none', body: { count: 2 } },
    allowed: ['balancer', 'rebalance'],
  },
  'delete an Event': { call: remove('/api/v1/namespaces/default/events/none'), allowed: [] },
  'read a Balancer by name': { call: get(`${BALANCERS}/none`), allowed: ['balancer'] },
  'label a Deployment': { call: patch(`${DEPLOYMENTS}/none`), allowed: ['balancer'] },
  'label a Service': { call: patch(`${SERVICES}/none`), allowed: ['balancer'] },
  'label a Certificate': { call: patch(`${CERTIFICATES}/none`), allowed: ['balancer'] },
  'delete a Deployment': { call: remove(`${DEPLOYMENTS}/none`), allowed: ['balancer'] },
  'list Secrets': { call: get(SECRETS), allowed: [] },
  'list Deployments': { call: get(DEPLOYMENTS), allowed: [] },
  'list the Rebalances of all namespaces': { call: get(ALL_REBALANCES), allowed: ['rebalance'] },
  'list Balancers': { call: get(BALANCERS), allowed: [] },
  'change a Balancer': { call: patch(`${BALANCERS}/none`), allowed: [] },
  'write the status of a Balancer': { call: patch(`${BALANCERS}/none/status`), allowed: [] },
  'delete a Certificate': { call: remove(`${CERTIFICATES}/none`), allowed: [] },
  'delete a ReplicaSet': { call: remove('/apis/apps/v1/namespaces/default/replicasets/none'), allowed: [] },
  'delete a Service': { call: remove(`${SERVICES}/none`), allowed: [] },
  'change a Rebalance': { call: patch(`${REBALANCES}/none`), allowed: [] },
  'write the status of a Rebalance': { call: patch(`${REBALANCES}/none/status`), allowed: [] },
  'change a Secret': { call: patch(`${SECRETS}/none`), allowed: [] },
  'read pods': { call: get('/api/v1/namespaces/default/pods'), allowed: [] },
};

for (const hook of ['balancer', 'rebalance'] as const) {
  describe(`the ServiceAccount of the ${hook} hook, with the rights that are shipped,`, () => {
    let plane: ControlPlane;
    let token: string;
    before(async function () {
      plane = await sharedControlPlane(this);
      await installMetacontrollerCrds(plane);
      await applyOverlay(plane, 'production', await sharedHookPorts());
      token = await requestToken(plane, { namespace: 'counterpoise', name: `counterpoise-${hook}` });
    });

    for (const [name, { call, allowed }] of Object.entries(deeds)) {
      const may = allowed.includes(hook);
      it(`${may ? 'may' : 'may not'} ${name}`, async () => {
        const { status, text } = await plane.call({ ...call, token });
        // what is allowed finds nothing (404), or was created; the request was well-formed
        const expected = may ? [200, 201, 404] : [403];
        assert.ok(expected.includes(status), `status ${status}, expected ${expected.join(' or ')}: ${text}`);
      });
    }
  });
}
