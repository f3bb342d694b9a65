import { err, ok, type Result } from '../../../src/foundation/result.ts';
import type { ApiFailure, KubernetesApi } from '../../../src/kubernetes/api.ts';
import { recordAt } from '../json.ts';
import type { Store, StoreFailure } from '../metacontroller/store.ts';

/**
 * The hooks' view of a Kubernetes API, straight onto a store. No HTTP in between: the port is a few calls wide, and the
 * adapter that speaks HTTP has its own tests against a real API server.
 */
export function kubernetesApiOf(store: Store): KubernetesApi {
  return {
    get: async ({ apiVersion, kind, namespace, name }) => {
      const object = await store.get({ apiVersion, kind }, namespace, name);
      return object.ok ? object : notFound(kind, namespace, name);
    },
    list: async (kind) => ok(await store.list(kind)),
    getSecret: async (namespace, name) => {
      const secret = await store.get({ apiVersion: 'v1', kind: 'Secret' }, namespace, name);
      if (!secret.ok) return notFound('Secret', namespace, name);
      const data = Object.entries(recordAt(secret.value, 'data'));
      return ok(new Map(data.map(([key, value]) => [key, Buffer.from(String(value), 'base64').toString()])));
    },
    label: async (reference, { key, value }, precondition) => {
      const { apiVersion, kind, namespace, name } = reference;
      const object = await store.get({ apiVersion, kind }, namespace, name);
      if (!object.ok) return notFound(kind, namespace, name);
      const { metadata } = object.value;
      const labels = { ...metadata.labels, [key]: value };
      return written(
        await store.update({ ...object.value, metadata: { ...metadata, ...precondition, labels } }),
      );
    },
    deleteAlone: async ({ apiVersion, kind, namespace, name }, { uid, resourceVersion }) => {
      const object = await store.get({ apiVersion, kind }, namespace, name);
      if (!object.ok) return notFound(kind, namespace, name);
      const { metadata } = object.value;
      if (metadata.resourceVersion !== resourceVersion)
        return err({ kind: 'Conflict', message: `${kind} ${namespace}/${name} has changed` });
      return written(await store.remove({ ...object.value, metadata: { ...metadata, uid } }, 'Orphan'));
    },
    record: (event) => void store.record(event),
  };
}

/** A write that the API server took, or the reason why it did not. */
function written(answer: Result<unknown, StoreFailure>): Result<undefined, ApiFailure> {
  if (answer.ok) return ok(undefined);
  const { reason, message } = answer.error;
  if (reason === 'Invalid') throw new Error(`the hook wrote what no API server takes: ${message}`);
  return err({ kind: reason === 'NotFound' ? 'NotFound' : 'Conflict', message });
}

function notFound(kind: string, namespace: string, name: string): Result<never, ApiFailure> {
  return err({ kind: 'NotFound', message: `${kind} ${namespace}/${name} not found` });
}
