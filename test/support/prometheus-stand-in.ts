import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from './listen.ts';

/**
 * A Prometheus that answers what it is told to: the instant query of its HTTP API, over real HTTP on loopback. Written
 * from https://prometheus.io/docs/prometheus/latest/querying/api/ (formats of errors, results and warnings).
 */
export interface PrometheusStandIn {
  readonly url: string;
  /** What `query` answers from now on. */
  set(query: string, answer: PrometheusAnswer): void;
  /** What every query without an answer of its own gives; at first an empty vector, as for an unknown series. */
  setDefault(answer: PrometheusAnswer): void;
  /** Every request to the API so far, oldest first. */
  readonly requests: readonly PrometheusRequest[];
  /** TCP connections accepted so far. */
  connections(): number;
  stop(): Promise<void>;
}

export interface PrometheusRequest {
  readonly method: string;
  readonly path: string;
  /** Path and query as they came. */
  readonly target: string;
  readonly parameters: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

export type PrometheusAnswer =
  /** HTTP 200 with `data`, after `delayMs`; numbers and "NaN", "+Inf" are texts, as on the wire. */
  | {
      readonly kind: 'Success';
      readonly data: unknown;
      readonly warnings?: readonly string[];
      readonly infos?: readonly string[];
      readonly delayMs?: number;
    }
  | {
      readonly kind: 'Error';
      readonly httpStatus: number;
      readonly errorType: string;
      readonly error: string;
    }
  /** Whatever a proxy or a wrong address may give. */
  | {
      readonly kind: 'Raw';
      readonly httpStatus: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  /** Accepts the request and never answers. */
  | { readonly kind: 'Hang' }
  /** Closes the connection without an answer. */
  | { readonly kind: 'Reset' };

/** A scalar, as `scalar(...)` gives it. */
export function scalar(value: number | string): PrometheusAnswer {
  return success({ resultType: 'scalar', result: sample(value) });
}

/** A vector of one series per value; without values it is empty. */
export function vector(...values: readonly (number | string)[]): PrometheusAnswer {
  return success({
    resultType: 'vector',
    result: values.map((value, index) => ({
      metric: { __name__: 'requests', instance: `node-${index}` },
      value: sample(value),
    })),
  });
}

/** A vector without series: what an absent metric gives. */
export const noSeries = vector();

/** A range, as `requests[5m]` gives it. */
export const matrix = success({
  resultType: 'matrix',
  result: [{ metric: { __name__: 'requests' }, values: [sample(1), sample(2)] }],
});

/** A string literal. */
export const text = success({ resultType: 'string', result: sample('three') });

/** `answer` with warnings beside its data: the data is partial. */
export function withWarnings(answer: PrometheusAnswer, ...warnings: readonly string[]): PrometheusAnswer {
  return answer.kind === 'Success' ? { ...answer, warnings } : answer;
}

/** `answer` after a delay. */
export function delayed(answer: PrometheusAnswer, delayMs: number): PrometheusAnswer {
  return answer.kind === 'Success' ? { ...answer, delayMs } : answer;
}

/** An error in Prometheus' own form, such as (422, 'execution', 'multiple matches for labels'). */
export function apiError(httpStatus: number, errorType: string, error: string): PrometheusAnswer {
  return { kind: 'Error', httpStatus, errorType, error };
}

/** A web page, such as a login form or a proxy's error. */
export function html(httpStatus = 200): PrometheusAnswer {
  return raw(httpStatus, 'text/html; charset=utf-8', '<!doctype html><title>Sign in</title>');
}

export function raw(httpStatus: number, contentType: string, body: string): PrometheusAnswer {
  return { kind: 'Raw', httpStatus, headers: { 'content-type': contentType }, body };
}

export function redirect(location: string): PrometheusAnswer {
  return { kind: 'Raw', httpStatus: 302, headers: { location }, body: '' };
}

export const hang: PrometheusAnswer = { kind: 'Hang' };
export const reset: PrometheusAnswer = { kind: 'Reset' };

export interface PrometheusStandInOptions {
  /** The path of `--web.route-prefix`, such as `/prometheus`. */
  readonly prefix?: string;
  readonly port?: number;
  /** Makes it speak https. */
  readonly tls?: ServerOptions;
  /** What answers a request in place of Prometheus, such as a proxy that asks who it is; undefined: nobody. */
  readonly refuse?: (request: PrometheusRequest) => PrometheusAnswer | undefined;
}

/** Starts the stand-in. */
export async function startPrometheusStandIn(
  options: PrometheusStandInOptions = {},
): Promise<PrometheusStandIn> {
  const answers = new Map<string, PrometheusAnswer>();
  const requests: PrometheusRequest[] = [];
  let fallback = noSeries;
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    void serve(request, response);
  };
  const server =
    options.tls === undefined ? createServer(onRequest) : createTlsServer(options.tls, onRequest);
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://prometheus');
    const parameters = url.searchParams;
    const { method = '', url: target = '', headers } = request;
    const asked = { method, path: url.pathname, target, parameters, headers };
    requests.push(asked);
    const refusal = options.refuse?.(asked);
    if (refusal !== undefined) {
      respond(response, refusal);
      return;
    }
    if (url.pathname !== `${options.prefix ?? ''}/api/v1/query`) {
      respond(response, raw(404, 'text/plain; charset=utf-8', '404 page not found\n'));
      return;
    }
    const query = parameters.get('query') ?? '';
    const answer = query === '' ? emptyQuery : (answers.get(query) ?? fallback);
    if (answer.kind === 'Success' && answer.delayMs !== undefined) await delay(answer.delayMs);
    respond(response, answer);
  };
  const listening = await listen(server, options.port === undefined ? {} : { port: options.port });
  return {
    ...listening,
    requests,
    set: (query, answer) => answers.set(query, answer),
    setDefault: (answer) => {
      fallback = answer;
    },
  };
}

const emptyQuery = apiError(
  400,
  'bad_data',
  'invalid parameter "query": unknown position: parse error: no expression found in input',
);

function success(data: unknown): PrometheusAnswer {
  return { kind: 'Success', data };
}

/** A sample on the wire: seconds since the epoch, and the value as text. */
function sample(value: number | string): readonly [number, string] {
  return [1_700_000_000, String(value)];
}

function respond(response: ServerResponse, answer: PrometheusAnswer): void {
  switch (answer.kind) {
    case 'Success': {
      const { data, warnings, infos } = answer;
      sendJson(response, 200, { status: 'success', data, warnings, infos });
      return;
    }
    case 'Error':
      sendJson(response, answer.httpStatus, {
        status: 'error',
        errorType: answer.errorType,
        error: answer.error,
      });
      return;
    case 'Raw':
      response.writeHead(answer.httpStatus, answer.headers).end(answer.body);
      return;
    case 'Hang':
      return;
    case 'Reset':
      response.socket?.resetAndDestroy();
      return;
  }
}

function sendJson(response: ServerResponse, httpStatus: number, body: object): void {
  response.writeHead(httpStatus, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
