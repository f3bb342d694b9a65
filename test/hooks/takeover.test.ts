import assert from 'node:assert/strict';
import fc from 'fast-check';
import { startDeadline } from '../../src/foundation/deadline.ts';
import { isRecord } from '../../src/foundation/record.ts';
import { syncBalancer } from '../../src/hooks/balancer.ts';
import { renderResponse } from '../../src/hooks/respond.ts';
import type { ApiFailure } from '../../src/kubernetes/api.ts';
import type { SyncResponse } from '../../src/kubernetes/metacontroller.ts';
import { at } from '../support/at.ts';
import { answer, balancerRequest, GENERATED_ID, ofKind, SMALLEST_SPEC } from '../support/balancer.ts';
import { testDeps } from '../support/deps.ts';
import { type Snapshot, takenCluster, type TakenCluster } from '../support/taken-cluster.ts';

const NAME = `mz${GENERATED_ID}-balancerd`;
const SPEC = SMALLEST_SPEC;
const OWN = labelsAt(answer({}).children, 'spec.selector.matchLabels');
const POD = labelsAt(answer({}).children, 'spec.template.metadata.labels');
const TWO = { 'materialize.cloud/name': NAME, app: 'balancerd' };
const FOUR = Object.fromEntries(
  Object.entries(OWN).filter(([key]) => key !== 'app' && key !== 'materialize.cloud/name'),
);

function labelsAt(children: SyncResponse['children'], path: string): Readonly<Record<string, string>> {
  return at(ofKind(children, 'Deployment'), path) as Readonly<Record<string, string>>;
}

interface Start {
  readonly spec?: object;
  readonly selector?: Readonly<Record<string, string>>;
  readonly templateLabels?: Readonly<Record<string, string>>;
}

function cluster({ spec = SPEC, selector = OWN, templateLabels = POD }: Start = {}): TakenCluster {
  return takenCluster({ spec, wanted: answer({}).children, selector, templateLabels });
}

/** Missing for long, so that the API is asked at once; what orchestratord leaves in status beside it. */
const MISSED = {
  resourceId: GENERATED_ID,
  conditions: ['Ready', 'ChildrenObserved'].map((type) => ({
    type,
    status: type === 'Ready' ? 'True' : 'False',
    reason: type === 'Ready' ? 'DeploymentStatus' : 'Creating',
    message: '',
    lastTransitionTime: '2026-11-30T14:00:00Z',
  })),
};

interface Told {
  readonly response: SyncResponse;
  readonly posted: Snapshot;
}

/** The hook asked once; what it answers is not acted upon yet. */
async function ask(
  taken: TakenCluster,
  status: unknown,
  { posted = taken.snapshot(), hasApi = true } = {},
): Promise<Told> {
  const request = balancerRequest(taken.given(status, posted));
  const answered = await syncBalancer(request, {
    deps: testDeps({ kubernetes: hasApi ? taken.api : undefined }),
    nowMs: Date.parse('2026-11-30T15:00:00Z'),
    deadline: startDeadline(8_000),
  });
  assert.ok(answered.kind === 'Answered');
  renderResponse(answered.response, request.parent.metadata);
  return { response: answered.response, posted };
}

/** A whole sync: asked, and acted upon. Gives the next status. */
async function sync(taken: TakenCluster, status: unknown, options = {}): Promise<unknown> {
  const { response, posted } = await ask(taken, status, options);
  taken.act(response, posted);
  return response.status;
}

/** The cluster where the live Balancer is another than the posted one. */
function withLive(
  taken: TakenCluster,
  {
    metadata,
    ...live
  }: { readonly metadata?: object | undefined; readonly spec: object; readonly status?: object },
): TakenCluster {
  const { api } = taken;
  const own = { name: 'acme', namespace: 'prod', uid: '80681c0f-c524-45c8-9bc5-6b10bf0f1847', ...metadata };
  const get: TakenCluster['api']['get'] = async ({ apiVersion, kind, ...rest }, deadline) =>
    kind === 'Balancer'
      ? { ok: true, value: { apiVersion, kind, metadata: own, ...live } }
      : api.get({ apiVersion, kind, ...rest }, deadline);
  return { ...taken, api: { ...api, get } };
}

/** [reason, message] of a condition of a status. */
function told(status: unknown, type: string): readonly unknown[] | undefined {
  const conditions = (isRecord(status) ? status['conditions'] : []) as readonly Record<string, unknown>[];
  const found = conditions.find((condition) => condition['type'] === type);
  return found && [found['reason'], found['message']];
}

/** As things go on their own: synced, rolled out, collected, until nothing changes. */
async function settle(taken: TakenCluster, status: unknown): Promise<unknown> {
  let current = status;
  for (let round = 0; round < 12; round += 1) {
    current = await sync(taken, current);
    taken.rollOut();
    taken.collect();
  }
  return current;
}

function reasons(taken: TakenCluster): readonly string[] {
  return taken.events.map(({ reason }) => reason);
}

describe('the takeover of what an orchestratord made', () => {
  it('labels it, lets Metacontroller adopt it, and tells both', async () => {
    const taken = cluster();
    const labelled = await sync(taken, MISSED);
    assert.deepEqual(told(labelled, 'ChildrenObserved'), [
      'Adopting',
      `Deployment prod/${NAME} is this Balancer's and was labelled to be adopted`,
    ]);
    const adopted = await sync(taken, labelled);
    assert.deepEqual(told(adopted, 'ChildrenObserved'), ['AllObserved', 'every child is observed']);
    assert.deepEqual(taken.writes, ['label Deployment']);
    assert.deepEqual(reasons(taken), ['Adopting', 'TakenOver']);
    assert.equal(taken.templates(), 1);
    const { kind, name, uid } = taken.events[0]?.regarding ?? {};
    assert.deepEqual([kind, name, uid], ['Balancer', 'acme', '80681c0f-c524-45c8-9bc5-6b10bf0f1847']);
  });

  const others: readonly (readonly [string, Parameters<typeof withLive>[1]])[] = [
    ['is another', { metadata: { uid: 'another' }, spec: SPEC }],
    ['is being deleted', { metadata: { deletionTimestamp: '2026-11-30T15:00:00Z' }, spec: SPEC }],
    ['has children of other names', { spec: SPEC, status: { resourceId: 'abcdefghij' } }],
    ['cannot be read', { spec: {} }],
  ];
  for (const [name, live] of others) {
    it(`labels nothing for a forged or stale request, when the live Balancer ${name}`, async () => {
      const taken = cluster();
      const { response } = await ask(withLive(taken, live), MISSED);
      assert.deepEqual(taken.writes, []);
      assert.equal(told(response.status, 'ChildrenObserved')?.[0], 'Creating');
    });
  }

  it('keeps Ready as it was while nothing is adopted yet', async () => {
    const status = await sync(cluster(), MISSED);
    assert.deepEqual(told(status, 'Ready'), ['DeploymentStatus', 'balancerd deployment is ready']);
  });

  const failures: readonly (readonly [string, ApiFailure, string, string])[] = [
    [
      'is Forbidden',
      { kind: 'Forbidden', message: 'deployments.apps is forbidden' },
      'AdoptionFailed',
      `Deployment prod/${NAME} is this Balancer's and could not be labelled (deployments.apps is forbidden); hand it over with: kubectl -n prod label deployment.apps ${NAME} --overwrite controller-uid=80681c0f-c524-45c8-9bc5-6b10bf0f1847`,
    ],
    [
      'gets no answer',
      { kind: 'Unavailable', message: 'timeout' },
      'AdoptionFailed',
      `Deployment prod/${NAME} is this Balancer's and could not be labelled (timeout); hand it over with: kubectl -n prod label deployment.apps ${NAME} --overwrite controller-uid=80681c0f-c524-45c8-9bc5-6b10bf0f1847`,
    ],
    [
      'meets another state of the object',
      { kind: 'Conflict', message: 'modified' },
      'Creating',
      `Deployment prod/${NAME} has just changed, and is looked at again`,
    ],
    [
      'meets no object any more',
      { kind: 'NotFound', message: 'not found' },
      'Creating',
      `Deployment prod/${NAME} has just changed, and is looked at again`,
    ],
  ];
  for (const [name, failure, reason, message] of failures) {
    it(`whose label ${name} says so, asks again in 10 seconds, and goes on when it can`, async () => {
      const taken = cluster();
      taken.fail(failure);
      const { response } = await ask(taken, MISSED);
      assert.deepEqual(told(response.status, 'ChildrenObserved'), [reason, message]);
      assert.equal(response.resyncAfterSeconds, 10);
      taken.fail(undefined);
      const status = await settle(taken, response.status);
      assert.equal(told(status, 'ChildrenObserved')?.[0], 'AllObserved');
    });
  }

  it('without an API carries the commands to look and to hand over', async () => {
    const taken = cluster();
    const { response } = await ask(taken, MISSED, { hasApi: false });
    assert.match(
      String(told(response.status, 'ChildrenObserved')?.[1]),
      /look with: kubectl .* hand it over with: kubectl -n prod label deployment.apps/,
    );
    assert.deepEqual(taken.writes, []);
  });

  it('does not roll the pods for podLabels and podAnnotations, which go in with the next image', async () => {
    const spec = { ...SPEC, podLabels: { team: 'a' }, podAnnotations: { note: 'b' } };
    const taken = cluster({ spec });
    const status = await settle(taken, MISSED);
    assert.equal(taken.templates(), 1);
    assert.deepEqual(told(status, 'PodMetadataDeferred'), [
      'TakenOverAsItWas',
      `spec.podLabels and spec.podAnnotations would roll the pods of Deployment ${NAME}, which was taken over: they go in with the next change of its pod template, such as another image`,
    ]);
    const next = answer({
      spec: { ...spec, balancerdImageRef: 'new' },
      status,
      children: taken.snapshot(),
    });
    const deployment = ofKind(next.children, 'Deployment');
    assert.equal(at(deployment, 'spec.template.metadata.labels.team'), 'a');
    assert.equal(at(deployment, 'spec.template.metadata.annotations.note'), 'b');
    assert.equal(told(next.status, 'PodMetadataDeferred'), undefined);
  });
});

describe('the migration of an older selector', () => {
  const olds: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['two labels', TWO],
    ['four labels', FOUR],
  ];
  for (const [name, selector] of olds) {
    it(`of ${name} makes the Deployment anew around its pods, one step a sync`, async () => {
      const taken = cluster({ selector });
      let status = await sync(taken, await sync(taken, MISSED));
      assert.deepEqual(told(status, 'Migrating'), [
        'RollingOut',
        `Deployment prod/${NAME} keeps its older selector until every pod has the labels of ours`,
      ]);
      status = await sync(taken, status);
      assert.equal(told(status, 'Migrating')?.[0], 'RollingOut');
      taken.rollOut();
      const { response, posted } = await ask(taken, status);
      assert.deepEqual(told(response.status, 'Migrating'), [
        'Orphaning',
        `Deployment prod/${NAME} is being deleted without its pods, to be made anew`,
      ]);
      assert.equal(response.resyncAfterSeconds, 10);
      assert.deepEqual(labelsAt(response.children, 'spec.selector.matchLabels'), selector);
      taken.act(response, posted);
      status = await sync(taken, response.status);
      assert.equal(told(status, 'Migrating')?.[0], 'Orphaning');
      taken.collect();
      status = await sync(taken, status);
      assert.deepEqual(told(status, 'Migrating'), [
        'Recreating',
        `Deployment prod/${NAME} is made anew and adopts the pods that run`,
      ]);
      status = await sync(taken, status);
      assert.equal(told(status, 'Migrating'), undefined);
      assert.deepEqual(at(taken.deployment(), 'spec.selector.matchLabels'), OWN);
      assert.deepEqual(taken.writes, ['label Deployment', 'delete Deployment']);
      assert.deepEqual(reasons(taken), [
        'Adopting',
        'RollingOut',
        'TakenOver',
        'Orphaning',
        'Recreating',
        'Migrated',
      ]);
      assert.equal(taken.templates(), 1);
    });
  }

  it('rolls pods that lack labels of the new selector once, before the Deployment goes', async () => {
    const taken = cluster({ selector: TWO, templateLabels: TWO });
    const status = await settle(taken, MISSED);
    assert.equal(told(status, 'Migrating'), undefined);
    assert.deepEqual(at(taken.deployment(), 'spec.selector.matchLabels'), OWN);
    assert.equal(taken.templates(), 2);
  });

  it('waits with podLabels that would roll the pods', async () => {
    const taken = cluster({ spec: { ...SPEC, podLabels: { team: 'a' } }, selector: TWO });
    const status = await settle(taken, MISSED);
    assert.deepEqual(told(status, 'Migrating'), [
      'TemplateAwaited',
      `Deployment prod/${NAME} gets our selector with the next change of its pod template`,
    ]);
    assert.equal(taken.templates(), 1);
    assert.deepEqual(taken.writes, ['label Deployment']);
  });

  const failures: readonly (readonly [string, ApiFailure, string, RegExp])[] = [
    [
      'is Forbidden',
      { kind: 'Forbidden', message: 'may not delete' },
      'OrphaningFailed',
      new RegExp(
        `could not be deleted without its pods \\(may not delete\\); do it with: kubectl -n prod delete deployment.apps ${NAME} --cascade=orphan$`,
      ),
    ],
    [
      'gets no answer',
      { kind: 'Unavailable', message: 'timeout' },
      'OrphaningFailed',
      /\(timeout\); do it with/,
    ],
    ['meets another state', { kind: 'Conflict', message: 'modified' }, 'RollingOut', /keeps its older/],
    ['meets no object', { kind: 'NotFound', message: 'not found' }, 'Orphaning', /is being deleted/],
  ];
  for (const [name, failure, reason, message] of failures) {
    it(`whose deletion ${name} says so, and goes on when it can`, async () => {
      const taken = cluster({ selector: TWO });
      let status = await sync(taken, await sync(taken, await sync(taken, MISSED)));
      taken.rollOut();
      taken.fail(failure);
      status = await sync(taken, status);
      assert.equal(told(status, 'Migrating')?.[0], reason);
      assert.match(String(told(status, 'Migrating')?.[1]), message);
      taken.fail(undefined);
      status = await settle(taken, status);
      assert.equal(told(status, 'Migrating'), undefined);
      assert.equal(taken.templates(), 1);
    });
  }

  it('without an API carries the command, and goes on once a person has run it', async () => {
    const taken = cluster({ selector: TWO });
    let status = await sync(taken, await sync(taken, await sync(taken, MISSED)));
    taken.rollOut();
    status = await sync(taken, status, { hasApi: false });
    assert.deepEqual(told(status, 'Migrating'), [
      'OrphaningFailed',
      `Deployment prod/${NAME} could not be deleted without its pods (no access to the Kubernetes API); do it with: kubectl -n prod delete deployment.apps ${NAME} --cascade=orphan`,
    ]);
  });

  it('is not told to be over by pod labels that the older selector does not meet', async () => {
    const selector = { ...TWO, team: 'a' };
    const spec = { ...SPEC, podLabels: { team: 'a' } };
    const taken = cluster({ spec, selector, templateLabels: { ...POD, team: 'a' } });
    const status = await sync(taken, await sync(taken, MISSED));
    assert.equal(told(status, 'Migrating')?.[0], 'RollingOut');
    const { response } = await ask(
      { ...taken, given: (...args) => ({ ...taken.given(...args), spec: SPEC }) },
      status,
    );
    assert.equal(told(response.status, 'SelectorDiffers')?.[0], 'SelectorForeign');
    assert.ok(!reasons(taken).includes('Migrated'));
  });

  it('is not told to be over by an invalid spec, which holds everything', async () => {
    const taken = cluster({ selector: TWO });
    const status = await sync(taken, await sync(taken, MISSED));
    const before = reasons(taken).length;
    const { response } = await ask(
      { ...taken, given: (...args) => ({ ...taken.given(...args), spec: {} }) },
      status,
    );
    assert.equal(told(response.status, 'SpecValid')?.[0], 'InvalidField');
    assert.equal(reasons(taken).length, before);
  });

  it('deletes nothing for a forged or stale request: the live objects decide', async () => {
    const complete = cluster({ selector: TWO });
    const status = await sync(complete, await sync(complete, await sync(complete, MISSED)));
    complete.rollOut();
    const posted = complete.snapshot();
    // the posted Deployment is rolled out; the live one is changing
    const changed = cluster({ selector: TWO });
    await sync(changed, await sync(changed, MISSED));
    assert.equal(
      told((await ask(changed, status, { posted })).response.status, 'Migrating')?.[0],
      'RollingOut',
    );
    // the live Deployment is gone
    const gone = cluster({ selector: TWO });
    await gone.api.deleteAlone(
      { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'prod', name: NAME },
      { uid: 'd-1', resourceVersion: '1' },
      startDeadline(8_000),
    );
    gone.collect();
    assert.equal(told((await ask(gone, status, { posted })).response.status, 'Migrating')?.[0], 'Orphaning');
    // the live Balancer is another, or wants another image
    for (const metadata of [
      { uid: 'another' },
      { deletionTimestamp: '2026-11-30T15:00:00Z' },
      undefined,
    ] as const) {
      const spec = metadata === undefined ? { ...SPEC, balancerdImageRef: 'new' } : SPEC;
      const { response } = await ask(withLive(complete, { metadata, spec }), status, { posted });
      assert.equal(told(response.status, 'Migrating')?.[0], 'RollingOut');
    }
    assert.deepEqual(complete.writes, ['label Deployment']);
  });

  it('says why when the live Balancer cannot be read', async () => {
    const taken = cluster({ selector: TWO });
    const status = await sync(taken, await sync(taken, await sync(taken, MISSED)));
    taken.rollOut();
    const { api } = taken;
    const blind: TakenCluster = {
      ...taken,
      api: {
        ...api,
        get: async (reference, deadline) =>
          reference.kind === 'Balancer'
            ? { ok: false, error: { kind: 'Forbidden', message: 'may not get balancers' } }
            : api.get(reference, deadline),
      },
    };
    const { response } = await ask(blind, status);
    assert.match(
      String(told(response.status, 'Migrating')?.[1]),
      /cannot verify Balancer prod\/acme: may not get/,
    );
    assert.deepEqual(taken.writes, ['label Deployment']);
  });

  /** What may happen between two syncs, and to one. */
  const happening = fc.constantFrom(
    'sync',
    'sync whose answer is lost',
    'sync whose write fails',
    'sync of a stale cache',
    'sync that loses its status',
    'roll out',
    'collect',
  );
  it('ends the same, with the same pods, whatever is lost, repeated or late', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { maxLength: 25 }),
        fc.constantFrom(TWO, FOUR, OWN),
        async (happenings, selector) => {
          const taken = cluster({ selector });
          let status: unknown = MISSED;
          let stale = taken.snapshot();
          for (const what of happenings) {
            if (what === 'roll out') taken.rollOut();
            else if (what === 'collect') taken.collect();
            else if (what === 'sync whose answer is lost') await ask(taken, status);
            else if (what === 'sync of a stale cache') status = await sync(taken, status, { posted: stale });
            else if (what === 'sync that loses its status') await sync(taken, status);
            else {
              taken.fail(what === 'sync' ? undefined : { kind: 'Unavailable', message: 'away' });
              stale = taken.snapshot();
              status = await sync(taken, status);
              taken.fail(undefined);
            }
            assert.equal(taken.templates(), 1, what);
          }
          const end = await settle(taken, status);
          assert.deepEqual(at(taken.deployment(), 'spec.selector.matchLabels'), OWN);
          assert.equal(at(taken.deployment(), 'metadata.ownerReferences.0.controller'), true);
          assert.deepEqual(
            [told(end, 'Migrating'), told(end, 'ChildrenObserved')?.[0]],
            [undefined, 'AllObserved'],
          );
          assert.equal(taken.templates(), 1);
        },
      ),
      { seed: 20_261_130, numRuns: 40 },
    );
  });
});
