import { unescape } from 'node:querystring';
import axios, { type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { PrometheusConnectionOptions, PrometheusDriver } from 'prometheus-query';
import { systemClock, type Clock } from '../../foundation/clock.ts';
import { withinDeadline, type Deadline } from '../../foundation/deadline.ts';
import { oneLine } from '../../foundation/one-line.ts';
import { RAW_ANSWER, USER_AGENT } from '../../foundation/raw-answer.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import { createAwsCredentials } from '../aws/credentials.ts';
import type { AwsCredentialSets } from '../aws/port.ts';
import { usedTimeoutMs } from '../budget.ts';
import type { CallContext } from '../secrets.ts';
import type { PrometheusQuery } from '../spec.ts';
import { createAddressPolicy, type AllowedAddress } from './address-policy.ts';
import { createAuthorization, type Sign } from './authorization.ts';
import { createConnections, type Agents } from './connections.ts';
import { guardedLookup, type Resolve } from './guarded-lookup.ts';
import { createTokens } from './oauth2.ts';
import type { MetricFailure, MetricFailureReason, MetricSource } from './port.ts';
import { readAnswer, type HttpAnswer } from './prometheus-answer.ts';
import { basicLogin, redact, type Login } from './secret-words.ts';
import { readTls } from './tls.ts';
import { refuseLiteral, transportFailure, type TransportFailure } from './transport.ts';

/** One number is asked for; an answer beyond this is none. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Prometheus as the hooks and the commands ask it. */
export interface Prometheus extends MetricSource {
  /** Where a metric was in the past; not part of a sync. */
  readRange(
    metric: PrometheusQuery,
    range: QueryRange,
    context: CallContext,
  ): Promise<Result<HttpAnswer, MetricFailure>>;
}

/** A range query's times, both ends included: at most 11,000 points, which is all that Prometheus answers. */
export interface QueryRange {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
}

export interface PrometheusOptions {
  /** What may be called; empty or absent: all but what is never called. */
  readonly allowed?: readonly AllowedAddress[];
  /** How host names are resolved; the system's way where absent. */
  readonly resolve?: Resolve;
  readonly clock?: Clock;
  /** Where all that call AWS take their credentials from; where absent a source of its own. */
  readonly credentials?: AwsCredentialSets;
}

/**
 * Prometheus' instant query, once per evaluation. Connections are kept and reused (by all objects with the same TLS
 * settings); redirects are not followed, proxies of the environment not used; no time is sent, so Prometheus evaluates at
 * its own now.
 */
export function createPrometheus({
  allowed,
  resolve,
  clock = systemClock,
  credentials = createAwsCredentials(clock),
}: PrometheusOptions = {}): Prometheus {
  const policy = createAddressPolicy(allowed);
  const connections = createConnections(guardedLookup(policy, resolve));
  const tokens = createTokens({ connections, policy, clock });
  const authorization = createAuthorization({ tokens, credentials, clock });
  const ask = async (asked: Asked, context: CallContext): Promise<Result<HttpAnswer, MetricFailure>> => {
    const { metric } = asked;
    const endpoint = parseAddress(metric.address);
    if (endpoint === undefined)
      return err(fail('MetricUnreachable', `${metric.path}.address: not an http or https URL`));
    const refused = refuseLiteral(policy, endpoint.url);
    if (refused !== undefined) return err(failedCall({ metric, endpoint }, refused));
    const tls = await readTls(metric.tls, `${metric.path}.tls`, context);
    if (!tls.ok) return tls;
    const limit = limitOf(metric, context.deadline);
    const request = { ...asked, endpoint, agents: connections.of(tls.value), limit };
    return authorization.send(
      metric.auth,
      `${metric.path}.auth`,
      { ...context, deadline: limit.deadline },
      (sign) => query(request, sign),
    );
  };
  return {
    read: async (metric, context) => {
      const answer = await ask({ metric, range: undefined }, context);
      return answer.ok ? readAnswer(metric.path, answer.value) : answer;
    },
    readRange: (metric, range, context) => ask({ metric, range }, context),
  };
}

interface Endpoint {
  /** Without a trailing slash, query and credentials. */
  readonly url: string;
  /** In the address itself; counts where the object names no credentials. */
  readonly login: Login | undefined;
}

interface Asked {
  readonly metric: PrometheusQuery;
  /** undefined: an instant query, of now. */
  readonly range: QueryRange | undefined;
}

interface Request extends Asked {
  readonly endpoint: Endpoint;
  readonly agents: Agents;
  readonly limit: Limit;
}

/** How long a query may take, with what is asked for it before. */
interface Limit {
  readonly deadline: Deadline;
  /** The hook's budget leaves less than the object's timeout. */
  readonly isCut: boolean;
}

function limitOf({ timeoutMs }: PrometheusQuery, deadline: Deadline): Limit {
  const usedMs = usedTimeoutMs(timeoutMs, deadline.remainingMs());
  return { deadline: withinDeadline(deadline, usedMs), isCut: usedMs < timeoutMs };
}

/** `http://p/prometheus`, with any number of slashes at its end, calls `http://p/prometheus/api/v1/query`. */
function parseAddress(address: string): Endpoint | undefined {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined;
  const login = { username: unescape(url.username), password: unescape(url.password) };
  return {
    url: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    login: url.username === '' ? undefined : login,
  };
}

async function query(request: Request, sign: Sign): Promise<Result<HttpAnswer, MetricFailure>> {
  const { metric, range, endpoint, limit } = request;
  let secrets: readonly string[] = [];
  let answer: AxiosResponse<string> | undefined;
  const options = Object.assign(new PrometheusConnectionOptions(), {
    endpoint: endpoint.url,
    requestInterceptor: {
      onFulfilled: async (config: InternalAxiosRequestConfig) => {
        const prepared = prepare(config, request);
        const signed = await sign(new URL(axios.getUri(prepared)));
        prepared.headers.set(signed.headers);
        secrets = [...signed.secrets, endpoint.login?.password ?? ''];
        return prepared;
      },
    },
    responseInterceptor: { onFulfilled: (response: AxiosResponse<string>) => (answer = response) },
  });
  const driver = new PrometheusDriver(options);
  try {
    if (range === undefined) await driver.instantQuery(metric.query);
    else await driver.rangeQuery(metric.query, range.fromMs, range.toMs, range.stepMs / 1000);
  } catch (thrown) {
    // Thrown also for an answer that came: what the library makes of it is not used, see readAnswer.
    if (answer === undefined)
      return err(
        limit.deadline.signal.aborted ? timedOut(metric, limit.isCut) : unreachable(request, thrown),
      );
  }
  return answer === undefined ? err(unreachable(request, undefined)) : ok(httpAnswer(answer, secrets));
}

/** The library builds the request; what it has no option for is set here. */
function prepare(
  config: InternalAxiosRequestConfig,
  { metric, range, endpoint, agents, limit }: Request,
): InternalAxiosRequestConfig {
  config.headers.set({ 'User-Agent': USER_AGENT, ...metric.headers });
  if (endpoint.login !== undefined) config.headers.set('Authorization', basicLogin(endpoint.login));
  const params = { ...metric.queryParams, query: metric.query, ...rangeParams(range) };
  return {
    ...config,
    ...RAW_ANSWER,
    ...agents,
    // The library would add its own clock's now as `time`, and its own timeout; its body is none.
    data: undefined,
    url: `${config.url ?? ''}?${percentEncoded(params)}`,
    params: undefined,
    timeout: 0,
    signal: limit.deadline.signal,
    maxContentLength: MAX_ANSWER_BYTES,
  };
}

/** A space as %20, never as +: what is signed must be what is read. */
function percentEncoded(params: Readonly<Record<string, string>>): string {
  return new URLSearchParams(params).toString().replaceAll('+', '%20');
}

/** In seconds, as Prometheus wants them. */
function rangeParams(range: QueryRange | undefined): Readonly<Record<string, string>> {
  if (range === undefined) return {};
  const { fromMs, toMs, stepMs } = range;
  return { start: String(fromMs / 1000), end: String(toMs / 1000), step: String(stepMs / 1000) };
}

function httpAnswer(response: AxiosResponse<string>, secrets: readonly string[]): HttpAnswer {
  const header = (name: string): string => {
    const value: unknown = response.headers[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    status: response.status,
    contentType: header('content-type'),
    location: header('location'),
    awsErrorType: header('x-amzn-errortype'),
    body: response.status === 200 ? response.data : redact(response.data, secrets),
  };
}

function timedOut(metric: PrometheusQuery, isCut: boolean): MetricFailure {
  const field = `${metric.path}.timeout`;
  return fail(
    'MetricTimeout',
    isCut
      ? `${field}: Prometheus did not answer in time; the timeout was cut to what the hook's budget leaves beside Route 53`
      : `${field}: Prometheus did not answer within ${metric.timeoutMs / 1000}s`,
  );
}

function unreachable(request: Request, thrown: unknown): MetricFailure {
  const { code, message } = describeThrown(thrown);
  if (message.startsWith('maxContentLength'))
    return fail(
      'WrongResultType',
      `${request.metric.path}.query: the answer is larger than 4 MiB, expected one number; aggregate the series`,
    );
  return failedCall(request, transportFailure(code));
}

function failedCall(
  { metric, endpoint }: Pick<Request, 'metric' | 'endpoint'>,
  { reason, what }: TransportFailure,
): MetricFailure {
  return fail(reason, `${metric.path}.address: ${endpoint.url} ${what}`);
}

/** prometheus-query throws plain objects: `code` and `error` are those of the underlying error. */
function describeThrown(thrown: unknown): { readonly code: string; readonly message: string } {
  const { code, error } = (thrown ?? {}) as { readonly code?: unknown; readonly error?: unknown };
  return { code: typeof code === 'string' ? code : '', message: typeof error === 'string' ? error : '' };
}

function fail(reason: MetricFailureReason, message: string): MetricFailure {
  return { reason, message: oneLine(message) };
}
