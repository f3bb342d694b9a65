import { err, ok, type Result } from '../../../src/foundation/result.ts';
import { recordAt } from '../json.ts';
import type { WebhookSpec } from './composite-controller.ts';
import type { Store } from './store.ts';

/** What a webhook's credentials and certificates are, once read. */
export interface Connection {
  /** Value of the Authorization header. */
  readonly authorization?: string;
  /** PEM; the system's roots where there is none. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

interface KeyRef {
  readonly name: string;
  readonly namespace: string;
  readonly key: string;
}

/** [read-at-start] Read once, when the controller starts: a Secret that changes later changes nothing. */
export async function readConnection(store: Store, webhook: WebhookSpec): Promise<Result<Connection, string>> {
  // [one-authorization]
  if (webhook.authorization !== undefined && webhook.basicAuth !== undefined) {
    return err('authorization and basicAuth are mutually exclusive');
  }
  const parts = [
    await readAuthorization(store, webhook.authorization),
    await readBasicAuth(store, webhook.basicAuth),
    await readClientTls(store, webhook.clientTLS),
    await readCaBundle(store, webhook.caBundle),
  ];
  const connection: Connection = {};
  for (const part of parts) {
    if (!part.ok) return part;
    Object.assign(connection, part.value);
  }
  return ok(connection);
}

/** [authorization] */
async function readAuthorization(
  store: Store,
  spec: WebhookSpec['authorization'],
): Promise<Result<Connection, string>> {
  if (spec === undefined) return ok({});
  const type = spec.type.trim();
  if (type.toLowerCase() === 'basic') return err('authorization is not for Basic: use basicAuth');
  const value = await readKey(store, 'Secret', spec.secretRef);
  return value.ok ? ok({ authorization: `${type} ${value.value.trim()}` }) : value;
}

/** [basic-auth] */
async function readBasicAuth(store: Store, spec: WebhookSpec['basicAuth']): Promise<Result<Connection, string>> {
  if (spec === undefined) return ok({});
  const username = await readKey(store, 'Secret', { ...spec.secretRef, key: spec.usernameKey });
  if (!username.ok) return username;
  const password = await readKey(store, 'Secret', { ...spec.secretRef, key: spec.passwordKey });
  if (!password.ok) return password;
  const login = `${username.value.trim()}:${password.value.trim()}`;
  return ok({ authorization: `Basic ${Buffer.from(login).toString('base64')}` });
}

/** [client-tls] */
async function readClientTls(store: Store, spec: WebhookSpec['clientTLS']): Promise<Result<Connection, string>> {
  if (spec === undefined) return ok({});
  const cert = await readKey(store, 'Secret', { ...spec.secretRef, key: spec.certKey });
  if (!cert.ok) return cert;
  const key = await readKey(store, 'Secret', { ...spec.secretRef, key: spec.privateKeyKey });
  return key.ok ? ok({ cert: cert.value, key: key.value }) : key;
}

/** [ca-bundle] */
async function readCaBundle(store: Store, spec: WebhookSpec['caBundle']): Promise<Result<Connection, string>> {
  if (spec === undefined) return ok({});
  const { inline, secretRef, configMapRef } = spec;
  if ([inline, secretRef, configMapRef].filter((source) => source !== undefined).length !== 1) {
    return err('caBundle needs exactly one of inline, secretRef and configMapRef');
  }
  if (inline !== undefined) return ok({ ca: inline });
  const read =
    secretRef === undefined
      ? await readKey(store, 'ConfigMap', configMapRef ?? { name: '', namespace: '', key: '' })
      : await readKey(store, 'Secret', secretRef);
  return read.ok ? ok({ ca: read.value }) : read;
}

async function readKey(
  store: Store,
  kind: 'Secret' | 'ConfigMap',
  { name, namespace, key }: KeyRef,
): Promise<Result<string, string>> {
  const object = await store.get({ apiVersion: 'v1', kind }, namespace, name);
  if (!object.ok) return err(`cannot get ${kind} ${namespace}/${name}: ${object.error.message}`);
  const value = recordAt(object.value, 'data')[key];
  if (typeof value !== 'string') return err(`${kind} ${namespace}/${name} has no key "${key}"`);
  return ok(kind === 'Secret' ? Buffer.from(value, 'base64').toString() : value);
}
