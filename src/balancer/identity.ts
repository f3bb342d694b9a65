import type { ObjectReference } from '../kubernetes/objects.ts';
import { isResourceId } from './resource-id.ts';

/** Whom the children belong to, and the id that names them. */
export interface Identity {
  /** The Balancer's own name; Materialize calls it the organization. */
  readonly parentName: string;
  readonly namespace: string;
  readonly resourceId: string;
}

/** Name of the Deployment and of the Service. */
export function workloadName({ resourceId }: Identity): string {
  return `mz${resourceId}-balancerd`;
}

/** The id in the name of a Deployment or Service; undefined where it is no name of ours. */
export function resourceIdIn(workload: string): string | undefined {
  const [, id] = /^mz(.+)-balancerd$/.exec(workload) ?? [];
  return isResourceId(id) ? id : undefined;
}

/** Name of the Certificate that clients of balancerd are shown. */
export function certificateName(identity: Identity): string {
  return `${workloadName(identity)}-external`;
}

/** Where cert-manager puts the certificate, and the pods mount it from. */
export function certificateSecretName(identity: Identity): string {
  return `${certificateName(identity)}-tls`;
}

/** The Certificate, whether one is wanted or not. */
export function certificateReference(identity: Identity): ObjectReference {
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    namespace: identity.namespace,
    name: certificateName(identity),
  };
}

/** The Deployment of the balancerd pods. */
export function deploymentReference(identity: Identity): ObjectReference {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace: identity.namespace,
    name: workloadName(identity),
  };
}
