import type { WriteForbidden } from './decision.ts';
import type { RebalanceStatus } from './status.ts';
import type { WeightedSet } from './targets/port.ts';
import type { Weight } from './weight.ts';

/** What the last decision means for this one, once it was held against DNS. */
export interface Recollection {
  /** What the policy last wanted, p: the weight in DNS where the status does not answer for what stands there. */
  readonly lastWanted: Weight;
  /** What p becomes where there is no usable sample. */
  readonly withoutSample: Weight;
}

/**
 * Reads the last decision. p is the status' own as long as DNS holds what the status says we left, and the status is not
 * a dry run's that a live decision now follows: that one starts from DNS. Without a sample p stays only where bounds or
 * fallback, and nothing else, keep the weight in force from it; otherwise it becomes the weight in force, so that
 * nothing climbs, falls or is undone without data.
 */
export function recall(
  status: RebalanceStatus,
  { own }: WeightedSet,
  writeForbidden: WriteForbidden | undefined,
): Recollection {
  const { decision, desiredValue } = status;
  const inForce = writeForbidden === undefined ? own.weight : (desiredValue ?? own.weight);
  const remembered =
    own.weight === status.actualValue && (writeForbidden !== undefined || !wasDry(status))
      ? decision?.policyWeight
      : undefined;
  if (remembered === undefined) return { lastWanted: own.weight, withoutSample: inForce };

  const limited = decision?.limitedBy?.some((stage) => stage === 'bounds' || stage === 'fallback') ?? false;
  return {
    lastWanted: remembered,
    withoutSample: limited && inForce === desiredValue ? remembered : inForce,
  };
}

/** True where the last decision wanted a weight that it was forbidden to write. */
function wasDry({ decision, desiredValue }: RebalanceStatus): boolean {
  const left = decision?.stages?.write;
  return left !== undefined && left !== String(desiredValue);
}
