import type { HoldReason } from '../reasons.ts';
import type { TargetTracking } from '../spec.ts';
import { filterDemand, filteredDemand } from './demand-filter.ts';
import type { History, ReferenceHistory } from './history.ts';
import { doubtOfSeenShare, seenShare, ttlInForceMs } from './share-history.ts';

/** At most this part of the load predicted: the site may be dead; that is no sample, for as long as it lasts. */
const SILENT = 0.01;
/** Below this part a sample is not believed at once. */
const LOW = 0.2;
/** So many low samples in a row are held, then believed. */
const LOW_SAMPLES_HELD = 3;

export interface EstimateInput {
  /** With the set as just read. */
  readonly history: History;
  readonly policy: TargetTracking;
  /** The sample: the load of the reference site. */
  readonly load: number;
  /** Weight of the reference record. */
  readonly base: number;
  readonly generation: number;
  readonly intervalMs: number;
  readonly windowMs: number;
  readonly nowMs: number;
}

/** What a load of the reference site says about the total demand. */
export type DemandEstimate =
  | {
      readonly kind: 'Estimated';
      readonly demand: number;
      /** The share that the sample answered to. */
      readonly seenShare: number;
      readonly history: History;
    }
  /** Nothing to act on: `why` is a clause of the decision's because. */
  | { readonly kind: 'Held'; readonly reason: HoldReason; readonly why: string; readonly history: History };

/**
 * Estimates the demand behind a load: load / share seen, filtered. A reference that was changed by others lately, or is
 * silent, is held: silence is not low load.
 */
export function estimateDemand(input: EstimateInput): DemandEstimate {
  const { history, policy, load, base, intervalMs, windowMs, nowMs } = input;
  const share = seenShare(history.shares, nowMs, windowMs);
  const low = judgeLow(history, load, share);
  if (low !== undefined) return low;

  const target = policy.targetValue.valueOf();
  // One sample of 1e18 would otherwise hold the cap for fifty intervals.
  const highest = target * (1 + policy.maximum / base);
  const demand = Math.min(Math.max(0, load / share), highest);
  const doubt = doubtOfSeenShare(history.shares, nowMs, windowMs, intervalMs);
  const filter = filterDemand(history.filter, { demand, doubt, target, intervalMs, nowMs });
  const isLow = isBelow(history, load, share, LOW);
  const next = { ...history, filter, lowSamples: isLow ? history.lowSamples + 1 : 0 };
  const unsteady = judgeReference(next.reference, input);
  if (unsteady !== undefined) return { kind: 'Held', ...unsteady, history: next };
  return { kind: 'Estimated', demand: filteredDemand(filter), seenShare: share, history: next };
}

function judgeLow(history: History, load: number, share: number): DemandEstimate | undefined {
  const silent =
    share <= 0 || (history.filter === undefined ? load <= 0 : isBelow(history, load, share, SILENT));
  if (silent) {
    const why = 'the reference site shows next to no load, which may be an outage of it';
    return { kind: 'Held', reason: 'ReferenceSilent', why, history };
  }
  if (!isBelow(history, load, share, LOW) || history.lowSamples >= LOW_SAMPLES_HELD) return undefined;
  const lowSamples = history.lowSamples + 1;
  const why = `the load fell below a fifth of what was expected; after ${LOW_SAMPLES_HELD} such samples it is believed`;
  return { kind: 'Held', reason: 'LoadDropped', why, history: { ...history, lowSamples } };
}

/** Whether the load is at most `part` of what the filtered demand predicts for the share seen. */
function isBelow({ filter }: History, load: number, share: number, part: number): boolean {
  return filter !== undefined && load <= part * filteredDemand(filter) * share;
}

function judgeReference(
  reference: ReferenceHistory | undefined,
  { history, generation, windowMs, nowMs }: EstimateInput,
): { readonly reason: HoldReason; readonly why: string } | undefined {
  if (reference?.steeredGeneration === generation)
    return {
      reason: 'ReferenceSteered',
      why: 'the weight of the reference record was changed three times in an hour: nobody may steer it; edit the spec to go on',
    };
  const changedMs = reference?.changedAtMs.at(-1);
  const settledMs = ttlInForceMs(history.shares, nowMs) + windowMs;
  if (changedMs === undefined || changedMs + settledMs <= nowMs) return undefined;
  return {
    reason: 'ReferenceChanged',
    why: 'the weight of the reference record was changed less than its TTL and the window ago',
  };
}
