import { err, ok, type Result } from '../../../src/foundation/result.ts';
import type { ApiFailure, KubernetesApi } from '../../../src/kubernetes/api.ts';
import { recordAt } from '../json.ts';
import type { Store } from '../metacontroller/store.ts';

/**
 * The hooks' view of a Kubernetes API, straight onto a store. No HTTP in between: the port is three calls wide, and the
 * adapter that speaks HTTP has its own tests against a real API server.
 */
export function kubernetesApiOf(store: Store): KubernetesApi {
  return {
    get: async ({ apiVersion, kind, namespace, name }) => {
      const object = await store.get({ apiVersion, kind }, namespace, name);
      return object === undefined ? notFound(kind, namespace, name) : ok(object);
    },
    getSecret: async (namespace, name) => {
      const secret = await store.get({ apiVersion: 'v1', kind: 'Secret' }, namespace, name);
      if (secret === undefined) return notFound('Secret', namespace, name);
      const data = Object.entries(recordAt(secret, 'data'));
      return ok(new Map(data.map(([key, value]) => [key, Buffer.from(String(value), 'base64').toString()])));
    },
    record: (event) => void store.record(event),
  };
}

function notFound(kind: string, namespace: string, name: string): Result<never, ApiFailure> {
  return err({ kind: 'NotFound', message: `${kind} ${namespace}/${name} not found` });
}
