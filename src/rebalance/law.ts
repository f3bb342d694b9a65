import { ONE, rational, ZERO, type Rational } from '../foundation/rational.ts';
import { note, runStages, startTrail, type StageRule, type Trail } from './stages.ts';
import type { TargetTracking } from './spec.ts';
import type { Weight } from './weight.ts';

/** What the policy itself decides on. */
export interface LawFacts {
  /** The sample, m. */
  readonly load: Rational;
  /** Weight of the reference record, 1..255. */
  readonly base: number;
  readonly policy: TargetTracking;
  /** What the policy last wanted, p. */
  readonly lastWanted: Weight;
}

/**
 * The original's law for a metric that measures total demand, in exact rationals: base x max(0, m - target) / target.
 * With two records it makes the reference's share of the demand the target, since base/(base + w) x m = target.
 */
export function rawWeight({ load, base, policy }: LawFacts): Rational {
  const excess = load.sub(policy.targetValue);
  return excess.lt(0) ? ZERO : rational(base).mul(excess).div(policy.targetValue);
}

/** | m x base / ((base + p) x target) - 1 | <= tolerance: the last weight still balances the load, and is kept. */
function keepWithinTolerance(wanted: Rational, { load, base, policy, lastWanted }: LawFacts): Rational {
  const balanced = rational(base + lastWanted).mul(policy.targetValue);
  const error = load.mul(base).div(balanced).sub(ONE).abs();
  return error.lte(policy.tolerance) ? rational(lastWanted) : wanted;
}

const LAW: readonly StageRule<LawFacts>[] = [
  { stage: 'tolerance', apply: keepWithinTolerance },
  { stage: 'round', apply: (wanted) => wanted.ceil() },
  {
    stage: 'scaleIn',
    apply: (wanted, { policy, lastWanted }) =>
      policy.disableScaleIn && wanted.lt(lastWanted) ? rational(lastWanted) : wanted,
  },
];

/** What the policy wants of the load: a whole number, 0 or more, not yet within any bound. */
export function runLaw(facts: LawFacts): Trail {
  const raw = rawWeight(facts);
  return runStages(LAW, facts, note(startTrail(raw), 'raw', raw));
}
