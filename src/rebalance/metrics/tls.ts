import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { err, ok, type Result } from '../../foundation/result.ts';
import type { CallContext } from '../secrets.ts';
import type { SecretKeyReference, TlsSpec } from '../spec.ts';
import type { MetricFailure } from './port.ts';

/** What a TLS connection is made with; PEM texts that have been found to be ones. */
export interface TlsIdentity {
  /** Alone believed; undefined: the system's CAs. */
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly serverName: string | undefined;
  readonly insecureSkipVerify: boolean;
}

const PLAIN: TlsIdentity = {
  ca: undefined,
  cert: undefined,
  key: undefined,
  serverName: undefined,
  insecureSkipVerify: false,
};

/** The settings at `path` of the object with their Secrets as they stand now. */
export async function readTls(
  tls: TlsSpec | undefined,
  path: string,
  { secrets, deadline }: CallContext,
): Promise<Result<TlsIdentity, MetricFailure>> {
  if (tls === undefined) return ok(PLAIN);
  const { ca, clientCertificate, serverName, insecureSkipVerify } = tls;
  const readOptional = (reference: SecretKeyReference | undefined) =>
    reference === undefined ? ok(undefined) : secrets.read(reference, deadline);
  const [caText, cert, key] = await Promise.all([
    readOptional(ca),
    readOptional(clientCertificate?.cert),
    readOptional(clientCertificate?.key),
  ]);
  if (!caText.ok) return caText;
  if (!cert.ok) return cert;
  if (!key.ok) return key;
  if (caText.value !== undefined && !isCertificate(caText.value))
    return err(invalid(`${path}.caSecretRef`, ca, 'a PEM certificate'));
  if (cert.value !== undefined && !isCertificate(cert.value))
    return err(invalid(`${path}.certSecretRef`, clientCertificate?.cert, 'a PEM certificate'));
  if (!arePair(cert.value, key.value))
    return err(invalid(`${path}.keySecretRef`, clientCertificate?.key, "the certificate's PEM private key"));
  return ok({ ca: caText.value, cert: cert.value, key: key.value, serverName, insecureSkipVerify });
}

/** OpenSSL takes a text without any certificate for an empty list of CAs. */
function isCertificate(text: string): boolean {
  try {
    new X509Certificate(text);
    return true;
  } catch {
    return false;
  }
}

function arePair(cert: string | undefined, key: string | undefined): boolean {
  try {
    createSecureContext({ cert, key });
    return true;
  } catch {
    return false;
  }
}

/** What a Secret holds is never told. */
function invalid(path: string, reference: SecretKeyReference | undefined, expected: string): MetricFailure {
  const where = `Secret ${reference?.name ?? ''} has something else under "${reference?.key ?? ''}"`;
  return { reason: 'SecretInvalid', message: `${path}: ${where}, expected ${expected}` };
}
