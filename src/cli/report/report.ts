import type { Run } from '../replay/run.ts';
import { summarize, type Summary } from '../replay/summary.ts';

/** What backtest and simulate tell, whatever the form. */
export interface Report {
  readonly title: string;
  /** A sentence each. */
  readonly measured: readonly string[];
  readonly modelled: readonly string[];
  /** The metric as it was recorded, at each moment, where the runs saw another one. */
  readonly recorded: readonly (number | undefined)[] | undefined;
  /** Where time is counted in intervals, how long one is; undefined where it is that of the calendar. */
  readonly intervalMs: number | undefined;
  /** One, or two to compare; over the same moments. */
  readonly runs: readonly Told[];
}

export interface Told {
  readonly run: Run;
  readonly summary: Summary;
}

export function tell(run: Run): Told {
  return { run, summary: summarize(run) };
}
