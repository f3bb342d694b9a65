import { unreachable } from '../../foundation/exhaustive.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import type { CallContext } from '../secrets.ts';
import type { PrometheusAuth, SecretKeyReference } from '../spec.ts';
import type { MetricFailure } from './port.ts';

/** What a request carries to say who asks. */
export interface Authority {
  readonly authorization: string | undefined;
}

/** A user name and password in the address itself. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

/** Who asks, by the Secrets as they stand now. `path`: of the auth in the object. */
export async function authorize(
  auth: PrometheusAuth,
  path: string,
  context: CallContext,
): Promise<Result<Authority, MetricFailure>> {
  switch (auth.kind) {
    case 'None':
      return ok({ authorization: undefined });
    case 'Basic':
      return basic(auth, context);
    case 'Bearer': {
      const token = await readWord(auth.token, `${path}.bearerTokenSecretRef`, context);
      return token.ok ? ok({ authorization: `Bearer ${token.value}` }) : token;
    }
    default:
      return unreachable(auth);
  }
}

async function basic(
  { user, password }: Extract<PrometheusAuth, { kind: 'Basic' }>,
  { secrets, deadline }: CallContext,
): Promise<Result<Authority, MetricFailure>> {
  const [username, word] = await Promise.all([
    secrets.read(user, deadline),
    secrets.read(password, deadline),
  ]);
  if (!username.ok) return username;
  if (!word.ok) return word;
  return ok({ authorization: basicLogin({ username: username.value, password: word.value }) });
}

/** RFC 7617, in UTF-8. */
export function basicLogin({ username, password }: Login): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** A Secret's value that goes into a header: one word of ASCII. A line break at its end is what editors often add. */
export async function readWord(
  reference: SecretKeyReference,
  path: string,
  { secrets, deadline }: CallContext,
): Promise<Result<string, MetricFailure>> {
  const read = await secrets.read(reference, deadline);
  if (!read.ok) return read;
  const word = read.value.trim();
  if (/^[!-~]+$/.test(word)) return ok(word);
  const { name, key } = reference;
  const message = `${path}: Secret ${name} has something else under "${key}", expected one word of ASCII characters`;
  return err({ reason: 'SecretInvalid', message });
}
