import type { TargetTracking } from '../spec.ts';
import { weight, type Weight } from '../weight.ts';

export interface KeptFacts {
  /** What the policy asks for now, and what it last wanted. */
  readonly wanted: Weight;
  readonly lastWanted: Weight;
  /** After fallback and bounds, before `behavior`. */
  readonly bounded: Weight;
  /** After the stabilisation windows; undefined: they did not run. */
  readonly stabilised: Weight | undefined;
  /** The lower bound in force. */
  readonly lowest: Weight;
}

/**
 * What the policy is said to have wanted, p. One that never lowers its weight would keep each peak of a noisy metric, so it
 * keeps only as much of a rise as the increase window let through; what a floor holds up is none of it.
 */
export function keptWeight({ disableScaleIn }: TargetTracking, facts: KeptFacts): Weight {
  const { wanted, lastWanted, bounded, stabilised, lowest } = facts;
  if (!disableScaleIn || stabilised === undefined || stabilised >= bounded) return wanted;
  const letThrough = stabilised > lowest ? stabilised : lastWanted;
  return weight(Math.min(wanted, Math.max(lastWanted, letThrough)));
}
