import { ONE, rational, ZERO, type Rational } from '../foundation/rational.ts';
import { note, runStages, startTrail, type StageRule, type Trail } from './stages.ts';
import type { TargetTracking } from './spec.ts';
import type { Weight } from './weight.ts';

/** What the policy itself decides on. */
export interface LawFacts {
  /** Total demand: the sample itself, or what a load signal says of it. */
  readonly demand: Rational;
  /** Weight of the reference record, 1..255. */
  readonly base: number;
  readonly policy: TargetTracking;
  /** What the policy last wanted, p. */
  readonly lastWanted: Weight;
}

/**
 * The original's law for total demand, in exact rationals: base x max(0, demand - target) / target. With two records it
 * makes the reference's share of the demand the target, since base/(base + w) x demand = target.
 */
export function rawWeight({ demand, base, policy }: LawFacts): Rational {
  const excess = demand.sub(policy.targetValue);
  return excess.lt(0) ? ZERO : rational(base).mul(excess).div(policy.targetValue);
}

/** | demand x base / ((base + p) x target) - 1 | <= tolerance: the last weight still balances the load, and is kept. */
function keepWithinTolerance(wanted: Rational, facts: LawFacts): Rational {
  const { demand, base, policy, lastWanted } = facts;
  const balanced = rational(base + lastWanted).mul(policy.targetValue);
  const error = demand.mul(base).div(balanced).sub(ONE).abs();
  return error.lte(usedTolerance(facts)) ? rational(lastWanted) : wanted;
}

/**
 * The tolerance in use: for an estimated demand never less than half a step of the weight, 1/(2(base + p)), as what lies
 * between two weights would otherwise be chased for ever.
 */
export function usedTolerance({ base, policy, lastWanted }: LawFacts): Rational {
  const halfStep = ONE.div(2 * (base + lastWanted));
  return policy.signal === 'Load' && policy.tolerance.lt(halfStep) ? halfStep : policy.tolerance;
}

/** A demand is rounded up, as the original does: the reference never carries more than the target. An estimate to nearest. */
function roundWeight(wanted: Rational, { policy }: LawFacts): Rational {
  return policy.signal === 'Load' ? wanted.round(0) : wanted.ceil();
}

const LAW: readonly StageRule<LawFacts>[] = [
  { stage: 'tolerance', apply: keepWithinTolerance },
  { stage: 'round', apply: roundWeight },
  {
    stage: 'scaleIn',
    apply: (wanted, { policy, lastWanted }) =>
      policy.disableScaleIn && wanted.lt(lastWanted) ? rational(lastWanted) : wanted,
  },
];

/** What the policy wants of the demand: a whole number, 0 or more, not yet within any bound. */
export function runLaw(facts: LawFacts): Trail {
  const raw = rawWeight(facts);
  const start = startTrail(raw);
  const told = facts.policy.signal === 'Load' ? note(start, 'demand', facts.demand) : start;
  return runStages(LAW, facts, note(told, 'raw', raw));
}
