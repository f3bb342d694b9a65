import { CONNECTION_FAILURES } from '../../foundation/connection-failures.ts';
import { rowOf } from '../../foundation/record.ts';
import { literalAddress, type AddressPolicy, type AddressRefusal } from './address-policy.ts';
import { refusalOf } from './guarded-lookup.ts';
import type { MetricFailureReason } from './port.ts';

/** Why no answer came, and what it means to the person on call; `what` follows the name of who was called. */
export interface TransportFailure {
  readonly reason: MetricFailureReason;
  readonly what: string;
}

const UNKNOWN_CA = 'has a certificate of a CA that is not believed; name its CA by tls.caSecretRef';

/** OpenSSL's names of verification errors, which Node has as codes (Node.js, TLS, "X509 certificate error codes"). */
const CERTIFICATE_FAILURES: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_CA,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CA,
  CERT_SIGNATURE_FAILURE: UNKNOWN_CA,
  CERT_UNTRUSTED: UNKNOWN_CA,
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet',
  INVALID_PURPOSE: 'has a certificate that is not one of a server',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'has a certificate of another name; call it by that name, or say the name by tls.serverName',
};

const REFUSED: Readonly<Record<AddressRefusal, string>> = {
  Never: 'leads to an address that is never called: link local, metadata, unspecified or multicast',
  NotListed: 'is not among what --prometheus-allow lists; ask the operator for it',
};

/** Why the host of `url` is not called when it is an address already, for which no name is looked up. */
export function refuseLiteral(policy: AddressPolicy, url: string): TransportFailure | undefined {
  const { hostname } = new URL(url);
  const address = literalAddress(hostname);
  const verdict = address === undefined ? 'Allowed' : policy.judge(address, address);
  return verdict === 'Allowed' ? undefined : refusedAddress(verdict);
}

/** Which address a name leads to may change, and is not told. */
function refusedAddress(refusal: AddressRefusal): TransportFailure {
  return { reason: 'AddressRefused', what: REFUSED[refusal] };
}

/** What Node's code of a failed call means. */
export function transportFailure(code: string): TransportFailure {
  const refusal = refusalOf(code);
  if (refusal !== undefined) return refusedAddress(refusal);
  const certificate = rowOf(CERTIFICATE_FAILURES, code);
  if (certificate !== undefined) return { reason: 'TlsFailed', what: `${certificate} (${code})` };
  if (/^ERR_SSL_.*ALERT.*(CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/.test(code))
    return {
      reason: 'TlsFailed',
      what: `does not take the client certificate; look at tls.certSecretRef (${code})`,
    };
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_'))
    return { reason: 'TlsFailed', what: `speaks no TLS that can be agreed on at this port (${code})` };
  if (code.startsWith('HPE_')) return { reason: 'NotPrometheus', what: `does not speak HTTP (${code})` };
  const what = rowOf(CONNECTION_FAILURES, code) ?? 'could not be called';
  return { reason: 'MetricUnreachable', what: code === '' ? what : `${what} (${code})` };
}

/** Where a redirect leads, as the end of a sentence: its host alone, as what follows may be a session's own. */
export function hostOf(location: unknown): string {
  const host = typeof location === 'string' ? (URL.parse(location)?.host ?? '') : '';
  return host === '' ? '' : ` to ${host}`;
}
