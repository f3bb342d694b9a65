import assert from 'node:assert/strict';
import { BASE, createFleet, type Fleet, type FleetOptions } from '../support/rebalance-fleet.ts';
import { createVirtualRoute53, type SeenCall, type VirtualRoute53 } from '../support/route53-virtual.ts';
import { createVirtualTime, type VirtualTime } from '../support/virtual-clock.ts';

const MINUTE = 60_000;

/** Demand at which the law asks for nothing, and for as much as the reference has. */
const LOW = 1_000;
const HIGH = 2_000;

interface World {
  readonly time: VirtualTime;
  readonly route53: VirtualRoute53;
  readonly fleet: Fleet;
}

/** Many Rebalances, the real hook beneath its real budget, and a Route 53 with AWS' limits, in virtual time. */
function begin(options: Omit<FleetOptions, 'time' | 'route53'>): World {
  const time = createVirtualTime();
  const route53 = createVirtualRoute53({ time });
  return { time, route53, fleet: createFleet({ time, route53, ...options }) };
}

/** What Route 53 got within so long, by operation; printed, as the figures are what this is about. */
async function spend(
  { time, route53 }: World,
  durationMs: number,
  what: string,
): Promise<readonly SeenCall[]> {
  const before = route53.calls.length;
  await time.run(durationMs);
  const calls = route53.calls.slice(before);
  const counts = Map.groupBy(calls, ({ operation, code }) =>
    code === '' ? operation : `${operation} ${code}`,
  );
  const told = [...counts].map(([operation, of]) => `${of.length} ${operation}`).join(', ');
  process.stdout.write(`      ${what}: ${told === '' ? 'no call' : told} in ${durationMs / 1_000} s\n`);
  return calls;
}

function of(calls: readonly SeenCall[], operation: SeenCall['operation']): number {
  return calls.filter((call) => call.operation === operation).length;
}

function refused(calls: readonly SeenCall[]): readonly string[] {
  return calls.map(({ code }) => code).filter((code) => code !== '');
}

function conditionsOf(fleet: Fleet, type: string): readonly string[] {
  const found = fleet.members.flatMap(({ status }) =>
    (status.conditions ?? []).filter((condition) => condition.type === type).map(({ reason }) => reason),
  );
  return [...new Set(found)];
}

/** The longest time between two evaluations of any member, or until the first one, up to now. */
function longestGapMs({ members }: Fleet, fromMs: number, nowMs: number): number {
  const gaps = members.flatMap(({ evaluatedMs }) =>
    [...evaluatedMs, nowMs].map((atMs, index) => atMs - (evaluatedMs[index - 1] ?? fromMs)),
  );
  return Math.max(...gaps);
}

function weights({ members, weightOf }: Fleet): ReadonlySet<number | undefined> {
  return new Set(members.map(weightOf));
}

describe('100 Rebalances in 10 zones at a minute', function () {
  this.timeout(120_000);

  for (const workers of [20, 100]) {
    it(`stay within the rate, change each zone together, and cost a list a zone when steady; ${workers} workers`, async () => {
      const world = begin({ size: 100, zones: 10, interval: '1m' });
      const { time, route53, fleet } = world;
      fleet.demand(LOW);
      fleet.start({ workers });
      const steady = await spend(world, MINUTE, 'steady');
      assert.equal(of(steady, 'ChangeResourceRecordSets'), 0);
      assert.equal(of(steady, 'ListResourceRecordSets'), 10, 'one for each zone');

      fleet.demand(HIGH);
      const moving = await spend(world, MINUTE, 'moving');
      assert.deepEqual([...weights(fleet)], [BASE]);
      const batches = of(moving, 'ChangeResourceRecordSets');
      assert.ok(
        batches <= (workers === 20 ? 50 : 10),
        `${batches} batches; 20 workers are two for each zone`,
      );

      const again = await spend(world, MINUTE, 'steady again');
      assert.equal(of(again, 'ChangeResourceRecordSets'), 0);
      assert.deepEqual(refused(route53.calls), []);
      assert.ok(route53.peakPerSecond() <= 3, `${route53.peakPerSecond()} requests in a second`);
      assert.ok(fleet.members.every(({ evaluatedMs }) => evaluatedMs.length >= 3));
      const gapMs = longestGapMs(fleet, time.nowMs() - 3 * MINUTE, time.nowMs());
      process.stdout.write(
        `      ${gapMs / 1_000} s between two evaluations at the longest, while all move\n`,
      );
      // 20 workers move 20 at a time: the last ones wait for their turn.
      assert.ok(gapMs <= MINUTE + (workers === 20 ? 35_000 : 10_000));
      assert.deepEqual(conditionsOf(fleet, 'IntervalRaised'), []);
    });
  }
});

describe('200 Rebalances of one zone at 10 s', function () {
  this.timeout(240_000);

  const rows = [
    { workers: 200, longestMs: 10_500, name: 'each is evaluated every interval, also while all move' },
    { workers: 100, longestMs: 11_500, name: 'a half of them waits for the other while all move' },
    {
      workers: 20,
      longestMs: 20_000,
      name: 'the last of ten waves waits for the nine before while all move',
    },
  ];
  for (const { workers, longestMs, name } of rows) {
    it(`cost a call a second at most (the original: 26 to 40); with ${workers} workers ${name}`, async () => {
      const world = begin({ size: 200, zones: 1, interval: '10s' });
      const { time, route53, fleet } = world;
      fleet.demand(LOW);
      fleet.start({ workers });
      const fromMs = time.nowMs();
      await spend(world, MINUTE, 'steady');
      const steadyGapMs = longestGapMs(fleet, fromMs, time.nowMs());
      assert.ok(steadyGapMs <= 10_500, `${steadyGapMs} ms between two evaluations when steady`);
      fleet.demand(HIGH);
      await spend(world, MINUTE, 'moving');
      await spend(world, MINUTE, 'steady again');
      const perSecond = route53.calls.length / 180;
      process.stdout.write(`      ${perSecond.toFixed(2)} calls a second on average\n`);
      assert.ok(perSecond <= 1, `${perSecond} calls a second`);
      assert.ok(route53.peakPerSecond() <= 3);
      assert.deepEqual(refused(route53.calls), []);
      assert.deepEqual([...weights(fleet)], [BASE]);
      const gapMs = longestGapMs(fleet, fromMs, time.nowMs());
      process.stdout.write(
        `      ${steadyGapMs / 1_000} s between two evaluations at the longest when steady, ${gapMs / 1_000} s while all move\n`,
      );
      assert.ok(gapMs <= longestMs, `${gapMs} ms between two evaluations`);
    });
  }
});

describe('1,000 Rebalances in 250 zones at 10 s, for which the rate does not suffice', function () {
  this.timeout(240_000);

  it('come at longer intervals, which their status says; each has its turn, and no write is lost', async () => {
    const world = begin({ size: 1_000, zones: 250, interval: '10s' });
    const { time, route53, fleet } = world;
    fleet.demand(HIGH);
    fleet.start();
    await spend(world, 15 * MINUTE, 'all want to move');
    assert.deepEqual([...weights(fleet)], [BASE], 'every write is made');
    assert.deepEqual(conditionsOf(fleet, 'IntervalRaised'), ['Route53Budget']);
    const { length } = fleet.members.filter(({ evaluatedMs }) => evaluatedMs.length > 0);
    assert.equal(length, 1_000);

    const fromMs = time.nowMs();
    const steady = await spend(world, 15 * MINUTE, 'steady');
    assert.equal(of(steady, 'ChangeResourceRecordSets'), 0);
    const evaluated = fleet.members.filter(({ evaluatedMs }) => (evaluatedMs.at(-1) ?? 0) >= fromMs);
    assert.equal(evaluated.length, 1_000, 'each is evaluated within the raised interval');
    assert.deepEqual(conditionsOf(fleet, 'Ready'), ['Tracking'], 'nobody is without a turn any more');
    assert.deepEqual(refused(route53.calls), []);
    assert.ok(route53.peakPerSecond() <= 3);
  });
});

describe('two processes at once on the same 40 Rebalances, as in a rollout gone wrong', function () {
  this.timeout(120_000);

  it('move each weight once, and leave it', async () => {
    const world = begin({ size: 40, zones: 4, interval: '30s' });
    const { route53, fleet } = world;
    fleet.demand(LOW);
    fleet.start();
    fleet.start();
    await spend(world, MINUTE, 'steady');
    fleet.demand(HIGH);
    const moving = await spend(world, 2 * MINUTE, 'moving');
    assert.deepEqual([...weights(fleet)], [BASE]);
    const written = moving.flatMap(({ operation, code, body }) =>
      operation === 'ChangeResourceRecordSets' && code === ''
        ? [...body.matchAll(/<Name>(r\d+)\..*?<Weight>(\d+)</gs)].map(
            ([, name = '', to = '']) => `${name} ${to}`,
          )
        : [],
    );
    assert.deepEqual(
      [...new Set(written)].toSorted(),
      fleet.members.map(({ name }) => `${name} ${BASE}`).toSorted(),
    );
    process.stdout.write(`      ${written.length} writes of 40 weights, each to ${BASE}\n`);
    assert.ok(written.length <= 80, 'each process writes at most once');

    const after = await spend(world, 2 * MINUTE, 'steady again');
    assert.equal(of(after, 'ChangeResourceRecordSets'), 0, 'no ping-pong');
    assert.deepEqual([...weights(fleet)], [BASE]);
    assert.ok(route53.peakPerSecond() <= 6, 'twice the rate, as each process counts for itself');
  });
});
