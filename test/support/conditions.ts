import assert from 'node:assert/strict';
import type { Condition } from '../../src/kubernetes/conditions.ts';

interface WithConditions {
  readonly conditions?: readonly Condition[];
}

/** Each condition as "Type=Status Reason". */
export function conditionsOf({ conditions = [] }: WithConditions): readonly string[] {
  return conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`);
}

/** The condition of this type; one that is absent fails the test and shows which are there. */
export function conditionOf(status: WithConditions, type: string): Condition {
  const found = status.conditions?.find((condition) => condition.type === type);
  assert.ok(found, `no condition ${type} in ${JSON.stringify(status.conditions)}`);
  return found;
}
