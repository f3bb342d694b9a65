import { oneLine } from '../foundation/one-line.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import { parseSyncRequest, type SyncRequest } from '../kubernetes/metacontroller.ts';
import type { HttpError } from './errors.ts';

/** Deeper than any Kubernetes object; kube-apiserver itself refuses JSON deeper than 10,000. */
const SANE_DEPTH = 500;

/** Hundreds of Deployments. Read, a value takes up to a hundred times its bytes: a body of small ones fills the memory. */
const SANE_VALUES = 100_000;

const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The bytes of a request to a sync request, or what is wrong with them. A byte order mark is skipped. */
export function readSyncRequest(bytes: Uint8Array): Result<SyncRequest, HttpError> {
  if (isTooFull(bytes)) return err(TOO_FULL);
  const text = decode(bytes);
  if (text === undefined) return err({ reason: 'InvalidUtf8', text: 'the body is not UTF-8' });
  const json = parseJson(text);
  if (!json.ok) return json;
  const request = parseSyncRequest(json.value);
  if (request.ok) return request;
  const { path, expected } = request.error;
  return err({
    reason: 'InvalidEnvelope',
    text: `the body is not a sync request: ${oneLine(path, 128)}: ${expected}`,
  });
}

/**
 * Whether a body of JSON nests deeper than is sane; asked only once something overflowed the stack, so that no other body
 * pays for the scan. Braces inside texts are none: by closing ones a sender would hide how deep the rest is.
 */
export function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length && depth <= SANE_DEPTH; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === 0x5b || byte === 0x7b) depth += 1;
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return depth > SANE_DEPTH;
}

/**
 * Whether a body may hold more values than is sane. Commas in texts count as well: no object has nearly as many, and one look
 * at each byte is enough. A small body has no room for them and is not looked at.
 */
function isTooFull(bytes: Uint8Array): boolean {
  if (bytes.length < 2 * SANE_VALUES) return false;
  let commas = 0;
  for (const byte of bytes) if (byte === COMMA) commas += 1;
  return commas >= SANE_VALUES;
}

const TOO_FULL: HttpError = {
  reason: 'BodyTooFull',
  text: `the body holds more than ${SANE_VALUES} values: look for children that nobody wants`,
};

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): Result<unknown, HttpError> {
  try {
    return ok(JSON.parse(text) as unknown);
  } catch (thrown) {
    return err({ reason: 'InvalidJson', text: `the body is not JSON${whereItBreaks(thrown)}` });
  }
}

/** Only the place: V8's messages also quote the body around it, which may hold anything. */
function whereItBreaks(thrown: unknown): string {
  const message = thrown instanceof SyntaxError ? thrown.message : '';
  if (message.includes('Unexpected end')) return ': it ends too early';
  const position = / at position \d+/.exec(message)?.[0] ?? '';
  return position === '' ? '' : `: it breaks${position}`;
}
