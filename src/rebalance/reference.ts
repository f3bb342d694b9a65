import { err, ok, type Result } from '../foundation/result.ts';
import type { HoldReason } from './reasons/decisions.ts';
import type { RebalanceSpec } from './spec.ts';
import type { WeightedRecord, WeightedSet } from './targets/port.ts';

/** Why there is no base; `why` is a clause of the decision's because. */
export interface ReferenceProblem {
  readonly reason: Extract<HoldReason, 'ReferenceNotFound' | 'ReferenceAmbiguous' | 'ReferenceDrained'>;
  readonly why: string;
}

/** The reference record of a set: the one that `reference` names, or the only other one. */
export function findReference(
  { target }: Pick<RebalanceSpec, 'target'>,
  { others }: WeightedSet,
): Result<WeightedRecord, ReferenceProblem> {
  const named = target.reference;
  const [reference, another] =
    named === undefined ? others : others.filter(({ identifier }) => identifier === named);
  if (reference === undefined && named !== undefined)
    return err({ reason: 'ReferenceNotFound', why: `the set has no reference record "${named}"` });
  if (reference === undefined || another !== undefined) {
    const why = `the set has ${others.length} other records, and neither reference nor baseValue says which counts`;
    return err({ reason: 'ReferenceAmbiguous', why });
  }
  return ok(reference);
}

/**
 * The base of the law, 1..255. For a demand signal `baseValue`, or where the spec has none the reference's weight as read.
 * For a load signal the reference's weight as read, since that is what the share is made of; only where several records
 * are steered, in a set of more than two, each one's own part of it: its `baseValue`. A reference of weight 0 is no base:
 * every ratio to it is infinite.
 */
export function baseOf(spec: RebalanceSpec, set: WeightedSet): Result<number, ReferenceProblem> {
  const { signal, baseValue } = spec.policy;
  if (signal === 'Demand' && baseValue !== undefined) return ok(baseValue);
  const reference = findReference(spec, set);
  if (!reference.ok) return reference;
  const { identifier, weight } = reference.value;
  if (weight === 0)
    return err({ reason: 'ReferenceDrained', why: `the reference record "${identifier}" has weight 0` });
  return ok(set.others.length > 1 && baseValue !== undefined ? baseValue : weight);
}
