import { rational, type Rational } from '../foundation/rational.ts';
import { estimateDemand } from './load/estimate.ts';
import { readHistory } from './load/history-status.ts';
import type { History } from './load/history.ts';
import { probeSignal } from './load/probe.ts';
import { rememberSet, type SetFacts } from './load/remember.ts';
import { seenShare } from './load/share-history.ts';
import { runLaw, usedTolerance } from './law.ts';
import type { Recollection } from './recall.ts';
import type { HoldReason } from './reasons.ts';
import { baseOf } from './reference.ts';
import type { Sample } from './sample.ts';
import { note, startTrail, type Trail } from './stages.ts';

/** What the policy made of a sample. */
export type PolicyVerdict =
  | {
      readonly kind: 'Tracked';
      readonly trail: Trail;
      /** The sample. */
      readonly metric: Rational;
      readonly demand: Rational;
      /** The reference's share that a load signal answered to; undefined for a demand signal. */
      readonly seenShare: number | undefined;
      readonly base: number;
      /** The tolerance in use. */
      readonly tolerance: Rational;
      readonly history: History;
    }
  /** It had nothing to decide on and stays where it is; `why` is a clause of the decision's because. */
  | {
      readonly kind: 'Held';
      readonly trail: Trail;
      readonly reason: HoldReason;
      readonly why: string;
      readonly history: History;
    };

export interface PolicyInput extends SetFacts {
  readonly sample: Sample;
}

/** Runs the law on a usable sample; without one, or without a base, holds what the recollection says. */
export function runPolicy(input: PolicyInput, memory: Recollection): PolicyVerdict {
  const { spec, sample } = input;
  const remembered = rememberSet(readHistory(input.status.history), input);
  const hold = (reason: HoldReason, why: string, history: History = remembered): PolicyVerdict => ({
    kind: 'Held',
    trail: startTrail(rational(memory.withoutSample)),
    reason,
    why,
    history,
  });
  if (sample.kind === 'Absent') return hold('HeldWithoutData', `the query gave no number (${sample.reason})`);
  if (sample.kind === 'Failed') return hold('HeldOnFailure', `the metric failed (${sample.reason})`);
  const base = baseOf(spec, input.set);
  if (!base.ok) return hold(base.error.reason, base.error.why);
  const reading = readDemand(input, sample.value, base.value, remembered);
  if (reading.kind === 'Held') return hold(reading.reason, reading.why, reading.history);

  const { demand, seenShare: share, history } = reading;
  const { policy } = spec;
  const facts = { demand, base: base.value, policy, lastWanted: memory.lastWanted };
  const trail = runLaw(facts);
  return {
    kind: 'Tracked',
    trail: share === undefined ? trail : note(trail, 'demand', demand),
    metric: sample.value,
    demand,
    seenShare: share,
    base: base.value,
    tolerance: usedTolerance(facts),
    history,
  };
}

type DemandReading =
  | {
      readonly kind: 'Read';
      readonly demand: Rational;
      readonly seenShare: number | undefined;
      readonly history: History;
    }
  | { readonly kind: 'Held'; readonly reason: HoldReason; readonly why: string; readonly history: History };

/** The total demand: a demand signal is it, a load signal is what the reference's share of it was. */
function readDemand(input: PolicyInput, metric: Rational, base: number, history: History): DemandReading {
  const { spec, generation, intervalMs, nowMs } = input;
  const { policy } = spec;
  const { windowMs } = spec.metric;
  const load = metric.valueOf();
  if (policy.signal === 'Demand') {
    const probe = probeSignal(history.probe, load, seenShare(history.shares, nowMs, windowMs));
    return { kind: 'Read', demand: metric, seenShare: undefined, history: { ...history, probe } };
  }
  const estimate = estimateDemand({ history, policy, load, base, generation, intervalMs, windowMs, nowMs });
  if (estimate.kind === 'Held') return estimate;
  return { ...estimate, kind: 'Read', demand: rational(estimate.demand) };
}
