import type { HoldReason } from '../reasons/decisions.ts';
import type { TargetTracking } from '../spec.ts';
import { filterDemand, filteredDemand } from './demand-filter.ts';
import type { ReferenceHistory, SignalMemory } from './history.ts';
import { doubtOfSeenShare, seenShare, ttlInForceMs, type ShareEntry } from './share-history.ts';

/** At most this part of the load predicted: the site may be dead; that is no sample, for as long as it lasts. */
const SILENT = 0.01;
/** Below this part a sample is not believed at once. */
const LOW = 0.2;
/** So many low samples in a row are held, then believed. */
const LOW_SAMPLES_HELD = 3;

/** What the demand is estimated from. */
export interface EstimateFacts {
  /** With the set as just read. */
  readonly shares: readonly ShareEntry[];
  readonly reference: ReferenceHistory | undefined;
  /** Before this sample. */
  readonly signal: SignalMemory;
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
export type DemandVerdict =
  | {
      readonly kind: 'Estimated';
      readonly demand: number;
      /** The share that the sample answered to. */
      readonly seenShare: number;
      readonly signal: SignalMemory;
    }
  /** Nothing to act on: `why` is a clause of the decision's because. */
  | {
      readonly kind: 'Held';
      readonly reason: HoldReason;
      readonly why: string;
      readonly signal: SignalMemory;
    };

/**
 * Estimates the demand behind a load: load / share seen, filtered. A reference that was changed by others lately, or is
 * silent, is held: silence is not low load.
 */
export function estimateDemand(facts: EstimateFacts): DemandVerdict {
  const { shares, signal, policy, load, base, intervalMs, windowMs, nowMs } = facts;
  const share = seenShare(shares, nowMs, windowMs);
  const low = judgeLow(signal, load, share);
  if (low !== undefined) return low;

  const target = policy.targetValue.valueOf();
  // One sample of 1e18 would otherwise hold the cap for fifty intervals.
  const highest = target * (1 + policy.maximum / base);
  const demand = Math.min(Math.max(0, load / share), highest);
  const doubt = doubtOfSeenShare(shares, nowMs, windowMs, intervalMs);
  const filter = filterDemand(signal.filter, { demand, doubt, target, intervalMs, nowMs });
  const isLow = isBelow(signal, load, share, LOW);
  const next = { ...signal, filter, lowSamples: isLow ? signal.lowSamples + 1 : 0 };
  const unsteady = judgeReference(facts);
  if (unsteady !== undefined) return { kind: 'Held', ...unsteady, signal: next };
  return { kind: 'Estimated', demand: filteredDemand(filter), seenShare: share, signal: next };
}

function judgeLow(signal: SignalMemory, load: number, share: number): DemandVerdict | undefined {
  const silent =
    share <= 0 || (signal.filter === undefined ? load <= 0 : isBelow(signal, load, share, SILENT));
  if (silent) {
    const why = 'the reference site shows next to no load, which may be an outage of it';
    return { kind: 'Held', reason: 'ReferenceSilent', why, signal };
  }
  if (!isBelow(signal, load, share, LOW) || signal.lowSamples >= LOW_SAMPLES_HELD) return undefined;
  const lowSamples = signal.lowSamples + 1;
  const why = `the load fell below a fifth of what was expected; after ${LOW_SAMPLES_HELD} such samples it is believed`;
  return { kind: 'Held', reason: 'LoadDropped', why, signal: { ...signal, lowSamples } };
}

/** Whether the load is at most `part` of what the filtered demand predicts for the share seen. */
function isBelow({ filter }: SignalMemory, load: number, share: number, part: number): boolean {
  return filter !== undefined && load <= part * filteredDemand(filter) * share;
}

function judgeReference({
  shares,
  reference,
  generation,
  windowMs,
  nowMs,
}: EstimateFacts): { readonly reason: HoldReason; readonly why: string } | undefined {
  if (reference?.steeredGeneration === generation)
    return {
      reason: 'ReferenceSteered',
      why: 'the weight of the reference record was changed three times in an hour: nobody may steer it; edit the spec to go on',
    };
  const changedMs = reference?.changedAtMs.at(-1);
  const settledMs = ttlInForceMs(shares, nowMs) + windowMs;
  if (changedMs === undefined || changedMs + settledMs <= nowMs) return undefined;
  return {
    reason: 'ReferenceChanged',
    why: 'the weight of the reference record was changed less than its TTL and the window ago',
  };
}
