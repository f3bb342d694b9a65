import type { Fallback } from './decision.ts';
import { overallKind, type Sample, type Samples } from './sample.ts';
import type { OnFailure } from './spec.ts';
import type { RebalanceStatus } from './status.ts';

/** Where a sample leaves the counts of `onFailure`. */
export interface FailureCounts {
  /** Metric failures in a row: 0 after a usable sample of any metric, unchanged by absent ones; stops at threshold + 1. */
  readonly failures: number;
  /** undefined where the action is Hold. */
  readonly fallback: Fallback | undefined;
}

/**
 * Counts an evaluation's samples, as `overallKind` sums them up: as long as one metric is usable there is something to
 * decide on, and the fallback is for nothing else. It is entered when failures exceed the threshold, and left after
 * threshold + 1 usable samples in a row; an absent sample (noData: Hold) breaks neither row.
 */
export function countSamples(status: RebalanceStatus, onFailure: OnFailure, samples: Samples): FailureCounts {
  const kind = overallKind(samples);
  const enough = onFailure.threshold + 1;
  const failures = Math.min(countFailures(status.failures ?? 0, kind), enough);
  if (onFailure.kind === 'Hold') return { failures, fallback: undefined };

  const before = status.decision?.fallback;
  if (before?.active !== true) return { failures, fallback: { active: failures >= enough, successes: 0 } };
  const successes = countSuccesses(before.successes, kind);
  return {
    failures,
    fallback: successes >= enough ? { active: false, successes: 0 } : { active: true, successes },
  };
}

function countFailures(failures: number, kind: Sample['kind']): number {
  switch (kind) {
    case 'Usable':
      return 0;
    case 'Absent':
      return failures;
    case 'Failed':
      return failures + 1;
  }
}

function countSuccesses(successes: number, kind: Sample['kind']): number {
  switch (kind) {
    case 'Usable':
      return successes + 1;
    case 'Absent':
      return successes;
    case 'Failed':
      return 0;
  }
}
