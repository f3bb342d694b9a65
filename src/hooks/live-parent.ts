import type { Deadline } from '../foundation/deadline.ts';
import type { KubernetesApi } from '../kubernetes/api.ts';
import type { ObservedParent } from '../kubernetes/metacontroller.ts';
import type { ObjectReference } from '../kubernetes/objects.ts';

/** What stands in the cluster under the key of a posted parent. */
export type LiveParent =
  | { readonly kind: 'Found'; readonly parent: ObservedParent }
  /** It does not exist, is being deleted, or another object has its name. */
  | { readonly kind: 'Gone' }
  /** Not known: the API did not answer, or refused to. */
  | { readonly kind: 'Unknown'; readonly message: string };

/** Reads the object that a posted parent claims to be: name and namespace lead to it, the uid must agree. */
export async function readLiveParent(
  kubernetes: KubernetesApi | undefined,
  reference: ObjectReference & { readonly uid: string },
  deadline: Deadline,
): Promise<LiveParent> {
  const { kind, namespace, name, uid } = reference;
  const path = `${kind} ${namespace}/${name}`;
  if (kubernetes === undefined) {
    const message = `cannot verify ${path} without a Kubernetes API: set --kubeconfig, run in a cluster, or believe posted bodies with --verify-parent=false`;
    return { kind: 'Unknown', message };
  }
  const live = await kubernetes.get(reference, deadline);
  if (!live.ok) {
    if (live.error.kind === 'NotFound') return { kind: 'Gone' };
    return { kind: 'Unknown', message: `cannot verify ${path}: ${live.error.message}` };
  }
  const { metadata, ...rest } = live.value;
  if (metadata.uid !== uid || metadata.deletionTimestamp !== undefined) return { kind: 'Gone' };
  const generation = metadata.generation ?? 0;
  return {
    kind: 'Found',
    parent: {
      metadata: { ...metadata, namespace, uid, generation },
      spec: rest['spec'],
      status: rest['status'],
    },
  };
}
