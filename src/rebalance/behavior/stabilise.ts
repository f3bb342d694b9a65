import type { Weight } from '../weight.ts';
import type { BehaviorMemory } from './memory.ts';

/**
 * Horizontal Pod Autoscaler v2's stabilisation (Kubernetes documentation, "Stabilization window"): a rise goes no further
 * than the lowest recommendation of the increase window, a fall no further than the highest of the decrease window, and
 * between the two nothing moves. The memory has this interval's recommendation already.
 */
export function stabilise(recommended: Weight, inForce: Weight, { lows, highs }: BehaviorMemory): Weight {
  // Each list is ordered by rank, the extreme first.
  const rise = lows[0]?.weight ?? recommended;
  const fall = highs[0]?.weight ?? recommended;
  if (inForce < rise) return rise;
  return inForce > fall ? fall : inForce;
}
