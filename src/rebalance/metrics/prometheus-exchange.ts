import axios, { type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { PrometheusConnectionOptions, PrometheusDriver } from 'prometheus-query';
import { err, ok, type Result } from '../../foundation/result.ts';
import type { PrometheusQuery } from '../spec.ts';
import type { Sign } from './authorization.ts';
import { fail } from './fail.ts';
import type { MetricFailure } from './port.ts';
import type { HttpAnswer } from './prometheus-answer.ts';
import { prepare, type QueryRequest } from './prometheus-request.ts';
import { redact, secretsOf } from './secret-words.ts';
import { transportFailure, type TransportFailure } from './transport.ts';

/**
 * Sends one query, signed as the last thing before it leaves, and gives the answer as it came, whatever its status. Fails
 * only where no answer came in time.
 */
export async function exchange(
  request: QueryRequest,
  sign: Sign,
): Promise<Result<HttpAnswer, MetricFailure>> {
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
        secrets = [...signed.secrets, ...secretsOf(endpoint.login)];
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
    body: response.data,
    conceal: (words) => redact(words, secrets),
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

function unreachable(request: QueryRequest, thrown: unknown): MetricFailure {
  const { code, message } = describeThrown(thrown);
  if (message.startsWith('maxContentLength')) {
    const most = request.range === undefined ? '256 KiB, expected one number' : '4 MiB';
    return fail(
      'WrongResultType',
      `${request.metric.path}.query: the answer is larger than ${most}; aggregate the series`,
    );
  }
  return failedCall(request, transportFailure(code));
}

/** A call that did not come to an answer, with the address as the object names it, without credentials. */
export function failedCall(
  { metric, endpoint }: Pick<QueryRequest, 'metric' | 'endpoint'>,
  { reason, what }: TransportFailure,
): MetricFailure {
  return fail(reason, `${metric.path}.address: ${endpoint.url} ${what}`);
}

/** prometheus-query throws plain objects: `code` and `error` are those of the underlying error. */
function describeThrown(thrown: unknown): { readonly code: string; readonly message: string } {
  const { code, error } = (thrown ?? {}) as { readonly code?: unknown; readonly error?: unknown };
  return { code: typeof code === 'string' ? code : '', message: typeof error === 'string' ? error : '' };
}
