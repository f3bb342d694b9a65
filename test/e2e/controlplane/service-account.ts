import { join } from 'node:path';
import type { ControlPlane } from './control-plane.ts';
import { writeKubeconfig } from './credentials.ts';

export interface ServiceAccountRef {
  readonly namespace: string;
  readonly name: string;
}

/** A token of one hour for an existing ServiceAccount, from the API server itself (TokenRequest). */
export async function requestToken(
  plane: ControlPlane,
  { namespace, name }: ServiceAccountRef,
): Promise<string> {
  const { status, text } = await plane.call({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
  });
  if (status !== 201) throw new Error(`no token for ServiceAccount ${namespace}/${name}: ${status} ${text}`);
  return (JSON.parse(text) as { readonly status: { readonly token: string } }).status.token;
}

/** Path of a kubeconfig that acts as the ServiceAccount, with no other right than its own. */
export async function serviceAccountKubeconfig(
  plane: ControlPlane,
  account: ServiceAccountRef,
): Promise<string> {
  const path = join(plane.directory, `${account.namespace}-${account.name}.kubeconfig`);
  return writeKubeconfig(path, plane.endpoint, await requestToken(plane, account));
}
