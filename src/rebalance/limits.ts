import { rational, type Rational } from '../foundation/rational.ts';
import type { Fallback } from './decision.ts';
import { activeFloor } from './schedule.ts';
import { runStages, type StageRule, type Trail } from './stages.ts';
import type { OnFailure, TargetTracking } from './spec.ts';
import type { WeightedSet } from './targets/port.ts';
import { weight, type Weight } from './weight.ts';

/** What may overrule the policy. */
export interface LimitFacts {
  readonly onFailure: OnFailure;
  readonly fallback: Fallback | undefined;
  readonly bounds: Bounds;
  readonly set: WeightedSet;
}

/** What the weight is kept within; `floor` says where `lowest` comes from. */
export interface Bounds {
  readonly lowest: Weight;
  readonly highest: Weight;
  readonly floor: 'Minimum' | 'Schedule';
}

/** The bounds at an instant: the highest of minimum and active floors, which maximum caps. */
export function boundsAt({ minimum, maximum, scheduled }: TargetTracking, atMs: number): Bounds {
  const scheduledFloor = activeFloor(scheduled, atMs) ?? 0;
  return {
    lowest: weight(Math.min(Math.max(minimum, scheduledFloor), maximum)),
    highest: maximum,
    floor: scheduledFloor > minimum ? 'Schedule' : 'Minimum',
  };
}

/** True where every record of the set but ours has weight 0, or none exists: then ours alone keeps the sum above 0. */
export function othersAreZero(set: WeightedSet): boolean {
  return set.others.every((record) => record.weight === 0);
}

/**
 * A write that made ours 0 is followed by a second look at the set, since another may have gone to 0 meanwhile. Weight 1
 * where the sum is 0 now, which Route 53 would answer as an equal split; else nothing is to be written.
 */
export function rescueFromAllZero(set: WeightedSet): Weight | undefined {
  return set.own.total === 0 && othersAreZero(set) ? weight(1) : undefined;
}

function applyFallback(wanted: Rational, { onFailure, fallback }: LimitFacts): Rational | undefined {
  if (onFailure.kind === 'Hold') return undefined;
  return fallback?.active === true ? rational(onFailure.weight) : wanted;
}

/** The nearest weight within bounds. */
export function withinBounds(wanted: Rational, bounds: Bounds): Rational {
  if (wanted.lt(bounds.lowest)) return rational(bounds.lowest);
  return wanted.gt(bounds.highest) ? rational(bounds.highest) : wanted;
}

function keepFromAllZero(wanted: Rational, { set }: LimitFacts): Rational {
  return wanted.equals(0) && othersAreZero(set) ? rational(set.own.total) : wanted;
}

const LIMITS: readonly StageRule<LimitFacts>[] = [
  { stage: 'fallback', apply: applyFallback },
  { stage: 'bounds', apply: (wanted, { bounds }) => withinBounds(wanted, bounds) },
];

/** Lets fallback and bounds overrule what the policy wants; ends at a whole number 0..255. */
export function runLimits(facts: LimitFacts, trail: Trail): Trail {
  return runStages(LIMITS, facts, trail);
}

/** Lets the rest of the set overrule a weight of 0, last of all. */
export function runSet(facts: LimitFacts, trail: Trail): Trail {
  return runStages([{ stage: 'set', apply: keepFromAllZero }], facts, trail);
}
