import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Who may call the API server: static bearer tokens. Certificates for each client would need a signer of X.509, which
 * Node has not; the API server makes its own serving certificate (--cert-dir), and clients trust that file.
 */
const IDENTITIES = {
  admin: { user: 'admin', group: 'system:masters' },
  controllerManager: { user: 'system:kube-controller-manager', group: 'system:authenticated' },
  scheduler: { user: 'system:kube-scheduler', group: 'system:authenticated' },
} as const;

export type Identity = keyof typeof IDENTITIES;

export interface Credentials {
  readonly tokenFile: string;
  readonly tokens: Readonly<Record<Identity, string>>;
  /** PEM files of the key pair that signs and verifies ServiceAccount tokens. */
  readonly serviceAccountKeys: { readonly privateFile: string; readonly publicFile: string };
}

/** Makes fresh secrets in `directory`; nothing of them outlives the directory. */
export function writeCredentials(directory: string): Credentials {
  const names = Object.keys(IDENTITIES) as readonly Identity[];
  const tokens = Object.fromEntries(
    names.map((name) => [name, randomBytes(24).toString('base64url')]),
  ) as Record<Identity, string>;
  const tokenFile = join(directory, 'tokens.csv');
  const lines = names.map(
    (name) => `${tokens[name]},${IDENTITIES[name].user},${name},${IDENTITIES[name].group}`,
  );
  writeFileSync(tokenFile, `${lines.join('\n')}\n`, { mode: 0o600 });
  return { tokenFile, tokens, serviceAccountKeys: writeServiceAccountKeys(directory) };
}

function writeServiceAccountKeys(directory: string): Credentials['serviceAccountKeys'] {
  const pair = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const privateFile = join(directory, 'service-account.key');
  const publicFile = join(directory, 'service-account.pub');
  writeFileSync(privateFile, pair.privateKey, { mode: 0o600 });
  writeFileSync(publicFile, pair.publicKey);
  return { privateFile, publicFile };
}

export interface Endpoint {
  readonly server: string;
  /** PEM file that clients trust. */
  readonly caFile: string;
}

/** Writes a kubeconfig (JSON, which is YAML) with one cluster and one bearer token; gives its path. */
export function writeKubeconfig(path: string, { server, caFile }: Endpoint, token: string): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'counterpoise', cluster: { server, 'certificate-authority': caFile } }],
    users: [{ name: 'user', user: { token } }],
    contexts: [{ name: 'counterpoise', context: { cluster: 'counterpoise', user: 'user' } }],
    'current-context': 'counterpoise',
  };
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  return path;
}
