import assert from 'node:assert/strict';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { customKind } from '../../support/api-server/crd.ts';
import { createApiServer, type ApiServer } from '../../support/api-server/server.ts';
import { listAt, omit, recordAt } from '../../support/json.ts';
import { controllerInBody, parseController } from '../../support/metacontroller/composite-controller.ts';
import { startHookServer, type HookServer } from '../../support/metacontroller/hook-server.ts';
import { mustStart } from '../../support/metacontroller/follow.ts';
import { startMetacontroller } from '../../support/metacontroller/metacontroller.ts';
import type { SyncBody } from '../../support/metacontroller/sync.ts';
import { recordedExchanges, type Exchange } from '../../support/recorded.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const KINDS = [
  customKind('materialize.cloud/v1alpha1', 'Balancer', 'balancers'),
  customKind('rebalancer.ch1aki.github.io/v1', 'Rebalance', 'rebalances'),
  customKind('cert-manager.io/v1', 'Certificate', 'certificates'),
];

const exchanges = recordedExchanges();

function exchange(number: string): Exchange {
  const found = exchanges.find(({ name }) => name.startsWith(number));
  assert.ok(found, `no recorded exchange ${number}`);
  return found;
}

function objectsOf({ parent, children }: SyncBody): readonly ObservedObject[] {
  return [parent, ...Object.values(children).flatMap((byName) => Object.values(byName))];
}

interface Replay {
  readonly server: ApiServer;
  readonly sent: SyncBody | undefined;
  /** What Metacontroller wrote, as "verb Kind". */
  readonly writes: readonly string[];
}

/** One sync from the objects of a recorded request, answered as recorded. */
async function replay(hook: HookServer, { body, answer }: Exchange): Promise<Replay> {
  const clock = createVirtualClock(body.parent.metadata.creationTimestamp);
  const server = createApiServer(clock, KINDS);
  for (const object of [body.controller, ...objectsOf(body)]) server.seed(object);
  let calls = 0;
  hook.reply(() => {
    calls += 1;
    // What the writes of the first sync bring is not part of the exchange.
    return calls === 1 ? { body: answer } : { code: 429, headers: { 'retry-after': '60' }, body: '' };
  });
  const metacontroller = await startMetacontroller({
    store: server.as('metacontroller'),
    clock,
    dial: () => hook.url,
    onController: mustStart,
  });
  await metacontroller.settle();
  await metacontroller.stop();
  return {
    server,
    sent: hook.bodies.at(-calls),
    writes: server.writes.map(({ verb, kind }) => `${verb} ${kind}`),
  };
}

/** An object without what the server numbers and dates, and without what other controllers write into it. */
function comparable(object: ObservedObject | undefined): unknown {
  const metadata = recordAt(object, 'metadata');
  const annotations = omit(recordAt(metadata, 'annotations'), 'deployment.kubernetes.io/revision');
  const managers = listAt(metadata, 'managedFields')
    .map((entry) => recordAt(entry))
    .filter(({ manager }) => manager !== 'kube-controller-manager')
    .map(({ manager, operation, subresource, apiVersion }) => [manager, operation, subresource, apiVersion]);
  return {
    ...(object?.kind === 'Deployment' ? omit(object, 'status') : object),
    metadata: {
      ...omit(metadata, 'uid', 'resourceVersion', 'creationTimestamp', 'managedFields'),
      annotations,
      managers,
    },
  };
}

async function stored(server: ApiServer, of: ObservedObject): Promise<ObservedObject | undefined> {
  const found = await server.as('test').get(of, of.metadata.namespace ?? '', of.metadata.name);
  return found.ok ? found.value : undefined;
}

const CREATE_ALL = ['create Certificate', 'create Deployment', 'create Service'];

/** What each exchange did, and in which later request the objects can be seen that it left behind. */
const rows = [
  { number: '01', writes: [...CREATE_ALL, 'updateStatus Balancer'], seenIn: '03' },
  { number: '02', writes: ['updateStatus Rebalance'], seenIn: '04' },
  { number: '03', writes: [], seenIn: undefined },
  { number: '04', writes: [], seenIn: undefined },
  { number: '05', writes: [], seenIn: undefined },
  { number: '06', writes: ['updateStatus Rebalance'], seenIn: undefined },
  { number: '07', writes: ['update Deployment', 'updateStatus Balancer'], seenIn: '08' },
  { number: '08', writes: ['updateStatus Balancer'], seenIn: '09' },
  { number: '09', writes: ['create Service'], seenIn: undefined },
] as const;

describe('Metacontroller: the recorded exchanges', () => {
  let hook: HookServer;
  beforeEach(async () => {
    hook = await startHookServer();
  });
  afterEach(() => hook.stop());

  it('are all replayed', () => {
    assert.deepEqual(
      rows.map(({ number }) => exchange(number).name),
      exchanges.map(({ name }) => name),
    );
  });

  for (const { number, writes, seenIn } of rows) {
    const recorded = exchange(number);
    it(`${recorded.name}: the double sends the recorded body, and writes what was written`, async () => {
      const replayed = await replay(hook, recorded);
      assert.deepEqual(replayed.sent, recorded.body);
      assert.deepEqual(replayed.writes, writes);
      const { parent } = recorded.body;
      const after = await stored(replayed.server, parent);
      assert.deepEqual(after?.['status'], {
        ...recordAt(recorded.answer, 'status'),
        observedGeneration: parent.metadata.generation,
      });
    });

    if (seenIn === undefined) continue;
    const later = exchange(seenIn);
    it(`${recorded.name}: the objects that it leaves are those of ${later.name}`, async () => {
      const { server } = await replay(hook, recorded);
      const isEdited = later.body.parent.metadata.generation !== recorded.body.parent.metadata.generation;
      for (const object of objectsOf(later.body).slice(isEdited ? 1 : 0)) {
        assert.deepEqual(comparable(await stored(server, object)), comparable(object), object.kind);
      }
    });
  }

  it('09: the Service that comes back is the one that was there in 08', async () => {
    const { server } = await replay(hook, exchange('09'));
    const before = exchange('08').body.children['Service.v1']?.['mzabc0123456-balancerd'];
    assert.ok(before);
    assert.deepEqual(comparable(await stored(server, before)), comparable(before));
  });

  it('08: answering what was last applied leaves the very same objects', async () => {
    const recorded = exchange('08');
    const { server } = await replay(hook, recorded);
    for (const child of objectsOf(recorded.body).slice(1)) {
      assert.deepEqual(await stored(server, child), child);
    }
  });

  for (const number of ['01', '02']) {
    it(`${number}: a CompositeController applied as it was applied then stands in the body as it stood then`, async () => {
      const { controller } = exchange(number).body;
      const key = 'kubectl.kubernetes.io/last-applied-configuration';
      const manifest = JSON.parse(controller.metadata.annotations?.[key] ?? '') as ObservedObject;
      const server = createApiServer(createVirtualClock(), KINDS);
      const created = await server.as('kubectl-client-side-apply').create(manifest);
      assert.ok(created.ok);
      const spec = parseController(created.value);
      assert.ok(spec.ok);
      assert.deepEqual(omit(controllerInBody(created.value, spec.value), 'metadata'), omit(controller, 'metadata'));
    });
  }
});
