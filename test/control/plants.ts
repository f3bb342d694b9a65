import type { LoopOptions, OursOptions } from './loop.ts';

/**
 * The plants of numbers 2 to 4, in one place for the tests that hold ours to its bounds and for the table that shows all
 * three controllers side by side.
 */
export interface Trial {
  readonly name: string;
  readonly plant: LoopOptions;
  /** What the record says, which clients need not keep to; in intervals. */
  readonly believedTtl: number;
  /** What the spec says, where that is not the window of the query. */
  readonly believedWindow?: number;
}

/** Weight of the reference record. */
export const BASE = 64;
/** Demand changes at this interval. */
export const STEP_AT = 50;
/** The weight that brings a demand of 3000 to the target of 1000. */
export const BALANCED = 128;
const NOISY_INTERVALS = 300;

type Demand = LoopOptions['demand'];

const DEMANDS = {
  up: (interval) => (interval < STEP_AT ? 1000 : 3000),
  down: (interval) => (interval < STEP_AT ? 3000 : 1000),
  ramp: (interval) => (interval < STEP_AT ? 1000 : Math.min(3000, 1000 * 1.1 ** (interval - STEP_AT))),
} as const satisfies Record<string, Demand>;
export type Course = keyof typeof DEMANDS;

const TICKS = 20;

/** TTL of the record and window of the query, in intervals. */
export type Lag = readonly [ttl: number, window: number];

/** Every pair of whole TTL and window whose sum is 1..10. */
export const ALL_LAGS: readonly Lag[] = Array.from({ length: 11 }, (_, ttl) =>
  Array.from({ length: 11 - ttl }, (__, window): Lag => [ttl, window]),
)
  .flat()
  .filter(([ttl, window]) => ttl + window > 0);

/** A few of them: without lag, the one or the other alone, short, long. */
export const SOME_LAGS: readonly Lag[] = [
  [1, 0],
  [0, 1],
  [1, 1],
  [2, 2],
  [5, 1],
  [1, 5],
  [5, 5],
  [3, 7],
  [10, 0],
];

/** What our controller is told of a plant. */
export function beliefOf({ believedTtl, believedWindow, plant }: Trial): OursOptions {
  return { referenceWeight: BASE, ttl: believedTtl, window: believedWindow ?? plant.window };
}

/** Number 2: a demand that takes a course, without noise, on a plant that is what the controller believes. */
export function steadyTrial(course: Course, [ttl, window]: Lag): Trial {
  return {
    name: `TTL ${ttl}, window ${window}, ${course}`,
    believedTtl: ttl,
    plant: {
      ttl,
      window,
      referenceWeight: BASE,
      initialWeight: course === 'down' ? BALANCED : 0,
      demand: DEMANDS[course],
      intervals: 250,
    },
  };
}

/** Number 2: intervals until the load must stay within a tenth of the target. */
export function settlingBound({ plant: { ttl, window } }: Trial): number {
  return 2 * (ttl + window) + 5;
}

/** Number 3: a demand that stands still, balanced, under samples with a noise of 10%. */
export function noisyTrial(demand: number, [ttl, window]: Lag, seed: number): Trial {
  return {
    name: `TTL ${ttl}, window ${window}, demand ${demand}`,
    believedTtl: ttl,
    plant: {
      ttl,
      window,
      referenceWeight: BASE,
      initialWeight: Math.round(BASE * (demand / 1000 - 1)),
      demand: () => demand,
      noise: 0.1,
      seed,
      intervals: NOISY_INTERVALS,
    },
  };
}

/** By which part a TTL is misjudged; in number 4. */
export const MISJUDGED = [0.4, 1.6];

/** Number 4: the record says another TTL than clients keep to. */
export function misjudgedTrial(course: Course, lag: Lag, by: number): Trial {
  const trial = steadyTrial(course, lag);
  const believedTtl = lag[0] * by;
  return { ...trial, name: `${trial.name}, believed TTL ${believedTtl}`, believedTtl };
}

/** Number 4: a fifth of the clients keeps an address for ten TTL of 5, and the record says another TTL than clients keep to. */
export function stickyTrial(course: Exclude<Course, 'ramp'>, window: number, believedTtl: number): Trial {
  const { name, plant } = steadyTrial(course, [5, window]);
  return {
    name: `${name}, believed TTL ${believedTtl}`,
    believedTtl,
    plant: { ...plant, sticky: 0.2, intervals: 300 },
  };
}

const EVERY = Array.from({ length: 300 }, (_, index) => index + 1);

/** Times of evaluation, in intervals, that are not one each interval. */
const IRREGULAR: Readonly<Record<string, readonly number[]>> = {
  jittered: EVERY.map((time) => time + 0.3 * Math.sin(time * 7.3)),
  'missed every third': EVERY.filter((time) => time % 3 !== 0),
  '2.5 intervals apart': EVERY.map((time) => time * 2.5).filter((time) => time <= EVERY.length),
  'doubled every fourth': EVERY.flatMap((time) => (time % 4 === 0 ? [time, time] : [time])),
};
export const IRREGULARITIES = Object.keys(IRREGULAR);

/** Number 4: a step of demand, evaluated at irregular times. */
export function irregularTrial(course: Course, lag: Lag, irregularity: string): Trial {
  const { name, plant, believedTtl } = steadyTrial(course, lag);
  const evaluateAt = IRREGULAR[irregularity] ?? EVERY;
  return {
    name: `${name}, ${irregularity}`,
    believedTtl,
    plant: { ...plant, intervals: EVERY.length, ticksPerInterval: 10, evaluateAt },
  };
}

/**
 * Number 2 as a real Prometheus has it: scrapes that come late, evaluations that drift past them, resolvers that keep an
 * answer shorter or longer than its TTL of 2, a gauge whose window says the interval of its scrapes. The demand is 3000
 * from the start, and the weight 0.
 */
export const LATE_TRIALS: readonly Trial[] = [1.5, 2, 2.5].flatMap((ttl) =>
  [0, 0.1, 0.3, 0.5].flatMap((delay) =>
    [1, 1.05, 1.1].flatMap((period) =>
      [0, 0.3, 0.7].map((phase) => lateTrial({ ttl, delay, period, phase })),
    ),
  ),
);

/** In intervals. */
interface Lateness {
  readonly ttl: number;
  readonly delay: number;
  readonly period: number;
  readonly phase: number;
}

function lateTrial({ ttl, delay, period, phase }: Lateness): Trial {
  const { plant } = steadyTrial('up', [ttl, 0]);
  return {
    name: `clients' TTL ${ttl}, scrapes ${delay} late, evaluated each ${period} from ${1 + phase}`,
    believedTtl: 2,
    believedWindow: 1,
    plant: {
      ...plant,
      demand: () => 3000,
      scrape: { every: 1, delay },
      ticksPerInterval: TICKS,
      intervals: 60,
      evaluateAt: EVERY.map((index) => (index - 1) * period + 1 + phase).filter((time) => time <= 60),
    },
  };
}
