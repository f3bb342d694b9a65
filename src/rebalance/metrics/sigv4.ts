import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentials } from '../aws/port.ts';

/** The name that Amazon Managed Service for Prometheus signs by. */
const SERVICE = 'aps';

/** SHA-256, or its HMAC where a secret is given, as the signer wants it. */
class Sha256 {
  readonly #hash: ReturnType<typeof createHash> | ReturnType<typeof createHmac>;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('a hash is used once');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): string | Uint8Array {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

export interface Signer {
  readonly region: string;
  readonly credentials: AwsCredentials;
  readonly nowMs: number;
}

/** Headers that sign a GET of `url` without a body (AWS Signature Version 4). */
export async function signGet(
  url: URL,
  { region, credentials, nowMs }: Signer,
): Promise<Readonly<Record<string, string>>> {
  const signer = new SignatureV4({ service: SERVICE, region, credentials, sha256: Sha256 });
  const signed = await signer.sign(
    {
      method: 'GET',
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { host: url.host },
    },
    { signingDate: new Date(nowMs) },
  );
  return signed.headers;
}
