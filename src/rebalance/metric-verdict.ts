import { rational, type Rational } from '../foundation/rational.ts';
import type { Result } from '../foundation/result.ts';
import type { FollowedMetric } from './followed-metrics.ts';
import { runLaw, usedTolerance } from './law.ts';
import { estimateDemand } from './load/estimate.ts';
import type { History, SignalMemory } from './load/history.ts';
import { probeSignal } from './load/probe.ts';
import { seenShare } from './load/share-history.ts';
import type { HoldReason } from './reasons/decisions.ts';
import type { ReferenceProblem } from './reference.ts';
import type { Sample } from './sample.ts';
import type { Trail } from './stages.ts';
import type { Weight } from './weight.ts';

/** What one metric asks for. */
export type MetricVerdict = TrackedMetric | HeldMetric;

/** The law was run: `trail` ends at the weight that the metric asks for. */
export interface TrackedMetric {
  readonly kind: 'Tracked';
  /** undefined: that of spec.metrics. */
  readonly name: string | undefined;
  readonly trail: Trail;
  /** The sample. */
  readonly metric: Rational;
  readonly demand: Rational;
  readonly targetValue: Rational;
  /** The reference's share that a load signal answered to; undefined for a demand signal. */
  readonly seenShare: number | undefined;
  readonly base: number;
  /** The tolerance in use. */
  readonly tolerance: Rational;
  readonly signal: SignalMemory;
}

/** There is nothing to decide on; `why` is a clause of the decision's because. */
export interface HeldMetric {
  readonly kind: 'Held';
  readonly name: string | undefined;
  readonly reason: HoldReason;
  readonly why: string;
  readonly signal: SignalMemory;
}

/** What the metrics of one decision have in common. */
export interface MetricFacts {
  /** With the set as just read. */
  readonly history: History;
  readonly base: Result<number, ReferenceProblem>;
  /** What the policy last wanted, p. */
  readonly lastWanted: Weight;
  readonly generation: number;
  /** The interval in use. */
  readonly intervalMs: number;
  readonly nowMs: number;
}

/** Runs the law on one metric; `signal` is what is known of it. */
export function judgeMetric(
  followed: FollowedMetric,
  sample: Sample,
  signal: SignalMemory,
  facts: MetricFacts,
): MetricVerdict {
  const { name, policy } = followed;
  const hold = (reason: HoldReason, why: string): HeldMetric => ({ kind: 'Held', name, reason, why, signal });
  if (sample.kind === 'Absent') return hold('HeldWithoutData', `the query gave no number (${sample.reason})`);
  if (sample.kind === 'Failed') return hold('HeldOnFailure', `the metric failed (${sample.reason})`);
  if (!facts.base.ok) return hold(facts.base.error.reason, facts.base.error.why);
  const base = facts.base.value;
  const reading = readDemand({ followed, value: sample.value, signal, base }, facts);
  if (reading.kind === 'Held') return { ...reading, name };

  const { demand } = reading;
  const law = { demand, base, policy, lastWanted: facts.lastWanted };
  return {
    ...reading,
    kind: 'Tracked',
    name,
    trail: runLaw(law),
    metric: sample.value,
    targetValue: policy.targetValue,
    base,
    tolerance: usedTolerance(law),
  };
}

interface Measured {
  readonly followed: FollowedMetric;
  readonly value: Rational;
  readonly signal: SignalMemory;
  readonly base: number;
}

type DemandReading =
  | {
      readonly kind: 'Read';
      readonly demand: Rational;
      readonly seenShare: number | undefined;
      readonly signal: SignalMemory;
    }
  | Omit<HeldMetric, 'name'>;

/** The total demand: a demand signal is it, a load signal is what the reference's share of it was. */
function readDemand({ followed, value, signal, base }: Measured, facts: MetricFacts): DemandReading {
  const { policy, metric } = followed;
  const { windowMs } = metric;
  const { history, generation, intervalMs, nowMs } = facts;
  const { shares, reference } = history;
  const load = value.valueOf();
  if (policy.signal === 'Demand') {
    const probe = probeSignal(signal.probe, load, seenShare(shares, nowMs, windowMs));
    return { kind: 'Read', demand: value, seenShare: undefined, signal: { ...signal, probe } };
  }
  const measured = { shares, reference, signal, policy, load, base };
  const estimate = estimateDemand({ ...measured, generation, intervalMs, windowMs, nowMs });
  if (estimate.kind === 'Held') return estimate;
  return { ...estimate, kind: 'Read', demand: rational(estimate.demand) };
}
