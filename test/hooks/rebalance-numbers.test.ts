import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { err } from '../../src/foundation/result.ts';
import { ROOT } from '../support/kustomize.ts';
import { MINUTE, wireSpec } from '../support/rebalance.ts';
import { posted, rebalanceWorld, value, type RebalanceWorld } from '../support/rebalance-world.ts';

const query = (text: string) => ({ address: 'http://prometheus:9090', query: text });

/** The README example, which asks for 16, with a queue that asks for 32 and a guard that is open. */
function severalWorld(): RebalanceWorld {
  const world = rebalanceWorld();
  world.live = posted(SEVERAL);
  world.readings = { queue: value('500'), errors: value('0.25') };
  return world;
}

const SEVERAL = wireSpec(
  {},
  {
    additionalMetrics: [{ name: 'queue', targetValue: 100, prometheus: query('queue') }],
    guards: [{ name: 'errors', stops: 'Increase', prometheus: query('errors') }],
  },
);

/** What a scrape says of metrics and guards by their names: "metric_weight queue": 32. */
async function numbersOf(world: RebalanceWorld): Promise<Readonly<Record<string, number>>> {
  const lines = (await world.scrape()).split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, gauge, name, number] =
        /^counterpoise_rebalance_(\w+){.*(?:metric|guard)="([^"]+)"} (.*)$/.exec(line) ?? [];
      return gauge === undefined ? [] : [[`${gauge} ${name ?? ''}`, Number(number)] as const];
    }),
  );
}

const ALL = {
  'additional_metric_value queue': 500,
  'metric_weight spec.metrics': 16,
  'metric_weight queue': 32,
  'guard_value errors': 0.25,
  'guard_closed errors': 0,
};

describe('the gauges of what has a name in a spec', () => {
  it('say what each metric shows and asks for, and that a guard is open', async () => {
    const world = severalWorld();
    await world.settle();
    assert.deepEqual(await numbersOf(world), ALL);
  });

  it('stay as they are in a sync that does nothing', async () => {
    const world = severalWorld();
    await world.settle();
    await world.settle();
    assert.deepEqual(await numbersOf(world), ALL);
  });

  it('are the values alone after a restart, until the next evaluation: who asked for what is in no status', async () => {
    const world = severalWorld();
    await world.settle();
    const restarted = severalWorld();
    restarted.live = world.live;
    await restarted.sync();
    assert.deepEqual(await numbersOf(restarted), {
      'additional_metric_value queue': 500,
      'guard_value errors': 0.25,
    });
    restarted.nowMs += MINUTE;
    await restarted.settle();
    assert.deepEqual(await numbersOf(restarted), ALL);
  });

  const failed = err({ reason: 'MetricTimeout', message: 'no answer within 1s' } as const);
  const rows: readonly {
    readonly name: string;
    readonly readings: RebalanceWorld['readings'];
    readonly says: Readonly<Record<string, number | undefined>>;
  }[] = [
    {
      name: 'a guard at 0 is closed',
      readings: { errors: value('0') },
      says: { 'guard_closed errors': 1, 'guard_value errors': 0 },
    },
    {
      name: 'a guard that cannot be read is closed, beside its last number',
      readings: { errors: failed },
      says: { 'guard_closed errors': 1, 'guard_value errors': 0.25 },
    },
    {
      name: 'a metric that cannot be read asks for nothing, beside its last value',
      readings: { queue: failed },
      says: { 'metric_weight queue': undefined, 'additional_metric_value queue': 500 },
    },
    {
      name: 'a metric asks for more than any record can have',
      readings: { queue: value('50000') },
      says: { 'metric_weight queue': 3_992, 'additional_metric_value queue': 50_000 },
    },
  ];
  for (const { name, readings, says } of rows) {
    it(`say where ${name}`, async () => {
      const world = severalWorld();
      await world.settle();
      world.readings = { ...world.readings, ...readings };
      world.nowMs += MINUTE;
      await world.settle();
      const expected = Object.entries({ ...ALL, ...says }).filter(
        ([key]) => !(key in says && says[key] === undefined),
      );
      assert.deepEqual(await numbersOf(world), Object.fromEntries(expected));
    });
  }

  it('keep what was asked for while the records cannot be read, and tell what the guards say', async () => {
    const world = severalWorld();
    await world.settle();
    world.setFailure = { reason: 'TargetUnreachable', message: 'no connection', outcomeUnknown: false };
    world.readings = { queue: value('900'), errors: value('-1') };
    world.nowMs += MINUTE;
    await world.settle();
    assert.deepEqual(await numbersOf(world), {
      ...ALL,
      'additional_metric_value queue': 900,
      'guard_value errors': -1,
      'guard_closed errors': 1,
    });
  });

  it('go with the metric or guard, and where the spec cannot be read', async () => {
    const world = severalWorld();
    await world.settle();
    const edited = (spec: unknown, generation: number): void => {
      const metadata = { ...posted().metadata, generation };
      world.live = { ...posted(spec, world.live?.status), metadata };
    };
    edited(wireSpec(), 2);
    await world.settle();
    assert.deepEqual(await numbersOf(world), { 'metric_weight spec.metrics': 16 });
    edited({}, 3);
    await world.settle();
    assert.deepEqual(await numbersOf(world), {});
  });

  it('take no name from a posted status', async () => {
    const world = rebalanceWorld();
    const forged = [{ name: 'forged', value: '1', at: '2026-03-04T12:00:00Z' }];
    await world.settle();
    await world.sync({
      ...posted(),
      status: { ...(world.live?.status as object), metrics: forged, guards: forged },
    });
    assert.deepEqual(await numbersOf(world), { 'metric_weight spec.metrics': 16 });
  });

  it('are no more than docs/reference/metrics.md says, with everything that one object can have', async () => {
    const world = rebalanceWorld();
    const eight = Array.from({ length: 8 }, (_, index) => `n${index}`);
    world.live = posted(
      wireSpec(
        {},
        {
          additionalMetrics: eight.map((name) => ({ name, targetValue: 100, prometheus: query(name) })),
          guards: eight.map((name) => ({ name, stops: 'Both', prometheus: query(name) })),
        },
      ),
    );
    world.readings = Object.fromEntries(eight.map((name) => [name, value('500')]));
    await world.settle();
    world.reading = value('1');
    world.readings = Object.fromEntries(eight.map((name) => [name, value('1')]));
    world.nowMs += MINUTE;
    await world.settle();
    const series = (await world.scrape()).split('\n').filter((line) => line.includes('namespace="default"'));
    const [, told] =
      /one Rebalance has (\d+) series at most/.exec(
        readFileSync(join(ROOT, 'docs/reference/metrics.md'), 'utf8'),
      ) ?? [];
    assert.ok(series.length >= 40 && series.length <= Number(told), `${series.length} of ${String(told)}`);
  });
});
