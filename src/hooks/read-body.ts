import type { IncomingMessage } from 'node:http';
import { err, ok, type Result } from '../foundation/result.ts';
import type { HttpError } from './errors.ts';

/** What a body may cost. */
export interface BodyLimits {
  readonly limitBytes: number;
  /** From the headers to the last byte. */
  readonly timeoutMs: number;
  /** Asked before more bytes are kept; false: there is no room for them now. */
  readonly hold: (bytes: number) => boolean;
}

type Body = Result<Uint8Array, HttpError>;

/**
 * The bytes of a request, or why they are not taken; never rejects. They are taken as they are: Metacontroller compresses
 * nothing, and what cannot be inflated cannot be a bomb. What arrives after a refusal is thrown away by the server.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Body> {
  const refusal = refusalByHeaders(request, limits);
  return refusal === undefined ? collect(request, limits) : Promise.resolve(err(refusal));
}

function refusalByHeaders({ headers }: IncomingMessage, { limitBytes }: BodyLimits): HttpError | undefined {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return ENCODED;
  return Number(headers['content-length'] ?? 0) > limitBytes ? tooLarge(limitBytes) : undefined;
}

function collect(request: IncomingMessage, { limitBytes, timeoutMs, hold }: BodyLimits): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (body: Body): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', finish).off('error', breakOff).off('close', breakOff);
      // An error that comes later concerns nobody; without a listener it would end the process.
      request.on('error', () => undefined).resume();
      resolve(body);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limitBytes) end(err(tooLarge(limitBytes)));
      else if (hold(chunk.length)) chunks.push(chunk);
      else end(err(NO_ROOM));
    };
    const finish = (): void => end(ok(joined(chunks, size)));
    const breakOff = (): void => end(err(BROKEN));
    const timer = setTimeout(() => end(err(TOO_SLOW)), timeoutMs);
    request.on('data', take).on('end', finish).on('error', breakOff).on('close', breakOff);
  });
}

function joined(chunks: readonly Buffer[], size: number): Uint8Array {
  const [only, ...others] = chunks;
  return only !== undefined && others.length === 0 ? only : Buffer.concat(chunks, size);
}

function tooLarge(limitBytes: number): HttpError {
  return { reason: 'BodyTooLarge', text: `the body is larger than ${limitBytes} bytes, see --body-limit` };
}

const ENCODED: HttpError = {
  reason: 'UnsupportedEncoding',
  text: 'the body is compressed: send it as it is, without a Content-Encoding',
};

const BROKEN: HttpError = {
  reason: 'BodyUnreadable',
  text: 'the body could not be read to its end: it broke off, or its declared length is wrong',
};

const TOO_SLOW: HttpError = { reason: 'BodyTooSlow', text: 'the body did not arrive in time' };

const NO_ROOM: HttpError = {
  reason: 'TooBusy',
  text: 'busy: the bodies held already leave no room for this one',
};
