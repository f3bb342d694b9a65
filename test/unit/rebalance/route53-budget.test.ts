import assert from 'node:assert/strict';
import { certain } from '../../../src/foundation/certain.ts';
import type { Result } from '../../../src/foundation/result.ts';
import type { Route53Target } from '../../../src/rebalance/spec.ts';
import type { Change, SetReading, TargetFailure, TargetStore } from '../../../src/rebalance/targets/port.ts';
import { createRoute53Store } from '../../../src/rebalance/targets/route53.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { KEYS_BY_REGION } from '../../support/aws-keys.ts';
import { secretsOf } from '../../support/call-context.ts';
import { target as targetOf } from '../../support/route53-store.ts';
import { createVirtualRoute53, type VirtualRoute53 } from '../../support/route53-virtual.ts';
import { createVirtualTime, type VirtualTime } from '../../support/virtual-clock.ts';
import { weightedRecord } from '../../support/weighted-record.ts';

const ZONE = 'Z1';

function target(name: string, parts: Partial<Route53Target> = {}): Route53Target {
  return targetOf({ hostedZoneId: ZONE, name: `${name}.example.com`, ...parts });
}

describe('the budget of Route 53', () => {
  let time: VirtualTime;
  let route53: VirtualRoute53;
  let store: TargetStore;
  let batches: number[];

  function begin(
    options: Parameters<typeof createRoute53Store>[0] = {},
    stand: { changeMs?: number; pageLimit?: number } = {},
  ): void {
    time = createVirtualTime();
    route53 = createVirtualRoute53({ time, changeMs: 500, ...stand });
    batches = [];
    store = open(options);
    for (const zone of [ZONE, 'Z2', 'Z3', 'Z4', 'Z5']) {
      route53.createZone(zone, 'example.com');
      put(20, zone);
    }
  }
  beforeEach(() => begin());

  function open(options: Parameters<typeof createRoute53Store>[0] = {}): TargetStore {
    return createRoute53Store({
      requestHandler: route53.requestHandler,
      credentials: KEYS_BY_REGION,
      timer: time,
      ratePerSecond: 3,
      listWindowMs: 5_000,
      onBatch: (size) => batches.push(size),
      ...options,
    });
  }

  /** Records r0, r1, ... of a zone, each with a reference. */
  function put(count: number, zone = ZONE): void {
    for (let index = 0; index < count; index += 1) {
      route53.putRecord(zone, { ...weightedRecord(`r${index}.example.com`, 'aws', 8) });
      route53.putRecord(zone, { ...weightedRecord(`r${index}.example.com`, 'onprem', 64) });
    }
  }

  function sync(budgetMs = 8_000): Parameters<TargetStore['readSet']>[1] {
    return { secrets: secretsOf({}), caller: 'test', deadline: time.deadline(budgetMs) };
  }

  /** Runs virtual time until the work has ended. */
  async function ended<T>(work: Promise<T>): Promise<T> {
    const progress = { isOver: false };
    void work.finally(() => {
      progress.isOver = true;
    });
    for (let count = 0; count < 500 && !progress.isOver; count += 1) await time.run(50);
    return work;
  }

  function valueOf<T>(result: Result<T, TargetFailure>): T {
    assert.ok(result.ok, `expected a value, got ${JSON.stringify(result)}`);
    return result.value;
  }

  function failureOf(result: Result<unknown, TargetFailure>): TargetFailure {
    assert.ok(!result.ok, 'expected a failure');
    return result.error;
  }

  async function read(
    name: string,
    parts: Partial<Route53Target> = {},
    context = sync(),
  ): Promise<SetReading> {
    return valueOf(await ended(store.readSet(target(name, parts), context)));
  }

  /** A sync that reads for itself and writes. */
  async function write(
    name: string,
    value: number,
    { parts = {}, budgetMs = 8_000 }: { parts?: Partial<Route53Target>; budgetMs?: number } = {},
  ): Promise<Result<Change, TargetFailure>> {
    const context = sync(budgetMs);
    const reading = await store.readSet(target(name, parts), context, 'Fresh');
    return reading.ok
      ? store.writeWeights(
          target(name, parts),
          reading.value,
          [{ identifier: 'aws', weight: weight(value) }],
          context,
        )
      : reading;
  }

  function weightOf(name: string, zone = ZONE): number | undefined {
    return route53.record(zone, `${name}.example.com`, 'A', 'aws')?.Weight;
  }

  function lists(): number {
    return route53.count('ListResourceRecordSets');
  }

  function changes(): readonly string[] {
    return route53.calls
      .filter(({ operation }) => operation === 'ChangeResourceRecordSets')
      .map(({ body, code }) => `${body.match(/<Change>/g)?.length ?? 0} ${code === '' ? 'ok' : code}`);
  }

  describe('sharing lists', () => {
    it('tells a list to all who ask within its window, and not after it', async () => {
      assert.equal((await read('r0')).isFresh, true);
      await time.run(4_900);
      assert.equal((await read('r0')).isFresh, false);
      assert.equal(lists(), 1);
      await time.run(200);
      assert.equal((await read('r0')).isFresh, true);
      assert.equal(lists(), 2);
    });

    it('makes one call for all who ask at the same time', async () => {
      const all = await ended(
        Promise.all(Array.from({ length: 20 }, () => store.readSet(target('r0'), sync()))),
      );
      assert.ok(all.every(({ ok: isRead }) => isRead));
      assert.equal(lists(), 1);
    });

    it('tells of the neighbours that stood on the same page', async () => {
      await read('r0');
      await read('r5');
      assert.equal(lists(), 1);
    });

    it('reads the zone from its start where more sets are asked for than it has pages', async () => {
      const names = ['r19', 'r7', 'r0'];
      const all = await ended(Promise.all(names.map((name) => store.readSet(target(name), sync()))));
      assert.ok(all.every(({ ok: isRead }) => isRead));
      assert.deepEqual(
        route53.calls.map(({ parameters }) => [parameters.get('name'), parameters.get('maxitems')]),
        [[null, '300']],
        'the first waits a moment to see who else comes',
      );
    });

    it('says what does not exist, of a zone read whole as of a set read alone', async () => {
      const [alone] = await ended(Promise.all([store.readSet(target('nobody'), sync())]));
      assert.equal(failureOf(alone).reason, 'RecordNotFound');
      await time.run(6_000);
      const many = ['r0', 'nobody', 'r3', 'r4'].map((name) => store.readSet(target(name), sync()));
      const [found, missing] = await ended(Promise.all(many));
      assert.equal(found?.ok, true);
      assert.equal(missing?.ok === false && missing.error.reason, 'RecordNotFound');
    });

    it('does not walk through a large zone for few sets: it tries as many pages, and remembers', async () => {
      begin({}, { pageLimit: 4 });
      const names = ['r9', 'r10'];
      const ask = (): Promise<unknown> =>
        ended(Promise.all(names.map((name) => store.readSet(target(name, { hostedZoneId: 'Z2' }), sync()))));
      await ask();
      await time.run(6_000);
      const first = lists();
      assert.ok(first <= 2 * names.length, `${first} lists for ${names.length} sets`);
      await ask();
      assert.equal(lists() - first, names.length);
    });

    it('reads the two pages of a zone once for 20 sets', async () => {
      begin({}, { pageLimit: 30 });
      const all = Array.from({ length: 20 }, (_, index) => store.readSet(target(`r${index}`), sync()));
      const read = await ended(Promise.all(all));
      assert.ok(read.every(({ ok: isRead }) => isRead));
      assert.equal(lists(), 2);
    });

    it('tells a list to nobody else where the window is 0s', async () => {
      begin({ listWindowMs: 0 });
      for (let count = 0; count < 3; count += 1) assert.equal((await read('r0')).isFresh, true);
      assert.equal(lists(), 3);
    });

    it('tells nobody what other credentials have read', async () => {
      await read('r0');
      await read('r0', { region: 'eu-west-1' });
      assert.equal(lists(), 2);
    });

    it('reads anew for who wants to write, for all of those at once', async () => {
      await read('r0');
      await time.run(1_000);
      const fresh = await ended(
        Promise.all(['r0', 'r1'].map((name) => store.readSet(target(name), sync(), 'Fresh'))),
      );
      assert.ok(fresh.every((result) => valueOf(result).isFresh));
      assert.equal(lists(), 2);
    });

    it('tells of a set what was read before a change of another set ended', async () => {
      await read('r1');
      valueOf(await ended(write('r0', 16)));
      const before = lists();
      assert.equal((await read('r1')).isFresh, false);
      assert.equal(lists(), before);
      assert.equal((await read('r0')).set.own.total, 16, 'and of the changed one what it is now');
      assert.equal(lists(), before + 1);
    });

    it('tells no list of a set that began before its change ended', async () => {
      const written = write('r0', 16);
      await time.run(300);
      assert.equal(changes().length, 1, 'the change is on its way');
      const reading = store.readSet(target('r0'), sync(), 'Fresh');
      await time.run(100);
      assert.equal(lists(), 1, 'a list that began now would be of no use');
      valueOf(await ended(written));
      assert.equal(valueOf(await ended(reading)).set.own.total, 16);
      assert.equal(lists(), 2);
    });

    it('tries a list again that failed for the moment, in a turn of its own', async () => {
      const busy = [0, 1, 2, 3, 4].map(() => open({ ratePerSecond: 9 }).readSet(target('r1'), sync()));
      await ended(Promise.all(busy));
      assert.deepEqual(
        route53.calls.map(({ code }) => code),
        ['', '', '', '', ''],
      );
      await read('r0');
      const last = route53.calls.slice(5);
      assert.deepEqual(
        last.map(({ code }) => code),
        ['Throttling', ''],
      );
      assert.ok((last[1]?.atMs ?? 0) - (last[0]?.atMs ?? 0) >= 1_000, 'the account rests for a second');
    });
  });

  describe('changes of a zone', () => {
    it('go together while another is on its way', async () => {
      const first = write('r0', 1);
      await time.run(200);
      const others = ['r1', 'r2', 'r3'].map((name, index) => write(name, index + 2));
      const ends = await ended(Promise.all([first, ...others]));
      const ids = ends.map((end) => valueOf(end).id);
      assert.deepEqual(changes(), ['1 ok', '3 ok']);
      assert.deepEqual(batches, [1, 3]);
      assert.equal(new Set(ids).size, 2, 'who went together waits for one change');
      assert.deepEqual(
        ['r0', 'r1', 'r2', 'r3'].map((name) => weightOf(name)),
        [1, 2, 3, 4],
      );
    });

    it('go on where one of them is refused, which alone is told', async () => {
      route53.protect(ZONE, 'r2.example.com', 'A', 'change freeze');
      const ends = await ended(Promise.all(['r0', 'r1', 'r2', 'r3'].map((name) => write(name, 1))));
      assert.deepEqual(
        ends.map((end) => (end.ok ? 'ok' : end.error.reason)),
        ['ok', 'ok', 'RecordProtected', 'ok'],
      );
      assert.deepEqual(changes(), ['4 InvalidChangeBatch', '3 ok', '1 InvalidChangeBatch']);
    });

    it('go together where they come together', async () => {
      const ends = await ended(Promise.all(['r0', 'r1', 'r2', 'r3'].map((name) => write(name, 1))));
      assert.equal(new Set(ends.map((end) => valueOf(end).id)).size, 1);
      assert.deepEqual(changes(), ['4 ok']);
    });

    it('are sent with the credentials of their own object, one batch after the other', async () => {
      const ends = await ended(
        Promise.all([
          write('r3', 1),
          write('r0', 1),
          write('r1', 1, { parts: { region: 'eu-west-1' } }),
          write('r2', 1),
        ]),
      );
      assert.ok(ends.every(({ ok: isDone }) => isDone));
      const sent = route53.calls.filter(({ operation }) => operation === 'ChangeResourceRecordSets');
      const seen = sent.map(({ body, headers, code }) => {
        const key = /AKIA[a-z0-9-]+/.exec(headers.authorization ?? '')?.[0];
        return [key, code, ...(body.match(/r\d\.example/g) ?? [])].join(' ');
      });
      assert.deepEqual(seen.toSorted(), [
        'AKIAeu-west-1  r1.example',
        'AKIAus-east-1  r3.example r0.example r2.example',
      ]);
    });

    it('are not sent for who gave up before their turn, and that nothing was done is known', async () => {
      const first = write('r0', 1);
      await time.run(200);
      const context = sync(600);
      const reading = await ended(store.readSet(target('r1', { hostedZoneId: 'Z2' }), context, 'Fresh'));
      const second = store.writeWeights(
        target('r1'),
        valueOf(reading),
        [{ identifier: 'aws', weight: weight(9) }],
        context,
      );
      const failure = failureOf(await ended(second));
      assert.deepEqual([failure.reason, failure.outcomeUnknown], ['RateBudget', false]);
      valueOf(await ended(first));
      await time.run(2_000);
      assert.deepEqual(changes(), ['1 ok']);
    });

    it('wait for a change that somebody else is making', async () => {
      begin({}, { changeMs: 1_200 });
      const stranger = open();
      const context = sync();
      const theirs = stranger
        .readSet(target('r1'), context, 'Fresh')
        .then((reading) =>
          stranger.writeWeights(
            target('r1'),
            valueOf(reading),
            [{ identifier: 'aws', weight: weight(5) }],
            context,
          ),
        );
      const ours = write('r0', 4);
      const [a, b] = await ended(Promise.all([theirs, ours]));
      assert.ok(a.ok && b.ok);
      assert.deepEqual([weightOf('r0'), weightOf('r1')], [4, 5]);
      assert.ok(changes().includes('1 PriorRequestNotComplete'));
    });

    it('of different zones do not wait for each other', async () => {
      begin({ ratePerSecond: 100 }, { changeMs: 1_000 });
      const ends = ended(Promise.all([write('r0', 1), write('r0', 1, { parts: { hostedZoneId: 'Z2' } })]));
      await time.run(400);
      assert.equal(changes().length, 2);
      assert.ok((await ends).every(({ ok: isDone }) => isDone));
    });

    it('rest on a list of their own sync: anything else is a bug', async () => {
      await read('r0');
      await time.run(1_000);
      const context = sync();
      const reading = await read('r0', {}, context);
      const change = store.writeWeights(target('r0'), reading, [], context);
      await assert.rejects(change, /must rest on a list that began after its sync/);
    });
  });

  describe('asking how far a change has come', () => {
    it('is one call for all who went in one batch, and none once it is INSYNC', async () => {
      const { id } = valueOf(await ended(write('r0', 1)));
      const ask = async (): Promise<readonly string[]> => {
        const asked = ['r0', 'r1', 'r2'].map((name) => store.readChange(target(name), id, sync()));
        return (await ended(Promise.all(asked))).map((result) => valueOf(result).status);
      };
      assert.deepEqual(await ask(), ['PENDING', 'PENDING', 'PENDING']);
      assert.equal(route53.count('GetChange'), 1);
      await time.run(30_000);
      assert.deepEqual(await ask(), ['INSYNC', 'INSYNC', 'INSYNC']);
      await time.run(30_000);
      await ask();
      assert.equal(route53.count('GetChange'), 2);
    });
  });

  describe('who gets no turn', () => {
    it('is told so in time for Metacontroller, and takes no turn later', async () => {
      const zones = [ZONE, 'Z2', 'Z3', 'Z4', 'Z5'];
      begin({ ratePerSecond: 1 });
      const asked = zones.map((hostedZoneId) => store.readSet(target('r0', { hostedZoneId }), sync(4_000)));
      const ends = await ended(Promise.all(asked));
      assert.deepEqual(
        ends.map((end) => (end.ok ? 'ok' : end.error.reason)),
        ['ok', 'ok', 'ok', 'RateBudget', 'RateBudget'],
      );
      assert.equal(
        failureOf(certain(ends[4], 'the last end')).message,
        "no turn for route53:ListResourceRecordSets within the hook's budget: this AWS account's other Rebalances took all that --route53-rate allows; tried again at the next attempt",
      );
      await time.run(10_000);
      assert.equal(lists(), 3);
    });

    for (const [budgetMs, comes, because] of [
      [8_000, 4, 'as others of its zone may still join it'],
      [5_000, 2, 'once it has no more than 4 s left'],
    ] as const) {
      it(`waits in line with a list for a change too, with ${budgetMs} ms as number ${comes}: ${because}`, async () => {
        begin({ ratePerSecond: 1 });
        const zones = ['Z2', 'Z3', 'Z4'];
        const others = zones.map((hostedZoneId) => store.readSet(target('r0', { hostedZoneId }), sync()));
        const ours = store.readSet(target('r0'), sync(budgetMs), 'Fresh');
        assert.ok((await ended(Promise.all([...others, ours]))).every(({ ok: isRead }) => isRead));
        assert.equal(route53.calls.findIndex(({ id }) => id === ZONE) + 1, comes);
      });
    }

    it('keeps one account from waiting for another', async () => {
      begin({ ratePerSecond: 1 });
      const asked = [ZONE, 'Z2', 'Z3'].map((hostedZoneId, index) =>
        store.readSet(target('r0', { hostedZoneId, region: `region-${index}` }), sync()),
      );
      const ends = ended(Promise.all(asked));
      await time.run(100);
      assert.equal(lists(), 3);
      assert.ok((await ends).every(({ ok: isRead }) => isRead));
    });

    it('waits for whoever has other keys of the same account, whose quota it is', async () => {
      begin({ ratePerSecond: 1 });
      const ask = (
        ...zones: readonly [string, string]
      ): Promise<readonly Result<SetReading, TargetFailure>[]> =>
        ended(
          Promise.all(
            ['SP2TPHJSQH3FJXYZ', 'SP2TPHJSQH3FJXYA'].map((region, index) =>
              store.readSet(target('r0', { hostedZoneId: zones[index] ?? ZONE, region }), sync()),
            ),
          ),
        );
      const gapMs = (): number => {
        const [first = 0, second = 0] = route53.calls.slice(-2).map(({ atMs }) => atMs);
        return second - first;
      };
      await ask('Z2', 'Z3');
      assert.equal(gapMs(), 0, 'their word for it is not taken before AWS has accepted them');
      await time.run(2_000);
      assert.ok((await ask('Z4', 'Z5')).every(({ ok: isRead }) => isRead));
      assert.equal(gapMs(), 1_000);
    });

    it('comes at a longer interval, as all do whose account is asked for too much', async () => {
      for (let index = 0; index < 20; index += 1) {
        const hostedZoneId = ['Z2', 'Z3', 'Z4', 'Z5'][index % 4] ?? ZONE;
        await ended(store.readSet(target(`r${index}`, { hostedZoneId }), { ...sync(), intervalMs: 1_000 }));
      }
      assert.equal(store.shortestIntervalMs(target('r0', { hostedZoneId: 'Z2' })), 0);
      begin({ listWindowMs: 0 });
      for (let index = 0; index < 20; index += 1)
        await ended(store.readSet(target(`r${index}`), { ...sync(), intervalMs: 1_000 }));
      assert.equal(store.shortestIntervalMs(target('r0')), 10_000);
      assert.equal(store.shortestIntervalMs(target('r0', { hostedZoneId: 'Z9' })), 0, 'nobody came there');
    });

    it('does not slow down those of a zone that it names and cannot read', async () => {
      begin({ listWindowMs: 0 });
      const ask = (name: string, hostedZoneId: string, region: string) =>
        ended(store.readSet(target(name, { hostedZoneId, region }), { ...sync(), intervalMs: 1_000 }));
      for (let index = 0; index < 20; index += 1) await ask(`r${index}`, 'Z2', 'elsewhere');
      assert.equal((await ask('r0', 'Z9', 'elsewhere')).ok, false);
      route53.createZone('Z9', 'example.com');
      put(1, 'Z9');
      assert.equal((await ask('r0', 'Z9', 'us-east-1')).ok, true);
      assert.equal(store.shortestIntervalMs(target('r0', { hostedZoneId: 'Z2' })), 10_000);
      assert.equal(store.shortestIntervalMs(target('r0', { hostedZoneId: 'Z9' })), 0);
    });
  });
});
