import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A request as it came over the wire. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * The signature that a request without a body must have, computed anew from what came (AWS, "Create a signed AWS API
 * request"): by the scope and the signed headers that its Authorization names.
 */
export function expectedSignature({ method, target, headers }: SignedRequest, secret: string): string {
  const [, scope = '', signedHeaders = ''] =
    /Credential=[^/]+\/([^,]+), *SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  const [date = '', region = '', service = ''] = scope.split('/');
  const url = new URL(target, 'http://any');
  const encode = (text: string): string =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const canonical = [
    method,
    url.pathname.split('/').map(encode).join('/'),
    query.join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedHeaders,
    sha256(''),
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, toSign).toString('hex');
}

/** The signature that a request has. */
export function signatureOf({ headers }: Pick<SignedRequest, 'headers'>): string {
  return /Signature=([0-9a-f]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
}
