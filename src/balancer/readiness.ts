import { isRecord } from '../foundation/record.ts';
import type { Condition } from '../kubernetes/conditions.ts';
import type { ObservedObject } from '../kubernetes/objects.ts';

/**
 * Whether balancerd is ready: what the Deployment's condition Available says. Without a Deployment, or before it has any
 * condition, the last word is kept, so that a cache that lags is no outage; at first it is no.
 */
export function isReady(deployment: ObservedObject | undefined, previous: readonly Condition[]): boolean {
  const conditions = deploymentConditions(deployment);
  if (conditions.length === 0)
    return previous.some(({ type, status }) => type === 'Ready' && status === 'True');
  return conditions.some(({ type, status }) => type === 'Available' && status === 'True');
}

function deploymentConditions(
  deployment: ObservedObject | undefined,
): readonly Readonly<Record<string, unknown>>[] {
  const status = deployment?.['status'];
  const conditions = isRecord(status) ? status['conditions'] : undefined;
  return Array.isArray(conditions) ? conditions.filter(isRecord) : [];
}
