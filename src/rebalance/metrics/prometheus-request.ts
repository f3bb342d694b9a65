import { unescape } from 'node:querystring';
import type { InternalAxiosRequestConfig } from 'axios';
import { withinDeadline, type Deadline } from '../../foundation/deadline.ts';
import { RAW_ANSWER, USER_AGENT } from '../../foundation/raw-answer.ts';
import { usedTimeoutMs } from '../budget.ts';
import type { PrometheusQuery } from '../spec.ts';
import type { Agents } from './connections.ts';
import { basicLogin, type Login } from './secret-words.ts';

/** One number is asked for, of one series with its labels; an answer beyond this is none. */
const MAX_INSTANT_BYTES = 256 * 1024;
/** Of a range all points are read, beside no sync. */
const MAX_RANGE_BYTES = 4 * 1024 * 1024;

/** A range query's times, both ends included: at most 11,000 points, which is all that Prometheus answers. */
export interface QueryRange {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
}

/** Where a Prometheus is. */
export interface Endpoint {
  /** Without a trailing slash, query and credentials. */
  readonly url: string;
  /** In the address itself; counts where the object names no credentials. */
  readonly login: Login | undefined;
}

/** What is asked of Prometheus. */
export interface Asked {
  readonly metric: PrometheusQuery;
  /** undefined: an instant query, of now. */
  readonly range: QueryRange | undefined;
}

/** What is asked, of whom, over which connections and until when; who asks is added by the signature. */
export interface QueryRequest extends Asked {
  readonly endpoint: Endpoint;
  readonly agents: Agents;
  readonly limit: Limit;
}

/** How long a query may take, with what is asked for it before. */
export interface Limit {
  readonly deadline: Deadline;
  /** The hook's budget leaves less than the object's timeout. */
  readonly isCut: boolean;
}

/** The object's timeout, as far as the deadline of the sync leaves it (see `usedTimeoutMs`). */
export function limitOf({ timeoutMs }: PrometheusQuery, deadline: Deadline): Limit {
  const usedMs = usedTimeoutMs(timeoutMs, deadline.remainingMs());
  return { deadline: withinDeadline(deadline, usedMs), isCut: usedMs < timeoutMs };
}

/**
 * `http://p/prometheus`, with any number of slashes at its end, calls `http://p/prometheus/api/v1/query`. undefined for what
 * is no http or https URL.
 */
export function parseAddress(address: string): Endpoint | undefined {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined;
  const login = { username: unescape(url.username), password: unescape(url.password) };
  return {
    url: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    login: url.username === '' ? undefined : login,
  };
}

/**
 * The request that prometheus-query has built, with what it has no option for: our headers and the object's, the object's
 * parameters, connections, size and deadline.
 */
export function prepare(
  config: InternalAxiosRequestConfig,
  { metric, range, endpoint, agents, limit }: QueryRequest,
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
    maxContentLength: range === undefined ? MAX_INSTANT_BYTES : MAX_RANGE_BYTES,
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
