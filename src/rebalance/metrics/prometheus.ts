import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { unescape } from 'node:querystring';
import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { PrometheusConnectionOptions, PrometheusDriver } from 'prometheus-query';
import { withinDeadline, type Deadline } from '../../foundation/deadline.ts';
import { oneLine } from '../../foundation/one-line.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import { usedTimeoutMs } from '../budget.ts';
import type { CallContext } from '../secrets.ts';
import type { PrometheusQuery } from '../spec.ts';
import type { MetricFailure, MetricFailureReason, MetricSource } from './port.ts';
import { readAnswer, type HttpAnswer } from './prometheus-answer.ts';

/** One number is asked for; an answer beyond this is none. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Prometheus' instant query, once per evaluation. Connections are kept and reused (one pool for all objects); redirects
 * are not followed, proxies of the environment not used; no time is sent, so Prometheus evaluates at its own now.
 */
export function createPrometheusSource(): MetricSource {
  const agents = {
    httpAgent: new HttpAgent({ keepAlive: true }),
    httpsAgent: new HttpsAgent({ keepAlive: true }),
  };
  return {
    read: async (metric, context) => {
      const answer = await ask({ metric, agents }, context);
      return answer.ok ? readAnswer(metric.path, answer.value) : answer;
    },
  };
}

/** A range query's times, both ends included: at most 11,000 points, which is all that Prometheus answers. */
export interface QueryRange {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
}

/** Where a metric was in the past; not part of a sync, so its own connection each. */
export async function queryRange(
  metric: PrometheusQuery,
  range: QueryRange,
  context: CallContext,
): Promise<Result<HttpAnswer, MetricFailure>> {
  return ask(
    { metric, range, agents: { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() } },
    context,
  );
}

async function ask(
  asked: Pick<Request, 'metric' | 'range' | 'agents'>,
  context: CallContext,
): Promise<Result<HttpAnswer, MetricFailure>> {
  const { metric } = asked;
  const endpoint = parseAddress(metric.address);
  if (endpoint === undefined)
    return err(fail('MetricUnreachable', `${metric.path}.address: not an http or https URL`));
  const login = await readLogin(metric, endpoint, context);
  if (!login.ok) return login;
  return query({ ...asked, endpoint, login: login.value }, context.deadline);
}

interface Endpoint {
  /** Without a trailing slash, query and credentials. */
  readonly url: string;
  /** Credentials in the address itself. */
  readonly login: Login | undefined;
}

interface Login {
  readonly username: string;
  readonly password: string;
}

interface Request {
  readonly metric: PrometheusQuery;
  /** undefined: an instant query, of now. */
  readonly range?: QueryRange | undefined;
  readonly endpoint: Endpoint;
  readonly login: Login | undefined;
  readonly agents: { readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent };
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

/** Basic auth from the Secret, else from the address, else none. */
async function readLogin(
  { auth }: PrometheusQuery,
  endpoint: Endpoint,
  { secrets, deadline }: CallContext,
): Promise<Result<Login | undefined, MetricFailure>> {
  if (auth.kind === 'None') return ok(endpoint.login);
  const [username, password] = await Promise.all([
    secrets.read(auth.user, deadline),
    secrets.read(auth.password, deadline),
  ]);
  if (!username.ok) return username;
  if (!password.ok) return password;
  return ok({ username: username.value, password: password.value });
}

async function query(request: Request, deadline: Deadline): Promise<Result<HttpAnswer, MetricFailure>> {
  const { metric, range, endpoint } = request;
  const timeoutMs = usedTimeoutMs(metric.timeoutMs, deadline.remainingMs());
  const isCut = timeoutMs < metric.timeoutMs;
  const limit = withinDeadline(deadline, timeoutMs);
  let answer: AxiosResponse<string> | undefined;
  const options = Object.assign(new PrometheusConnectionOptions(), {
    endpoint: endpoint.url,
    requestInterceptor: {
      onFulfilled: (config: InternalAxiosRequestConfig) => prepare(config, request, limit.signal),
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
      return err(limit.signal.aborted ? timedOut(metric, isCut) : unreachable(request, thrown));
  }
  return answer === undefined ? err(unreachable(request, undefined)) : ok(httpAnswer(answer));
}

/** The library builds the request; what it has no option for is set here. */
function prepare(
  config: InternalAxiosRequestConfig,
  { metric, range, login, agents }: Request,
  signal: AbortSignal,
): InternalAxiosRequestConfig {
  config.headers.set({ 'User-Agent': 'counterpoise', ...metric.headers });
  return {
    ...config,
    ...agents,
    // The library would add its own clock's now as `time`, and its own timeout.
    params: new URLSearchParams({ ...metric.queryParams, query: metric.query, ...rangeParams(range) }),
    timeout: 0,
    signal,
    ...(login === undefined ? {} : { auth: login }),
    proxy: false,
    maxRedirects: 0,
    maxContentLength: MAX_ANSWER_BYTES,
    responseType: 'text',
    transformResponse: (body: unknown) => body,
    validateStatus: () => true,
  };
}

/** In seconds, as Prometheus wants them. */
function rangeParams(range: QueryRange | undefined): Readonly<Record<string, string>> {
  if (range === undefined) return {};
  const { fromMs, toMs, stepMs } = range;
  return { start: String(fromMs / 1000), end: String(toMs / 1000), step: String(stepMs / 1000) };
}

function httpAnswer(response: AxiosResponse<string>): HttpAnswer {
  const contentType: unknown = response.headers['content-type'];
  return {
    status: response.status,
    contentType: typeof contentType === 'string' ? contentType : '',
    body: response.data,
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

/** What Node's error codes mean to the person on call. */
const TRANSPORT_FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection without an answer',
  EPIPE: 'closed the connection without an answer',
  ENOTFOUND: 'has a host name that does not resolve',
  EAI_AGAIN: 'has a host name that does not resolve at the moment',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
  ETIMEDOUT: 'did not accept the connection in time',
};

function unreachable({ metric, endpoint }: Request, thrown: unknown): MetricFailure {
  const address = `${metric.path}.address`;
  const { code, message } = describeThrown(thrown);
  if (message.startsWith('maxContentLength'))
    return fail(
      'WrongResultType',
      `${metric.path}.query: the answer is larger than 4 MiB, expected one number; aggregate the series`,
    );
  if (code.startsWith('HPE_'))
    return fail('NotPrometheus', `${address}: ${endpoint.url} does not speak HTTP (${code})`);
  const what = TRANSPORT_FAILURES[code] ?? 'could not be called';
  return fail('MetricUnreachable', `${address}: ${endpoint.url} ${what}${code === '' ? '' : ` (${code})`}`);
}

/** prometheus-query throws plain objects: `code` and `error` are those of the underlying error. */
function describeThrown(thrown: unknown): { readonly code: string; readonly message: string } {
  const { code, error } = (thrown ?? {}) as { readonly code?: unknown; readonly error?: unknown };
  return { code: typeof code === 'string' ? code : '', message: typeof error === 'string' ? error : '' };
}

function fail(reason: MetricFailureReason, message: string): MetricFailure {
  return { reason, message: oneLine(message) };
}
