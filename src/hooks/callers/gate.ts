import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { HttpError } from '../errors.ts';
import { isAccepted, type Credentials } from './credentials.ts';

/** Who may call, at this moment: what stands in the files behind it may change. */
export interface Access {
  /** undefined: no header is asked for. */
  readonly credentials: Credentials | undefined;
  /** A client certificate of a CA that the server trusts is asked for. */
  readonly needsCertificate: boolean;
}

/** Everybody may call; for tests, demos and curl. */
export const OPEN: Access = { credentials: undefined, needsCertificate: false };

/** Why a caller is refused, from its connection and headers alone; undefined: it is let in. */
export function refusalOf(
  request: IncomingMessage,
  { credentials, needsCertificate }: Access,
): HttpError | undefined {
  if (needsCertificate && !hasTrustedCertificate(request)) return NO_CERTIFICATE;
  if (credentials === undefined) return undefined;
  const { authorization } = request.headers;
  if (authorization === undefined) return { ...NO_CREDENTIALS, challenge: credentials.challenge };
  return isAccepted(authorization, credentials)
    ? undefined
    : { ...WRONG_CREDENTIALS, challenge: credentials.challenge };
}

/** The server asks every client for a certificate, and lets those without in: health checks have none. */
function hasTrustedCertificate({ socket }: IncomingMessage): boolean {
  return socket instanceof TLSSocket && socket.authorized;
}

const NO_CERTIFICATE = {
  reason: 'CertificateRefused',
  text: 'no client certificate of a trusted CA: give the webhook a clientTLS that --client-ca-file trusts',
} as const;

const NO_CREDENTIALS = {
  reason: 'CallerUnknown',
  text: 'no credentials: give the webhook an authorization or basicAuth that this service accepts',
} as const;

const WRONG_CREDENTIALS = {
  reason: 'CallerUnknown',
  text: 'the credentials are not accepted: compare the Secret of the webhook with that of this service; if they agree, restart Metacontroller, which reads its own only once',
} as const;
