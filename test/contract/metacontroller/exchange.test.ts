import assert from 'node:assert/strict';
import { recordAt } from '../../support/json.ts';
import { decodeAnswer } from '../../support/metacontroller/webhook.ts';
import { deployment, DEPLOYMENT, mustGet, service, startWorld, widget, type World } from './world.ts';

describe('Metacontroller: the exchange', () => {
  let world: World;
  afterEach(() => world.stop());

  it('[five-fields] sends exactly controller, parent, children, related and finalizing, as JSON, by POST', async () => {
    world = await startWorld();
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    const [body] = world.hook.bodies;
    const [request] = world.hook.requests;
    assert.deepEqual(Object.keys(body ?? {}), ['controller', 'parent', 'children', 'related', 'finalizing']);
    assert.equal(body?.finalizing, false);
    assert.deepEqual(body.related, {});
    assert.equal(request?.method, 'POST');
    assert.equal(request.headers['content-type'], 'application/json');
  });

  it('[managed-kinds] gives every managed kind a key, even when empty, core kinds without a group, children by bare name', async () => {
    world = await startWorld();
    world.hook.reply({ body: { children: [service()] } });
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    assert.deepEqual(world.hook.bodies[0]?.children, {
      'Deployment.apps/v1': {},
      'Service.v1': {},
      'Certificate.cert-manager.io/v1': {},
    });
    assert.deepEqual(Object.keys(world.hook.bodies.at(-1)?.children['Service.v1'] ?? {}), ['one']);
  });

  it('[whole-objects] sends objects whole: managedFields, the last-applied annotation, the controller itself', async () => {
    world = await startWorld();
    world.hook.reply({ body: { children: [service()] } });
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    const body = world.hook.bodies.at(-1);
    const child = body?.children['Service.v1']?.['one'];
    assert.deepEqual(
      [body?.parent, child].map((object) => {
        const [entry] = recordAt(object, 'metadata')['managedFields'] as readonly unknown[];
        return recordAt(entry)['manager'];
      }),
      ['kubectl', 'metacontroller'],
    );
    assert.match(JSON.stringify(child?.metadata.annotations), /last-applied-configuration/);
    assert.equal(body?.controller.metadata.name, 'widgets');
  });

  it('[only-200] takes any other code for an error, even a success', async () => {
    world = await startWorld();
    await world.kubectl.create(widget());
    const codes = [201, 204, 301, 404, 500, 503];
    for (const code of codes) {
      world.hook.reply({ code, body: code === 204 ? '' : { status: { phase: 'Done' } } });
      await world.pass(10_000_000);
    }
    const errors = await world.syncErrors();
    for (const code of codes) {
      assert.ok(errors.some((message) => message.includes(`unsupported status code: ${code} `)), String(code));
    }
    assert.equal((await world.widget())['status'], undefined);
  });

  it('[sync-error] puts the body word for word into a Warning event on the parent', async () => {
    world = await startWorld();
    world.hook.reply({ code: 500, body: 'the database is away' });
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    const [event] = await world.kubectl.list({ apiVersion: 'v1', kind: 'Event' });
    assert.deepEqual(
      [event?.['type'], event?.['reason'], event?.['message'], recordAt(event, 'involvedObject')['name']],
      [
        'Warning',
        'SyncError',
        'Sync error: sync hook failed for Widget default/one: unsupported status code: 500 body: the database is away',
        'one',
      ],
    );
  });

  it('[nothing-touched] leaves children and status as they are after an error', async () => {
    world = await startWorld();
    world.hook.reply({ body: { status: { phase: 'Done' }, children: [service()] } });
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    const before = [await world.widget(), await mustGet(world.kubectl, service(), 'one')];
    world.hook.reply({ code: 500, body: { status: {}, children: [] } });
    await world.kubectl.update(widget('one', { size: 2 }));
    await world.metacontroller.settle();
    const [widgetAfter, serviceAfter] = [await world.widget(), await mustGet(world.kubectl, service(), 'one')];
    assert.deepEqual(widgetAfter['status'], before[0]?.['status']);
    assert.deepEqual(serviceAfter, before[1]);
  });

  it('[backoff] retries after 5 ms, doubling to 1000 s, and starts anew after a success', async () => {
    world = await startWorld();
    const times: number[] = [];
    const startMs = world.clock.nowMs();
    world.hook.reply(() => {
      times.push(world.clock.nowMs() - startMs);
      return { code: 500, body: 'no' };
    });
    await world.kubectl.create(widget());
    await world.pass(100);
    assert.deepEqual(times, [0, 5, 15, 35, 75]);
    await world.pass(5_000_000);
    const gaps = times.map((time, index) => time - (times[index - 1] ?? 0));
    assert.deepEqual(gaps.slice(-4), [655_360, 1_000_000, 1_000_000, 1_000_000]);
    world.hook.reply({ body: {} });
    await world.pass(1_000_000);
    times.length = 0;
    world.hook.reply(() => {
      times.push(world.clock.nowMs());
      return { code: 500, body: 'no' };
    });
    const editedMs = world.clock.nowMs();
    await world.kubectl.update(widget('one', { size: 2 }));
    await world.pass(20);
    assert.deepEqual(
      times.map((time) => time - editedMs),
      [0, 5, 15],
    );
  });

  it('[too-many-requests] retries a 429 quietly after Retry-After seconds', async () => {
    world = await startWorld();
    world.hook.reply({ code: 429, headers: { 'retry-after': '7' }, body: 'busy' });
    await world.kubectl.create(widget());
    await world.pass(6_999);
    assert.equal(world.hook.bodies.length, 1);
    await world.pass(1);
    assert.equal(world.hook.bodies.length, 2);
    assert.deepEqual(await world.syncErrors(), []);
  });

  it('[too-many-requests-without-retry-after] calls again at once, for ever', async () => {
    world = await startWorld();
    world.hook.reply({ code: 429, body: 'busy' });
    await world.kubectl.create(widget());
    await assert.rejects(world.metacontroller.settle(), /a hot loop: default\/one/);
  });

  /** Once the child is there, the hook answers its children under a misspelt key. */
  async function misspellChildren(): Promise<void> {
    world.hook.reply({ body: { children: [service()] } });
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    world.hook.reply({ body: { childern: [service()] } });
    await world.kubectl.update(widget('one', { size: 2 }));
    await world.metacontroller.settle();
  }

  it('[strict-decoding] takes an unknown key for an error in strict mode, and deletes nothing', async () => {
    world = await startWorld();
    await misspellChildren();
    assert.match((await world.syncErrors()).join(), /cannot read the answer: Unrecognized key: "childern"/);
    await mustGet(world.kubectl, service(), 'one');
  });

  it('[loose-decoding] ignores an unknown key in loose mode, so that a misspelt children deletes all', async () => {
    world = await startWorld({ webhook: { responseUnMarshallMode: 'loose' } });
    await misspellChildren();
    assert.deepEqual(await world.kubectl.list(service()), []);
  });

  it('[hold] changes nothing when a child is answered as last applied', async () => {
    world = await startWorld();
    world.hook.reply({ body: { children: [deployment(), service()] } });
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    const before = await mustGet(world.kubectl, DEPLOYMENT, 'one');
    world.hook.reply(({ children }) => ({
      body: {
        children: Object.values(children)
          .flatMap((byName) => Object.values(byName))
          .map(({ metadata }) => {
            const applied = metadata.annotations?.['metacontroller.k8s.io/last-applied-configuration'];
            return JSON.parse(applied ?? '') as unknown;
          }),
      },
    }));
    await world.kubectl.update(widget('one', { size: 2 }));
    await world.metacontroller.settle();
    assert.deepEqual(await mustGet(world.kubectl, DEPLOYMENT, 'one'), before);
  });

  it('[timeout] gives the whole exchange the time of the rule, and takes silence for an error', async () => {
    world = await startWorld({ webhook: { timeout: '30ms' } });
    world.hook.reply('Never');
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    assert.match((await world.syncErrors()).join(), /http error: .*timeout/);
  });

  it('takes a refused connection for an error', async () => {
    world = await startWorld();
    await world.hook.stop();
    await world.kubectl.create(widget());
    await world.metacontroller.settle();
    assert.match((await world.syncErrors()).join(), /http error: .*ECONNREFUSED/);
  });
});

describe('Metacontroller: what an answer may be', () => {
  const rows = [
    { name: 'an empty body', text: '', error: 'not JSON' },
    { name: 'no JSON', text: '<html>', error: 'not JSON' },
    { name: 'a list', text: '[]', error: 'Invalid input: expected object, received array' },
    {
      name: 'a status that is a list',
      text: '{"status":[]}',
      error: 'status: Invalid input: expected record, received array',
    },
    {
      name: 'children that are an object',
      text: '{"children":{}}',
      error: 'children: Invalid input: expected array, received object',
    },
    {
      name: 'a child without a kind',
      text: '{"children":[{"apiVersion":"v1","metadata":{"name":"a"}}]}',
      error: 'children.0.kind: Invalid input: expected string, received undefined',
    },
    {
      name: 'a null child',
      text: '{"children":[null]}',
      error: 'children.0: Invalid input: expected object, received null',
    },
    {
      name: 'a label that is a number',
      text: '{"children":[{"apiVersion":"v1","kind":"Service","metadata":{"name":"a","labels":{"a":1}}}]}',
      error: 'children.0.metadata.labels.a: Invalid input: expected string, received number',
    },
    {
      name: 'resyncAfterSeconds as text',
      text: '{"resyncAfterSeconds":"5"}',
      error: 'resyncAfterSeconds: Invalid input: expected number, received string',
    },
  ] as const;
  for (const { name, text, error } of rows) {
    it(`[wrong-types] ${name} is an error`, () => {
      assert.deepEqual(decodeAnswer(text, 'strict'), { ok: false, error });
    });
  }

  for (const text of ['{}', 'null', '{"status":null,"children":null,"resyncAfterSeconds":null,"finalized":null}']) {
    it(`[wrong-types] ${text} is no status, no children, no resync`, () => {
      assert.deepEqual(decodeAnswer(text, 'strict'), {
        ok: true,
        value: { status: {}, children: [], resyncAfterSeconds: 0 },
      });
    });
  }
});
