import { hpaRule, lawAsIs, movesOf, ours, runLoop, settledAfter, type Controller } from './loop.ts';

/**
 * `make control`: the same step of demand, 1000 -> 3000 at interval 50 with a reference of weight 64, under the original's
 * law taken for a load, HPA's rule on the whole set, and ours, for several plants. Deterministic: the table is the same on
 * every machine.
 */
const BASE = 64;
const STEP_AT = 50;

interface PlantRow {
  readonly name: string;
  readonly ttl: number;
  readonly window: number;
  readonly believedTtl?: number;
  readonly sticky?: number;
  readonly noise?: number;
}

const PLANTS: readonly PlantRow[] = [
  { name: 'TTL 1, window 1', ttl: 1, window: 1 },
  { name: 'TTL 5, window 1', ttl: 5, window: 1 },
  { name: 'TTL 5, window 5', ttl: 5, window: 5 },
  { name: 'TTL 10, window 0', ttl: 10, window: 0 },
  { name: 'TTL 5 believed 3', ttl: 5, window: 1, believedTtl: 3 },
  { name: 'TTL 5 believed 8', ttl: 5, window: 1, believedTtl: 8 },
  { name: '20% sticky', ttl: 5, window: 1, sticky: 0.2 },
  { name: 'noise 10%', ttl: 5, window: 1, noise: 0.1 },
];

function cell(plant: PlantRow, controller: Controller): string {
  const run = runLoop(
    {
      ...plant,
      demand: (interval) => (interval < STEP_AT ? 1000 : 3000),
      referenceWeight: BASE,
      initialWeight: 0,
      intervals: 250,
    },
    controller,
  );
  const { writes, reversals } = movesOf(run.weights);
  return `${settledAfter(run, STEP_AT) ?? 'never'} / ${reversals} / ${writes}`;
}

function line(cells: readonly string[]): string {
  return `${cells.map((text, index) => text.padEnd(index === 0 ? 18 : 18)).join('')}\n`;
}

const rows = PLANTS.map((plant) => [
  plant.name,
  cell(plant, lawAsIs(BASE)),
  cell(plant, hpaRule(BASE)),
  cell(plant, ours({ referenceWeight: BASE, ttl: plant.believedTtl ?? plant.ttl, window: plant.window })),
]);

process.stdout.write(
  'A load that reacts to the weight; step 1000 -> 3000. Intervals to settle / reversals / writes\n\n',
);
for (const cells of [['plant', 'law as is', "HPA's rule", 'signal: load'], ...rows])
  process.stdout.write(line(cells));
