/** What the Rebalances of one zone ask for. */
export interface ZoneDemand {
  /** How often each set is to be read, in milliseconds. */
  readonly intervalsMs: readonly number[];
  /** Calls that read the whole zone. */
  readonly pages: number;
}

export interface Supply {
  /** Requests a second. */
  readonly ratePerSecond: number;
  /** For how long a list is shared; 0: not at all. */
  readonly listWindowMs: number;
}

/** What lists may take of the rate; the rest is for changes, and for asking how far they have come. */
const LIST_SHARE = 2 / 3;
/** Intervals become shorter again only where that leaves so much of the lists' share free. */
const SLACK = 0.2;

const SECOND = 1_000;
/** Few and round, as they stand in conditions: 10 s to 24 h. */
const STEPS_MS: readonly number[] = [
  0, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 450, 600, 900, 1_200, 1_800, 2_700, 3_600, 7_200, 14_400,
  28_800, 86_400,
].map((seconds) => seconds * SECOND);

/**
 * The shortest interval at which all zones of an account can be read within its rate: 0 where each may have its own. Of
 * `currentMs`, the one in force, it goes down only with some room to spare, so that it does not go up and down.
 */
export function shortestIntervalMs(zones: readonly ZoneDemand[], supply: Supply, currentMs: number): number {
  const capacity = supply.ratePerSecond * LIST_SHARE;
  const fits = (stepMs: number): boolean => {
    const calls = zones.reduce((sum, zone) => sum + callsPerSecond(zone, stepMs, supply), 0);
    return calls <= (stepMs < currentMs ? capacity * (1 - SLACK) : capacity);
  };
  return STEPS_MS.find(fits) ?? Math.max(...STEPS_MS);
}

/** Each set by itself, or all pages in each window: whichever is less, as the lists are chosen. */
function callsPerSecond(
  { intervalsMs, pages }: ZoneDemand,
  stepMs: number,
  { listWindowMs }: Supply,
): number {
  const bySets = intervalsMs.reduce((sum, intervalMs) => sum + SECOND / Math.max(intervalMs, stepMs), 0);
  return listWindowMs === 0 ? bySets : Math.min(bySets, (pages * SECOND) / listWindowMs);
}
