import axios, { type AxiosResponse } from 'axios';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Clock } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { parseJson } from '../../foundation/json.ts';
import { RAW_ANSWER, USER_AGENT } from '../../foundation/raw-answer.ts';
import { keepRenewed, type Lasting, type Renewed } from '../../foundation/renewed.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import { fingerprint } from '../aws/fingerprint.ts';
import type { AddressPolicy } from './address-policy.ts';
import type { Connections } from './connections.ts';
import { fail } from './fail.ts';
import type { MetricFailure } from './port.ts';
import { basicLogin, redact, secretsOf, type Login } from './secret-words.ts';
import type { TlsIdentity } from './tls.ts';
import { hostOf, refuseLiteral, transportFailure, type TransportFailure } from './transport.ts';

/** The client credentials grant of RFC 6749, 4.4, with the Secrets as they stand now. */
export interface TokenRequest {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  readonly endpointParams: Readonly<Record<string, string>>;
  readonly tls: TlsIdentity;
}

/** The access tokens of all objects. */
export interface Tokens {
  /**
   * The token of a request, kept until shortly before its end; one fetch for all that need it. `path`: of the oauth2 in the
   * object.
   */
  of(request: TokenRequest, path: string): Renewed<string, MetricFailure>;
}

export interface TokenOptions {
  readonly connections: Connections;
  readonly policy: AddressPolicy;
  readonly clock: Clock;
}

/** Tokens kept at once; the least recently used one is fetched anew when it comes back. */
const MAX_TOKENS = 128;
/** A token is a few kilobytes at most. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** For all objects: the same request has the same token, whoever asks; another Secret is another request. */
export function createTokens({ connections, policy, clock }: TokenOptions): Tokens {
  const kept = new LRUCache<string, Renewed<string, MetricFailure>>({ max: MAX_TOKENS });
  return {
    of: (request, path) => {
      const key = fingerprint(path, request);
      const fetchToken = async (deadline: Deadline): Promise<Result<Lasting<string>, MetricFailure>> => {
        const refused = refuseLiteral(policy, request.tokenUrl);
        if (refused !== undefined) return err(failedCall(request, path, refused));
        return post(request, { path, deadline, agents: connections.of(request.tls), clock });
      };
      const token =
        kept.get(key) ??
        keepRenewed<string, MetricFailure>({
          load: fetchToken,
          clock,
          isSame: (one, other) => one === other,
          late: () => late(path),
          isLate: ({ reason }) => reason === 'MetricTimeout',
        });
      kept.set(key, token);
      return token;
    },
  };
}

interface Post {
  readonly path: string;
  readonly deadline: Deadline;
  readonly agents: ReturnType<Connections['of']>;
  readonly clock: Clock;
}

async function post(
  request: TokenRequest,
  { path, deadline, agents, clock }: Post,
): Promise<Result<Lasting<string>, MetricFailure>> {
  const { tokenUrl, scopes, endpointParams } = request;
  const scope = scopes.length === 0 ? {} : { scope: scopes.join(' ') };
  const beganMs = clock.nowMs();
  try {
    const response = await axios.request<string>({
      ...RAW_ANSWER,
      method: 'POST',
      url: tokenUrl,
      data: new URLSearchParams({ ...endpointParams, ...scope, grant_type: 'client_credentials' }).toString(),
      headers: {
        Authorization: basicLogin(clientLogin(request)),
        'Content-Type': 'application/x-www-form-urlencoded',
        Accept: 'application/json',
        'User-Agent': USER_AGENT,
      },
      ...agents,
      signal: deadline.signal,
      maxContentLength: MAX_ANSWER_BYTES,
    });
    return readToken(response, request, { path, beganMs });
  } catch (thrown) {
    if (deadline.signal.aborted) return err(late(path));
    const code = axios.isAxiosError(thrown) ? (thrown.code ?? '') : '';
    return err(failedCall(request, path, transportFailure(code)));
  }
}

/** Basic, which every server has to take (RFC 6749, 2.3.1), of the two as a form would send them. */
function clientLogin({ clientId, clientSecret }: TokenRequest): Login {
  const encode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
  return { username: encode(clientId), password: encode(clientSecret) };
}

/** RFC 6749, 5.1; some servers send the number of seconds as a text. */
const token = z.object({
  access_token: z.string().regex(/^[!-~]+$/),
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .optional(),
  expires_in: z.coerce.number().min(0).optional(),
});

/** RFC 6749, 5.2. */
const refusal = z.object({ error: z.string(), error_description: z.string().optional() });

function readToken(
  { status, data, headers }: AxiosResponse<string>,
  request: TokenRequest,
  { path, beganMs }: { readonly path: string; readonly beganMs: number },
): Result<Lasting<string>, MetricFailure> {
  const body = parseJson(data);
  const got = token.safeParse(body);
  if (status === 200 && got.success) {
    const { access_token: value, expires_in: seconds } = got.data;
    return ok({ value, expiresAtMs: seconds === undefined ? undefined : beganMs + seconds * 1000 });
  }
  const conceal = (words: string): string =>
    redact(words, [request.clientSecret, ...secretsOf(clientLogin(request))]);
  const refused = refusal.safeParse(body);
  if (refused.success) {
    const { error, error_description: description } = refused.data;
    const words = conceal(description === undefined ? error : `${error}: ${description}`);
    return err(rejected(path, `answered HTTP ${status}, ${words}`));
  }
  if (status === 200) return err(rejected(path, 'answered without a bearer token'));
  if (status >= 300 && status < 400)
    return err(
      rejected(
        path,
        `answered HTTP ${status}, a redirect${hostOf(conceal(String(headers['location'] ?? '')))}, which is not followed`,
      ),
    );
  return err(rejected(path, `answered HTTP ${status} without an error of OAuth2`));
}

function rejected(path: string, what: string): MetricFailure {
  return fail('TokenRejected', `${path}: the token server ${what}`);
}

function late(path: string): MetricFailure {
  return fail(
    'MetricTimeout',
    `${path}.tokenURL: the token server did not answer within the timeout of the query`,
  );
}

function failedCall({ tokenUrl }: TokenRequest, path: string, failure: TransportFailure): MetricFailure {
  const { host } = new URL(tokenUrl);
  const { what } = failure;
  const reason =
    failure.reason === 'AddressRefused' || failure.reason === 'TlsFailed'
      ? failure.reason
      : 'TokenUnreachable';
  return fail(reason, `${path}.tokenURL: ${host} ${what}`);
}
