import { stringify } from 'yaml';
import {
  hpaRule,
  lawAsIs,
  movesOf,
  ours,
  runLoop,
  settledAfter,
  TARGET,
  wireSpec,
  type Controller,
  type Run,
} from './loop.ts';
import {
  ALL_LAGS,
  BASE,
  beliefOf,
  irregularTrial,
  IRREGULARITIES,
  MISJUDGED,
  misjudgedTrial,
  noisyTrial,
  settlingBound,
  SOME_LAGS,
  STEP_AT,
  steadyTrial,
  stickyTrial,
  type Lag,
  type Trial,
} from './plants.ts';

/**
 * `make control`: the plants of numbers 2 to 4 under the original's law taken for a load, HPA's rule on the whole set, and
 * ours. Deterministic: the table is the same on every machine.
 */
const CONTROLLERS: readonly (readonly [name: string, create: (trial: Trial) => Controller])[] = [
  ['law as is', () => lawAsIs(BASE)],
  ["HPA's rule", () => hpaRule(BASE)],
  ['signal: load', (trial) => ours(beliefOf(trial))],
];

/** Short, long TTL, long both: where a row for each of `SOME_LAGS` would say no more. */
const LAGS: readonly Lag[] = [
  [1, 1],
  [5, 1],
  [5, 5],
];
const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);

type Row = readonly string[];

/** A cell for each controller. */
function rowOf(name: string, trial: Trial, tell: (run: Run) => string): Row {
  return [name, ...CONTROLLERS.map(([, create]) => tell(runLoop(trial.plant, create(trial))))];
}

/** "12 / 0 / 6": intervals to settle / reversals / writes. */
function tellSteps(run: Run): string {
  const { writes, reversals } = movesOf(run.weights);
  const settled = settledAfter(run, STEP_AT);
  return `${settled === undefined ? 'never' : Math.ceil(settled)} / ${reversals} / ${writes}`;
}

/** How many of number 2's plants are within its bounds. */
function withinBounds(course: 'up' | 'down' | 'ramp'): Row {
  const trials = ALL_LAGS.map((lag) => steadyTrial(course, lag));
  return [
    `all 65 pairs, ${course}`,
    ...CONTROLLERS.map(([, create]) => {
      const kept = trials.filter((trial) => {
        const run = runLoop(trial.plant, create(trial));
        const { reversals } = movesOf(run.weights);
        const settled = settledAfter(run, STEP_AT) ?? Infinity;
        return course === 'ramp'
          ? reversals === 0 && settled < Infinity
          : reversals <= 2 && settled <= settlingBound(trial);
      });
      return `${kept.length} within`;
    }),
  ];
}

/** Number 3: the worst of ten seeds. */
function noisyRow(demand: number, lag: Lag): Row {
  const trials = SEEDS.map((seed) => noisyTrial(demand, lag, seed));
  return [
    trials[0]?.name ?? '',
    ...CONTROLLERS.map(([, create]) => {
      const runs = trials.map((trial) => runLoop(trial.plant, create(trial)));
      const moves = runs.map(({ weights }) => movesOf(weights));
      const off = runs.map(({ loads }) => Math.abs(mean(loads) / TARGET - 1));
      const writes = Math.max(...moves.map((each) => each.writes));
      const reversals = Math.max(...moves.map((each) => each.reversals));
      return `${writes} / ${reversals} / ${(100 * Math.max(...off)).toFixed(1)}%`;
    }),
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

function print(title: string, rows: readonly Row[]): void {
  const line = (cells: Row): string =>
    cells
      .map((text, column) => text.padEnd(column === 0 ? 42 : 22))
      .join('')
      .trimEnd();
  const head = ['plant', ...CONTROLLERS.map(([name]) => name)];
  process.stdout.write(`${[title, '', line(head), ...rows.map(line)].join('\n')}\n\n`);
}

const steps = (trial: Trial): Row => rowOf(trial.name, trial, tellSteps);

process.stdout.write(`The spec of signal: load, but for the window of each plant:\n\n`);
process.stdout.write(`${stringify(wireSpec({ window: 1 }))}\n`);
print('Number 2: a demand x3, or a ramp of +10% an interval. Intervals to settle / reversals / writes', [
  ...(['up', 'down', 'ramp'] as const).flatMap((course) => [
    ...SOME_LAGS.map((lag) => steps(steadyTrial(course, lag))),
    withinBounds(course),
  ]),
]);
print(
  'Number 3: noise 10%, 300 intervals, the worst of ten seeds. Writes / reversals / mean load off target',
  [...[1000, 1200, 1500, 3000].flatMap((demand) => LAGS.map((lag) => noisyRow(demand, lag)))],
);
print('Number 4: 20% sticky clients, TTL 5. Intervals to settle / reversals / writes', [
  ...(['up', 'down'] as const).flatMap((course) =>
    [0, 1, 5].flatMap((window) =>
      [2, 3, 5, 8].map((believed) => steps(stickyTrial(course, window, believed))),
    ),
  ),
]);
print('Number 4: the record says another TTL. Intervals to settle / reversals / writes', [
  ...MISJUDGED.flatMap((by) => LAGS.map((lag) => steps(misjudgedTrial('up', lag, by)))),
]);
print('Number 4: irregular evaluation times. Intervals to settle / reversals / writes', [
  ...IRREGULARITIES.flatMap((irregularity) =>
    LAGS.map((lag) => steps(irregularTrial('up', lag, irregularity))),
  ),
]);
