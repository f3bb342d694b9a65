import type { Fallback } from './decision.ts';
import type { Sample } from './sample.ts';
import type { OnFailure } from './spec.ts';
import type { RebalanceStatus } from './status.ts';

/** Where a sample leaves the counts of `onFailure`. */
export interface FailureCounts {
  /** Metric failures in a row: 0 after a usable sample, unchanged by an absent one; stops at threshold + 1. */
  readonly failures: number;
  /** undefined where the action is Hold. */
  readonly fallback: Fallback | undefined;
}

/**
 * Counts a sample. The fallback is entered when failures exceed the threshold, and left after threshold + 1 usable
 * samples in a row; an absent sample (noData: Hold) breaks neither row.
 */
export function countSample(status: RebalanceStatus, onFailure: OnFailure, sample: Sample): FailureCounts {
  const enough = onFailure.threshold + 1;
  const failures = Math.min(countFailures(status.failures ?? 0, sample), enough);
  if (onFailure.kind === 'Hold') return { failures, fallback: undefined };

  const before = status.decision?.fallback;
  if (before?.active !== true) return { failures, fallback: { active: failures >= enough, successes: 0 } };
  const successes = countSuccesses(before.successes, sample);
  return {
    failures,
    fallback: successes >= enough ? { active: false, successes: 0 } : { active: true, successes },
  };
}

function countFailures(failures: number, sample: Sample): number {
  switch (sample.kind) {
    case 'Usable':
      return 0;
    case 'Absent':
      return failures;
    case 'Failed':
      return failures + 1;
  }
}

function countSuccesses(successes: number, sample: Sample): number {
  switch (sample.kind) {
    case 'Usable':
      return successes + 1;
    case 'Absent':
      return successes;
    case 'Failed':
      return 0;
  }
}
