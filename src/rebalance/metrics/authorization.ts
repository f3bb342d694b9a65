import type { Clock } from '../../foundation/clock.ts';
import { unreachable } from '../../foundation/exhaustive.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import { refusedMessage, refusedReason } from '../aws/failures.ts';
import type { AwsCredentialSets, CredentialFailure, CredentialSet } from '../aws/port.ts';
import { withCredentials } from '../aws/renewal.ts';
import type { CallContext } from '../secrets.ts';
import type { PrometheusAuth, SecretKeyReference } from '../spec.ts';
import type { Tokens } from './oauth2.ts';
import type { MetricFailure } from './port.ts';
import type { HttpAnswer } from './prometheus-answer.ts';
import { basicLogin, secretsOf } from './secret-words.ts';
import { signGet } from './sigv4.ts';
import { readTls } from './tls.ts';

/** What a request carries to say who asks. */
export interface Signed {
  readonly headers: Readonly<Record<string, string>>;
  /** What nobody is told, not even if the server quotes it. */
  readonly secrets: readonly string[];
}

/** Signs a GET of `url`. */
export type Sign = (url: URL) => Promise<Signed>;

type Answer = Promise<Result<HttpAnswer, MetricFailure>>;
/** Sends the request, as often as it is called; a signature is of one sending. */
export type Send = (sign: Sign) => Answer;

/** How queries say who asks. */
export interface Authorization {
  /**
   * Sends a request as the one that `auth` says, by its Secrets as they stand now. Where the server refuses a token or
   * credentials that may have newer ones, sends it once more with those. `path`: of the auth in the object.
   */
  send(auth: PrometheusAuth, path: string, context: CallContext, send: Send): Answer;
}

export interface AuthorizationOptions {
  readonly tokens: Tokens;
  readonly credentials: AwsCredentialSets;
  readonly clock: Clock;
}

type Of<Kind extends PrometheusAuth['kind']> = Extract<PrometheusAuth, { kind: Kind }>;

/** For all objects: tokens and credentials are shared by those that ask with the same ones. */
export function createAuthorization({ tokens, credentials, clock }: AuthorizationOptions): Authorization {
  const withToken = async (auth: Of<'OAuth2'>, path: string, context: CallContext, send: Send): Answer => {
    const request = await readTokenRequest(auth, path, context);
    if (!request.ok) return request;
    const token = tokens.of(request.value, path);
    const current = await token.current(context.deadline);
    if (!current.ok) return current;
    const answer = await send(bearer(current.value));
    if (!answer.ok || answer.value.status !== 401) return answer;

    token.forget(current.value);
    const renewed = await token.current(context.deadline);
    if (!renewed.ok) return renewed;
    return renewed.value === current.value ? answer : send(bearer(renewed.value));
  };

  const withSignature = async (auth: Of<'SigV4'>, path: string, context: CallContext, send: Send): Answer => {
    const set = await credentials.of(auth.aws, auth.region, context);
    if (!set.ok) return err(atPath(path, set.error));
    return withCredentials<HttpAnswer, MetricFailure>(
      named(set.value, path),
      context.deadline,
      async (keys) => {
        const answer = await send(async (url) => {
          const headers = await signGet(url, {
            region: auth.region,
            credentials: keys,
            nowMs: clock.nowMs(),
          });
          return { headers, secrets: [keys.secretAccessKey, keys.sessionToken ?? ''] };
        });
        return answer.ok ? credentialsTaken(path, answer.value) : answer;
      },
    );
  };

  return {
    send: async (auth, path, context, send) => {
      switch (auth.kind) {
        case 'None':
          return send(() => Promise.resolve(NOBODY));
        case 'Basic':
          return withLogin(auth, context, send);
        case 'Bearer': {
          const token = await readWord(auth.token, `${path}.bearerTokenSecretRef`, context);
          return token.ok ? send(bearer(token.value)) : token;
        }
        case 'OAuth2':
          return withToken(auth, `${path}.oauth2`, context, send);
        case 'SigV4':
          return withSignature(auth, `${path}.sigv4`, context, send);
        default:
          return unreachable(auth);
      }
    },
  };
}

const NOBODY: Signed = { headers: {}, secrets: [] };

function bearer(token: string): Sign {
  return () => Promise.resolve({ headers: { authorization: `Bearer ${token}` }, secrets: [token] });
}

async function withLogin({ user, password }: Of<'Basic'>, context: CallContext, send: Send): Answer {
  const { secrets, deadline } = context;
  const [username, word] = await Promise.all([
    secrets.read(user, deadline),
    secrets.read(password, deadline),
  ]);
  if (!username.ok) return username;
  if (!word.ok) return word;
  const login = { username: username.value, password: word.value };
  const headers = { authorization: basicLogin(login) };
  return send(() => Promise.resolve({ headers, secrets: secretsOf(login) }));
}

async function readTokenRequest(auth: Of<'OAuth2'>, path: string, context: CallContext) {
  const { tokenUrl, scopes, endpointParams } = auth;
  const [clientId, clientSecret, tls] = await Promise.all([
    readWord(auth.clientId, `${path}.clientIDSecretRef`, context),
    readWord(auth.clientSecret, `${path}.clientSecretSecretRef`, context),
    readTls(auth.tls, `${path}.tls`, context),
  ]);
  if (!clientId.ok) return clientId;
  if (!clientSecret.ok) return clientSecret;
  if (!tls.ok) return tls;
  return ok({
    tokenUrl,
    clientId: clientId.value,
    clientSecret: clientSecret.value,
    scopes,
    endpointParams,
    tls: tls.value,
  });
}

/** A Secret's value that goes into a header: one word of ASCII. A line break at its end is what editors often add. */
async function readWord(
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

/** AWS says by a header which part of a signature it refuses; newer credentials may be what helps. */
function credentialsTaken(path: string, answer: HttpAnswer): Result<HttpAnswer, MetricFailure> {
  const code = answer.awsErrorType.split(':', 1)[0] ?? '';
  const reason = answer.status === 403 || answer.status === 400 ? refusedReason(code) : undefined;
  return reason === undefined
    ? ok(answer)
    : err({ reason, message: `${path}: ${refusedMessage(reason, code)}` });
}

/** The set, whose failures name the field. */
function named(set: CredentialSet, path: string): CredentialSet {
  const current: CredentialSet['current'] = async (deadline) => {
    const got = await set.current(deadline);
    return got.ok ? got : err(atPath(path, got.error));
  };
  return { ...set, current };
}

function atPath(path: string, { reason, message }: CredentialFailure): CredentialFailure {
  return { reason, message: `${path}: ${message}` };
}
