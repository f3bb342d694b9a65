import type { TargetTracking } from '../spec.ts';
import { weight, type Weight } from '../weight.ts';

/** What became of the policy's weight on its way. */
export interface KeptFacts {
  /** What the policy asks for now, and what it last wanted. */
  readonly wanted: Weight;
  readonly lastWanted: Weight;
  /** After fallback and bounds, before `behavior`. */
  readonly bounded: Weight;
  /** What the stabilisation windows, or else the guards, let through of it; undefined: neither had a say. */
  readonly letThrough: Weight | undefined;
  /** The lower bound in force. */
  readonly lowest: Weight;
}

/**
 * What the policy is said to have wanted, p. One that never lowers its weight would keep each peak of a noisy metric, so it
 * keeps only as much of a rise as the increase window and the guards let through; what a floor holds up is none of it.
 */
export function keptWeight({ disableScaleIn }: TargetTracking, facts: KeptFacts): Weight {
  const { wanted, lastWanted, bounded, letThrough, lowest } = facts;
  if (!disableScaleIn || letThrough === undefined || letThrough >= bounded) return wanted;
  const kept = letThrough > lowest ? letThrough : lastWanted;
  return weight(Math.min(wanted, Math.max(lastWanted, kept)));
}
