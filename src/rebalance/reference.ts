import { err, ok, type Result } from '../foundation/result.ts';
import type { HoldReason } from './reasons.ts';
import type { RebalanceSpec } from './spec.ts';
import type { WeightedSet } from './targets/port.ts';

/** Why there is no base; `why` is a clause of the decision's because. */
export interface ReferenceProblem {
  readonly reason: Extract<HoldReason, `Reference${string}`>;
  readonly why: string;
}

/**
 * The weight of the reference record, 1..255: `baseValue`, or where the spec has none, as read from the set: the record
 * that `reference` names, or the only other one. A weight of 0 is no base: every ratio to it is infinite.
 */
export function baseOf(
  { policy, target }: RebalanceSpec,
  { others }: WeightedSet,
): Result<number, ReferenceProblem> {
  if (policy.baseValue !== undefined) return ok(policy.baseValue);
  const named = target.reference;
  const [reference, another] =
    named === undefined ? others : others.filter(({ identifier }) => identifier === named);
  if (reference === undefined && named !== undefined)
    return err({ reason: 'ReferenceNotFound', why: `the set has no reference record "${named}"` });
  if (reference === undefined || another !== undefined) {
    const why = `the set has ${others.length} other records, and neither reference nor baseValue says which counts`;
    return err({ reason: 'ReferenceAmbiguous', why });
  }
  if (reference.weight === 0)
    return err({
      reason: 'ReferenceDrained',
      why: `the reference record "${reference.identifier}" has weight 0`,
    });
  return ok(reference.weight);
}
