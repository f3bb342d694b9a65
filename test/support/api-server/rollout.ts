import { rfc3339, type Clock } from '../../../src/foundation/clock.ts';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { recordAt } from '../json.ts';
import type { ApiServer } from './server.ts';

/** What the Deployment controller does when all goes well: every Deployment that it has not seen so gets its pods. */
export async function rollOutDeployments(server: ApiServer, clock: Clock): Promise<void> {
  const manager = server.as('kube-controller-manager');
  for (const deployment of await manager.list({ apiVersion: 'apps/v1', kind: 'Deployment' })) {
    const { generation } = deployment.metadata;
    if (recordAt(deployment, 'status')['observedGeneration'] === generation) continue;
    await manager.updateStatus({ ...deployment, status: rolledOut(deployment, rfc3339(clock.nowMs())) });
  }
}

function rolledOut(deployment: ObservedObject, now: string): object {
  const { replicas } = recordAt(deployment, 'spec');
  const condition = (type: string, reason: string): object => ({
    type,
    status: 'True',
    reason,
    lastTransitionTime: now,
    lastUpdateTime: now,
  });
  return {
    observedGeneration: deployment.metadata.generation,
    replicas,
    updatedReplicas: replicas,
    readyReplicas: replicas,
    availableReplicas: replicas,
    conditions: [
      condition('Available', 'MinimumReplicasAvailable'),
      condition('Progressing', 'NewReplicaSetAvailable'),
    ],
  };
}
