import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

/**
 * A token server of OAuth2, over real HTTP on loopback: the client credentials grant with the client's login in the header
 * (RFC 6749, 2.3.1 and 4.4). Its tokens are `token-1`, `token-2`, ...
 */
export interface OAuth2StandIn {
  /** The token URL. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly TokenCall[];
  /** What is answered from now on; at first a token of an hour. */
  answerWith(answer: TokenAnswer): void;
  /** Keeps all answers back until the function that it gives is called. */
  holdBack(): () => void;
  stop(): Promise<void>;
}

export interface TokenCall {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  /** User and password of the header, decoded; empty where there are none. */
  readonly login: string;
  readonly form: Readonly<Record<string, string>>;
}

export type TokenAnswer =
  | { readonly kind: 'Token'; readonly more: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'Raw';
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'Hang' };

/** A token that ends in so many seconds; undefined: it does not say. */
export function tokenOf(seconds: unknown, more: Readonly<Record<string, unknown>> = {}): TokenAnswer {
  return { kind: 'Token', more: { token_type: 'Bearer', expires_in: seconds, ...more } };
}

/** An error as RFC 6749, 5.2 has it. */
export function tokenError(status: number, error: string, description?: string): TokenAnswer {
  return { kind: 'Raw', status, body: JSON.stringify({ error, error_description: description }) };
}

export async function startOAuth2StandIn(tls?: ServerOptions): Promise<OAuth2StandIn> {
  const requests: TokenCall[] = [];
  let answer = tokenOf(3600);
  let issued = 0;
  let free: Promise<unknown> = Promise.resolve();
  const onRequest: Parameters<typeof createServer>[1] = (request, response) => {
    void (async () => {
      requests.push(await readCall(request));
      await free;
      const now = answer;
      if (now.kind === 'Hang') return;
      if (now.kind === 'Raw') {
        response.writeHead(now.status, { 'content-type': 'application/json', ...now.headers }).end(now.body);
        return;
      }
      issued += 1;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: `token-${issued}`, ...now.more }));
    })();
  };
  const listening = await listen(
    tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest),
  );
  return {
    url: `${listening.url}/oauth2/token`,
    requests,
    answerWith: (next) => {
      answer = next;
    },
    holdBack: () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      free = promise;
      return () => resolve(undefined);
    },
    stop: () => listening.stop(),
  };
}

async function readCall(request: IncomingMessage): Promise<TokenCall> {
  const { method = '', url = '', headers } = request;
  const login = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
  return {
    method,
    path: url,
    contentType: headers['content-type'] ?? '',
    login: login
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
      .join(':'),
    form: Object.fromEntries(new URLSearchParams(await text(request))),
  };
}
