import assert from 'node:assert/strict';
import { startDeadline } from '../../src/foundation/deadline.ts';
import { err, ok, type Result } from '../../src/foundation/result.ts';
import { syncBalancer } from '../../src/hooks/balancer.ts';
import { renderResponse } from '../../src/hooks/respond.ts';
import type { ApiFailure, KubernetesApi } from '../../src/kubernetes/api.ts';
import type { ObjectReference, ObservedObject } from '../../src/kubernetes/objects.ts';
import { at } from '../support/at.ts';
import {
  answer,
  applied,
  type BalancerCase,
  balancerRequest,
  GENERATED_ID,
  NOW_MS,
  SMALLEST_SPEC,
} from '../support/balancer.ts';
import { testDeps } from '../support/deps.ts';

const NAME = `mz${GENERATED_ID}-balancerd`;
const MISSING_FOR_LONG = {
  conditions: [
    {
      type: 'ChildrenObserved',
      status: 'False',
      reason: 'Creating',
      message: '',
      lastTransitionTime: '2026-11-30T14:00:00Z',
    },
  ],
};

/** A Kubernetes API that answers every get with the same, and remembers what it was asked. */
function fakeApi(answered: Result<ObservedObject, ApiFailure>): KubernetesApi & {
  readonly asked: readonly ObjectReference[];
} {
  const asked: ObjectReference[] = [];
  return {
    asked,
    get: (reference) => {
      asked.push(reference);
      return Promise.resolve(answered);
    },
    list: () => Promise.reject(new Error('a Balancer lists nothing')),
    getSecret: () => Promise.reject(new Error('a Balancer reads no Secret')),
    label: () => Promise.reject(new Error('nothing is taken over')),
    deleteAlone: () => Promise.reject(new Error('nothing is migrated')),
    record: () => {
      throw new Error('a Balancer records no Event');
    },
  };
}

async function sync(given: BalancerCase, kubernetes?: KubernetesApi) {
  const request = balancerRequest(given);
  const answered = await syncBalancer(request, {
    deps: testDeps({ kubernetes }),
    nowMs: NOW_MS,
    deadline: startDeadline(8_000),
  });
  assert.ok(answered.kind === 'Answered');
  renderResponse(answered.response, request.parent.metadata);
  return answered;
}

describe('the Balancer hook', () => {
  it('answers what the core decides', async () => {
    const { response, log } = await sync({});
    assert.deepEqual(response, answer({}));
    assert.deepEqual(log, {
      reason: 'Creating',
      because: `Deployment prod/${NAME} is not observed yet; Service prod/${NAME} is not observed yet`,
      facts: { decision: 'Wanted', ready: false, children: 2, resourceId: GENERATED_ID },
    });
  });

  it('asks the API nothing while children are being created, are there, or are held', async () => {
    const api = fakeApi(err({ kind: 'NotFound', message: 'no' }));
    const children = answer({}).children.map((child) => applied(child));
    await sync({}, api);
    await sync({ children, status: MISSING_FOR_LONG }, api);
    await sync({ spec: {}, status: MISSING_FOR_LONG }, api);
    assert.deepEqual(api.asked, []);
  });

  it('asks the API for each child that is missing for 10 seconds, by name', async () => {
    const api = fakeApi(err({ kind: 'NotFound', message: 'no' }));
    const { response, log } = await sync({ status: MISSING_FOR_LONG }, api);
    assert.deepEqual(api.asked, [
      { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'prod', name: NAME },
      { apiVersion: 'v1', kind: 'Service', namespace: 'prod', name: NAME },
    ]);
    assert.equal(at(response, 'status.conditions.2.reason'), 'CreateFailed');
    assert.equal(log.reason, 'CreateFailed');
    assert.equal(response.resyncAfterSeconds, 10);
  });

  it('names what has taken the name of a child', async () => {
    const stranger = { apiVersion: 'v1', kind: 'Any', metadata: { name: NAME, namespace: 'prod' } };
    const { response } = await sync({ status: MISSING_FOR_LONG }, fakeApi(ok(stranger)));
    assert.equal(at(response, 'status.conditions.2.reason'), 'NameTaken');
    assert.equal(at(response, 'children.length'), 2);
  });

  it('says how to look where it has no API', async () => {
    const { response } = await sync({ status: MISSING_FOR_LONG });
    assert.equal(at(response, 'status.conditions.2.reason'), 'Missing');
  });

  it('answers in time though the API does not', async () => {
    const silent: KubernetesApi = {
      ...fakeApi(err({ kind: 'NotFound', message: 'no' })),
      get: (_reference, deadline) =>
        new Promise((resolve) => {
          assert.ok(deadline.remainingMs() <= 3_000);
          resolve(err({ kind: 'Unavailable', message: 'no answer within the time that is left' }));
        }),
    };
    const { response } = await sync({ status: MISSING_FOR_LONG }, silent);
    assert.equal(at(response, 'status.conditions.2.reason'), 'Missing');
  });

  it('logs why an invalid Balancer is held, and nothing but its readiness once all is well', async () => {
    const held = await sync({ spec: { ...SMALLEST_SPEC, fronteggRouting: {} } });
    assert.deepEqual(held.log, {
      reason: 'MultipleRoutings',
      because: 'multiple routing configurations present',
      facts: { decision: 'Held', ready: false, children: 0 },
    });
    const children = answer({}).children.map((child) => applied(child));
    const well = await sync({ children });
    assert.deepEqual(
      [well.log.reason, well.log.because],
      ['DeploymentStatus', 'balancerd deployment is not ready'],
    );
  });
});
