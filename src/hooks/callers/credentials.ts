import { createHash, timingSafeEqual } from 'node:crypto';
import { err, ok, type Result } from '../../foundation/result.ts';

/** What lets a caller in: only digests are kept, so that nothing here can be printed by mistake. */
export interface Credentials {
  /** Digests of whole Authorization values; any of them will do. */
  readonly digests: readonly Buffer[];
  /** The WWW-Authenticate header of a refusal: the schemes that would do. */
  readonly challenge: string;
}

/** The text of a file of bearer tokens: one a line. The error says which line is wrong, never what it holds. */
export function parseTokens(text: string): Result<Credentials, string> {
  return parseLines(text, 'Bearer', (line) => /^[A-Za-z0-9._~+/-]+=*$/.test(line), 'a bearer token');
}

/** The text of a file of logins: `username:password`, one a line. */
export function parseLogins(text: string): Result<Credentials, string> {
  return parseLines(text, 'Basic', (line) => /^[^:\s][^:]*:./.test(line), 'username:password');
}

/** Either will do. */
export function bothOf(one: Credentials, other: Credentials): Credentials {
  return {
    digests: [...one.digests, ...other.digests],
    challenge: `${one.challenge}, ${other.challenge}`,
  };
}

function parseLines(
  text: string,
  scheme: 'Bearer' | 'Basic',
  isWellFormed: (line: string) => boolean,
  expected: string,
): Result<Credentials, string> {
  const lines = text.split('\n').map((line) => line.trim());
  const wrong = lines.findIndex((line) => line !== '' && !isWellFormed(line));
  if (wrong >= 0) return err(`line ${wrong + 1} is not ${expected}`);
  const secrets = lines.filter((line) => line !== '');
  if (secrets.length === 0) return err(`it is empty, expected ${expected} on each line`);
  const challenge = scheme === 'Basic' ? 'Basic realm="counterpoise", charset="UTF-8"' : scheme;
  return ok({ digests: secrets.map((secret) => digestOf(scheme, secret)), challenge });
}

/**
 * Whether an Authorization header is one of the accepted ones. In constant time for what is right about it: digests are
 * compared, all of them, whichever fits.
 */
export function isAccepted(authorization: string, { digests }: Credentials): boolean {
  const digest = digestOfHeader(authorization);
  return digests.reduce((accepted, known) => timingSafeEqual(known, digest) || accepted, false);
}

/** Schemes are written in any case (RFC 9110, 11.1). */
function digestOfHeader(authorization: string): Buffer {
  const [scheme = '', ...rest] = authorization.trim().split(' ');
  const secret = rest.join(' ').trim();
  if (scheme.toLowerCase() === 'bearer') return digestOf('Bearer', secret);
  if (scheme.toLowerCase() === 'basic')
    return digestOf('Basic', Buffer.from(secret, 'base64').toString('utf8'));
  return digestOf('', '');
}

function digestOf(scheme: string, secret: string): Buffer {
  return createHash('sha256').update(`${scheme} ${secret}`).digest();
}
