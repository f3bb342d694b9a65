import { displayRational, type Rational } from '../foundation/rational.ts';
import type { Stage } from './decision.ts';

/** A stage that takes the weight so far and gives the next one; undefined: it does not apply, and leaves no number. */
export interface StageRule<Facts> {
  readonly stage: Stage;
  readonly apply: (wanted: Rational, facts: Facts) => Rational | undefined;
}

/** A weight on its way through the stages, with what each left behind. */
export interface Trail {
  readonly wanted: Rational;
  readonly stages: Readonly<Partial<Record<Stage, string>>>;
  readonly limitedBy: readonly Stage[];
}

/** A weight that no stage has touched yet. */
export function startTrail(wanted: Rational): Trail {
  return { wanted, stages: {}, limitedBy: [] };
}

/** Leaves a number without changing what is wanted. */
export function note(trail: Trail, stage: Stage, number: Rational): Trail {
  return { ...trail, stages: { ...trail.stages, [stage]: displayRational(number) } };
}

/** Runs the stages in order. One that changed the whole weight (not a fraction that rounds to the same) has bound. */
export function runStages<Facts>(rules: readonly StageRule<Facts>[], facts: Facts, start: Trail): Trail {
  return rules.reduce((trail, { stage, apply }) => {
    const wanted = apply(trail.wanted, facts);
    if (wanted === undefined) return trail;
    const bound = !wanted.ceil().equals(trail.wanted.ceil());
    return {
      ...note(trail, stage, wanted),
      wanted,
      limitedBy: bound ? [...trail.limitedBy, stage] : trail.limitedBy,
    };
  }, start);
}
