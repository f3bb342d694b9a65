import type { Stage, WriteForbidden } from './decision.ts';
import type { RebalanceStatus } from './status.ts';
import type { WeightedSet } from './targets/port.ts';
import { capTotal, type Weight } from './weight.ts';

/** What the last decision means for this one, once it was held against DNS. */
export interface Recollection {
  /** What the policy last wanted, p: the weight in DNS where the status does not answer for what stands there. */
  readonly lastWanted: Weight;
  /** c: our weight in DNS; where writing is forbidden the one last wanted. */
  readonly inForce: Weight;
  /**
   * What p becomes where there is no usable sample, and the least that it becomes where one metric has none; more than a
   * weight can be where DNS holds more, which bounds then name.
   */
  readonly withoutSample: number;
}

/**
 * Reads the last decision. p is the status' own as long as DNS holds what the status says we left, and the status is not
 * a dry run's that a live decision now follows: that one starts from DNS. Without a sample p stays only where bounds or
 * fallback, and nothing that waits for data, keep the weight in force from it; otherwise it becomes the weight in force, so
 * that nothing climbs, falls or is undone without data.
 */
export function recall(
  status: RebalanceStatus,
  { own }: WeightedSet,
  writeForbidden: WriteForbidden | undefined,
): Recollection {
  const { decision, desiredValue } = status;
  const held = writeForbidden === undefined ? own.total : (desiredValue ?? own.total);
  const inForce = capTotal(held);
  const remembered =
    own.total === status.actualValue && (writeForbidden !== undefined || !wasDry(status))
      ? decision?.policyWeight
      : undefined;
  if (remembered === undefined) return { lastWanted: capTotal(own.total), inForce, withoutSample: held };

  return {
    lastWanted: remembered,
    inForce,
    withoutSample: mayReturn(decision) && held === desiredValue ? remembered : held,
  };
}

/** What makes a weight wait on its way. */
const SLOWING: ReadonlySet<Stage> = new Set(['stabilise', 'stepLimit', 'guards']);

/**
 * True where it takes no data to go to p: bounds or fallback alone keep the weight from it, or it is on its way back from
 * them already, without data, as fast as `behavior` and guards let it.
 */
function mayReturn(decision: RebalanceStatus['decision']): boolean {
  const limitedBy = decision?.limitedBy ?? [];
  const stages = decision?.stages;
  const slowed = limitedBy.some((stage) => SLOWING.has(stage));
  const overruled = limitedBy.some((stage) => stage === 'bounds' || stage === 'fallback');
  const withoutData = stages !== undefined && (stages.raw === undefined || limitedBy.includes('hold'));
  return slowed ? withoutData : overruled;
}

/** True where the last decision wanted a weight that it was forbidden to write. */
function wasDry({ decision, desiredValue }: RebalanceStatus): boolean {
  const left = decision?.stages?.write;
  return left !== undefined && left !== String(desiredValue);
}
