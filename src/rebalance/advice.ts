import { looksLikeLoad } from './load/probe.ts';
import type { PolicyVerdict } from './policy.ts';
import { ADVICE_REASONS, type AdviceReason } from './reasons/advice.ts';
import { findReference } from './reference.ts';
import type { RebalanceSpec } from './spec.ts';
import type { WeightedSet } from './targets/port.ts';
import { recordsOf, ttlOf } from './weighted-set.ts';

/** What advice depends on. */
export interface AdviceFacts {
  readonly spec: RebalanceSpec;
  readonly set: WeightedSet;
  readonly policy: PolicyVerdict;
  /** The interval in use. */
  readonly intervalMs: number;
}

/** What of a valid configuration will not do what it is meant to: every advice that applies, the most telling first. */
export function adviceOf(facts: AdviceFacts): readonly AdviceReason[] {
  return ADVICE_ORDER.filter((reason) => APPLIES[reason](facts));
}

/** All advice in one line: the reason of each, and what to do. */
export function describeAdvice(advice: readonly AdviceReason[]): string {
  return advice.map((reason) => `${reason}: ${ADVICE_REASONS[reason]}`).join('; ');
}

const ADVICE_ORDER = Object.keys(ADVICE_REASONS) as AdviceReason[];

const APPLIES = {
  SignalLooksLikeLoad: ({ spec, policy }) =>
    spec.policy.signal === 'Demand' && policy.history.signals.some(({ probe }) => looksLikeLoad(probe)),
  BaseValueDiffers: ({ spec, set }) => baseValueDiffers(spec, set),
  TargetOutOfReach: ({ spec, policy }) =>
    policy.kind === 'Tracked' && policy.trail.wanted.gt(spec.policy.maximum),
  IntervalBelowTtl: ({ spec, set, intervalMs }) =>
    spec.policy.signal === 'Load' && intervalMs < ttlOf(set) / 2,
  StepCoarserThanTolerance: ({ spec, policy }) =>
    spec.policy.signal === 'Load' && policy.kind === 'Tracked' && policy.tolerance.gt(spec.policy.tolerance),
  DisableScaleInWithoutWindow: ({ spec }) =>
    spec.policy.disableScaleIn && (spec.behavior?.increase.stabilisationMs ?? 0) === 0,
  AliasMixed: ({ set }) => new Set(recordsOf(set).map(({ ttlSeconds }) => ttlSeconds === undefined)).size > 1,
  SiblingsHealthChecked: ({ set }) => recordsOf(set).some(({ healthChecked }) => healthChecked),
} as const satisfies Record<AdviceReason, (facts: AdviceFacts) => boolean>;

/** Where several records are steered each has a part of the reference as its base, so only a pair can be judged. */
function baseValueDiffers(spec: RebalanceSpec, set: WeightedSet): boolean {
  const { baseValue } = spec.policy;
  const reference = findReference(spec, set);
  return (
    baseValue !== undefined && set.others.length === 1 && reference.ok && reference.value.weight !== baseValue
  );
}
