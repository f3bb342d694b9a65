import { parseRfc3339, rfc3339 } from '../foundation/clock.ts';
import { oneLine } from '../foundation/one-line.ts';
import { isRecord } from '../foundation/record.ts';

export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** meta/v1 Condition, as it stands in a status. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  /** CamelCase constant, one of the table in docs/reference/reasons.md. */
  readonly reason: string;
  /** One sentence for the person on call; carries no time, port or duration that changes by itself. */
  readonly message: string;
  /** RFC 3339; moves only when `status` does. */
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

/** A condition as a decision states it, before it meets the previous ones. */
export type ConditionClaim = Omit<Condition, 'lastTransitionTime'>;

/**
 * The conditions of the next status, in the order claimed. A previous condition that is not claimed again is dropped.
 */
export function nextConditions(
  previous: readonly Condition[],
  claims: readonly ConditionClaim[],
  nowMs: number,
): readonly Condition[] {
  return claims.map((claim) => nextCondition(previous, claim, nowMs));
}

/** Room for what is wrong and the commands that help; the API server takes 32768. */
const MESSAGE_LIMIT = 2048;

/**
 * A claim with its time, and its message as one clean line: `lastTransitionTime` is the previous one where the status is
 * unchanged, else `nowMs`.
 */
export function nextCondition(
  previous: readonly Condition[],
  { type, status, reason, message, observedGeneration }: ConditionClaim,
  nowMs: number,
): Condition {
  const before = previous.find((condition) => condition.type === type);
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : rfc3339(nowMs);
  return {
    type,
    status,
    reason,
    message: oneLine(message, MESSAGE_LIMIT),
    lastTransitionTime,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  };
}

/** The conditions of a status as observed; an item that is none (a status may have been written by hand) is left out. */
export function readConditions(raw: unknown): readonly Condition[] {
  return Array.isArray(raw) ? raw.filter(isCondition) : [];
}

function isCondition(item: unknown): item is Condition {
  return (
    isRecord(item) &&
    typeof item['type'] === 'string' &&
    (item['status'] === 'True' || item['status'] === 'False' || item['status'] === 'Unknown') &&
    typeof item['reason'] === 'string' &&
    typeof item['message'] === 'string' &&
    typeof item['lastTransitionTime'] === 'string' &&
    parseRfc3339(item['lastTransitionTime']) !== undefined
  );
}
