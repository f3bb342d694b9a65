import assert from 'node:assert/strict';
import { createDemand } from '../../../src/rebalance/targets/route53-demand.ts';
import { shortestIntervalMs, type ZoneDemand } from '../../../src/rebalance/targets/route53-pace.ts';
import { createVirtualTime } from '../../support/virtual-clock.ts';

const SUPPLY = { ratePerSecond: 3, listWindowMs: 5_000 };

function zones(count: number, sets: number, intervalMs: number, pages = 1): readonly ZoneDemand[] {
  return Array.from({ length: count }, () => ({
    intervalsMs: Array.from({ length: sets }, () => intervalMs),
    pages,
  }));
}

describe('the shortest interval for everybody', () => {
  const rows: readonly {
    readonly name: string;
    readonly zones: readonly ZoneDemand[];
    readonly currentMs?: number;
    readonly supply?: typeof SUPPLY;
    readonly expected: number;
  }[] = [
    { name: 'is any where nobody comes', zones: [], expected: 0 },
    { name: 'is any for 100 objects in 10 zones at a minute', zones: zones(10, 10, 60_000), expected: 0 },
    {
      name: 'is any for 200 objects of one zone at 10 s: its two pages serve all',
      zones: zones(1, 200, 10_000, 2),
      expected: 0,
    },
    {
      name: 'is 10 minutes for 1,000 objects in 250 zones: two lists a second',
      zones: zones(250, 4, 10_000),
      expected: 600_000,
    },
    {
      name: 'is counted set by set where lists are not shared',
      zones: zones(1, 200, 10_000, 2),
      supply: { ...SUPPLY, listWindowMs: 0 },
      expected: 120_000,
    },
    {
      name: 'leaves the intervals alone that are longer anyway',
      zones: zones(40, 10, 3_600_000),
      expected: 0,
    },
    {
      name: 'stays where a shorter one would only just do',
      zones: zones(250, 4, 10_000),
      currentMs: 900_000,
      expected: 900_000,
    },
    {
      name: 'goes down where a shorter one leaves room',
      zones: zones(250, 4, 10_000),
      currentMs: 1_200_000,
      expected: 900_000,
    },
    {
      name: 'ends at a day',
      zones: zones(1, 200_000, 10_000),
      supply: { ...SUPPLY, listWindowMs: 0 },
      expected: 86_400_000,
    },
  ];
  for (const { name, zones: asked, currentMs = 0, supply = SUPPLY, expected } of rows) {
    it(name, () => assert.equal(shortestIntervalMs(asked, supply, currentMs), expected));
  }
});

describe('the demand of an account', () => {
  it('is learned from who comes, counts each once, and forgets who stays away for three intervals', async () => {
    const time = createVirtualTime();
    const demand = createDemand({ ...SUPPLY, timer: time, pagesOf: () => 1 });
    const comeAll = (): void => {
      for (let index = 0; index < 58; index += 1)
        demand.note({ zoneId: `Z${index}`, id: 'a', intervalMs: 10_000 });
    };
    comeAll();
    comeAll();
    assert.equal(demand.shortestIntervalMs(), 30_000);
    await time.run(90_000);
    assert.equal(demand.shortestIntervalMs(), 30_000);
    await time.run(1_000);
    assert.equal(demand.shortestIntervalMs(), 0);
  });
});
