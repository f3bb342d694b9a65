/**
 * Two sites behind weighted DNS, for simulations and the closed-loop tests: deterministic, seeded, independent - this file
 * imports nothing, so that no shared mistake can make controller and plant agree.
 *
 * Time runs in ticks, `ticksPerInterval` of them to an interval of the controller. At each tick the clients' share of our
 * site is the mean of the published share over the last TTL (resolvers expire evenly spread), a fraction `sticky` of
 * them over ten TTL; the reference site carries the rest of the demand; one sample of its load is taken with
 * multiplicative Gaussian noise; the metric is the mean of the samples in the window.
 */
export interface PlantOptions {
  /** Total demand at a time in intervals. */
  readonly demand: (interval: number) => number;
  /** Weight of the reference record, which nobody steers. */
  readonly referenceWeight: number;
  /** Our weight before the first tick. */
  readonly initialWeight: number;
  /** Time to live of the record, in intervals; 0 = clients follow at once. */
  readonly ttl: number;
  /** Window of the query, in intervals; 0 = the latest sample. */
  readonly window: number;
  /** Fraction of clients who keep an address for ten TTL. */
  readonly sticky?: number;
  /** Standard deviation of a sample, relative to the load. */
  readonly noise?: number;
  readonly seed?: number;
  readonly ticksPerInterval?: number;
}

export interface Plant {
  /** Lets one tick pass and takes one sample. */
  tick(): void;
  /** Time since the start, in intervals. */
  interval(): number;
  /** What the query answers now. */
  metric(): number;
  /** The true load of the reference site at the last tick, without noise. */
  referenceLoad(): number;
  /** Total demand at the last tick. */
  demand(): number;
  /** Sets our weight in DNS, from the next tick on. */
  publish(weight: number): void;
  /** Our weight in DNS. */
  published(): number;
}

/** Builds a plant whose past is `initialWeight` for ever. */
export function createPlant(options: PlantOptions): Plant {
  const { ticksPerInterval = 1, sticky = 0, noise = 0, ttl, window } = options;
  const gauss = gaussian(options.seed ?? 1);
  const shareOf = (weight: number): number => weight / (weight + options.referenceWeight);
  const ttlTicks = Math.max(1, Math.round(ttl * ticksPerInterval));
  const windowTicks = Math.max(1, Math.round(window * ticksPerInterval));
  const shares: number[] = new Array<number>(ttlTicks * 10).fill(shareOf(options.initialWeight));
  const samples: number[] = [];
  let ticks = 0;
  let weight = options.initialWeight;
  let load = 0;

  return {
    tick() {
      const quick = meanOfLast(shares, ttlTicks);
      const clients =
        sticky === 0 ? quick : (1 - sticky) * quick + sticky * meanOfLast(shares, ttlTicks * 10);
      load = options.demand(ticks / ticksPerInterval) * (1 - clients);
      samples.push(Math.max(0, load * (1 + noise * gauss())));
      shares.push(shareOf(weight));
      shares.shift();
      if (samples.length > windowTicks) samples.shift();
      ticks += 1;
    },
    interval: () => ticks / ticksPerInterval,
    metric: () => meanOfLast(samples, windowTicks),
    referenceLoad: () => load,
    demand: () => options.demand(Math.max(0, ticks - 1) / ticksPerInterval),
    publish(next) {
      weight = next;
      // The share of a tick is the one in force at its end: a hook that runs after the sample of this tick changes it.
      shares[shares.length - 1] = shareOf(weight);
    },
    published: () => weight,
  };
}

function meanOfLast(values: readonly number[], count: number): number {
  const last = values.slice(-count);
  return last.reduce((sum, value) => sum + value, 0) / last.length;
}

/** Standard normal numbers by Box and Muller over mulberry32, a small seeded generator with a period of 2^32. */
function gaussian(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
