import assert from 'node:assert/strict';
import type { Condition } from '../../src/kubernetes/conditions.ts';

/** The condition of this type; one that is absent fails the test and shows which are there. */
export function conditionOf(status: { readonly conditions?: readonly Condition[] }, type: string): Condition {
  const found = status.conditions?.find((condition) => condition.type === type);
  assert.ok(found, `no condition ${type} in ${JSON.stringify(status.conditions)}`);
  return found;
}
