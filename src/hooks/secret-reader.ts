import type { Deadline } from '../foundation/deadline.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import type { ApiFailure, KubernetesApi } from '../kubernetes/api.ts';
import type { SecretFailure, SecretReader } from '../rebalance/secrets.ts';

/** Whose Secrets may be read. */
export interface SecretScope {
  /** The namespace of the object whose Secrets are read. */
  readonly namespace: string;
  readonly allowCrossNamespace: boolean;
}

/**
 * Reads Secrets by name through the API, for one evaluation: within it a Secret is read once, so that two keys of it
 * belong together while it is rotated; the next evaluation reads anew. undefined: there is no API to read from.
 */
export function createSecretReader(
  kubernetes: KubernetesApi | undefined,
  { namespace: own, allowCrossNamespace }: SecretScope,
): SecretReader {
  const read = new Map<string, ReturnType<KubernetesApi['getSecret']>>();
  const readOnce = (namespace: string, name: string, deadline: Deadline) => {
    const path = `${namespace}/${name}`;
    const reading = read.get(path) ?? getSecret(kubernetes, { namespace, name }, deadline);
    read.set(path, reading);
    return reading;
  };
  return {
    read: async ({ namespace = own, name, key }, deadline) => {
      const path = `${namespace}/${name}`;
      if (namespace !== own && !allowCrossNamespace) return err(refusedNamespace(path));
      const secret = await readOnce(namespace, name, deadline);
      if (!secret.ok) return err(toSecretFailure(secret.error, path));
      const value = secret.value.get(key);
      return value === undefined ? err(missingKey(path, key)) : ok(value);
    },
  };
}

function getSecret(
  kubernetes: KubernetesApi | undefined,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  deadline: Deadline,
): Promise<Result<ReadonlyMap<string, string>, ApiFailure>> {
  const message = 'the service has no Kubernetes API';
  return (
    kubernetes?.getSecret(namespace, name, deadline) ?? Promise.resolve(err({ kind: 'Unavailable', message }))
  );
}

function refusedNamespace(path: string): SecretFailure {
  return {
    reason: 'SecretNamespaceRefused',
    message: `Secret ${path} is in another namespace; name one of the object's own, or run the service with --allow-cross-namespace-secrets`,
  };
}

function missingKey(path: string, key: string): SecretFailure {
  return { reason: 'SecretKeyMissing', message: `Secret ${path} has no key "${key}"` };
}

function toSecretFailure({ kind, message }: ApiFailure, path: string): SecretFailure {
  switch (kind) {
    case 'NotFound':
      return { reason: 'SecretMissing', message: `Secret ${path} does not exist` };
    case 'Forbidden':
      return { reason: 'SecretForbidden', message: `the service may not read Secret ${path}: ${message}` };
    case 'Conflict':
    case 'Unavailable':
      return { reason: 'SecretUnavailable', message: `Secret ${path} cannot be read: ${message}` };
  }
}
