import { z } from 'zod';
import { parseJson } from '../../foundation/json.ts';
import { oneLine } from '../../foundation/one-line.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import { awsWords } from '../aws/failures.ts';
import { fail } from './fail.ts';
import type { MetricFailure, MetricReading } from './port.ts';
import { hostOf } from './transport.ts';

/** What came back over HTTP, before anybody read it. */
export interface HttpAnswer {
  readonly status: number;
  /** Empty where the answer names none. */
  readonly contentType: string;
  /** Where a redirect leads; empty where the answer is none. */
  readonly location: string;
  /** AWS' code of an error; empty where the answer is none of AWS. */
  readonly awsErrorType: string;
  readonly body: string;
  /** Its words as they may be told: without what was sent to say who asks. */
  readonly conceal: (words: string) => string;
}

/** Timestamp in seconds, and the value as text: https://prometheus.io/docs/prometheus/latest/querying/api/#scalars */
const sample = z.tuple([z.number(), z.string()]);

/**
 * A list of which the first alone is read: a schema of items would read a million that nobody asked for, and remember what
 * is wrong with each.
 */
function firstOf<S extends z.ZodType>(item: S) {
  return z.transform((list: unknown, context): { readonly first?: z.output<S>; readonly count: number } => {
    if (!Array.isArray(list)) {
      context.issues.push({ code: 'custom', input: list });
      return z.NEVER;
    }
    if (list.length === 0) return { count: 0 };
    const first = item.safeParse(list[0]);
    if (first.success) return { first: first.data, count: list.length };
    context.issues.push({ code: 'custom', input: list[0] });
    return z.NEVER;
  });
}

const success = z.object({
  status: z.literal('success'),
  data: z.discriminatedUnion('resultType', [
    z.object({ resultType: z.literal('scalar'), result: sample }),
    // A series carries `value`, or `histogram` where it is a native histogram.
    z.object({ resultType: z.literal('vector'), result: firstOf(z.object({ value: sample.optional() })) }),
    z.object({ resultType: z.literal('matrix') }),
    z.object({ resultType: z.literal('string') }),
  ]),
  // `infos` are hints about the query; only `warnings` mean that data is missing.
  warnings: firstOf(z.string()).optional(),
});

const failure = z.object({ status: z.literal('error'), errorType: z.string(), error: z.string() });

/** The body of an error of AWS, whose services do not agree on the case. */
const awsMessage = z.object({ message: z.string().optional(), Message: z.string().optional() });

type Success = z.infer<typeof success>;

/**
 * The number in the answer to the instant query at `path` of the object. The raw text is read, not what prometheus-query
 * makes of it: there "+Inf" becomes NaN, warnings are dropped, and an HTML page with status 200 is a network error.
 */
export function readAnswer(path: string, answer: HttpAnswer): Result<MetricReading, MetricFailure> {
  const body = parseJson(answer.body);
  const refused = failure.safeParse(body);
  if (refused.success) {
    const { errorType, error } = refused.data;
    return err(rejected(path, answer.status, answer.conceal(`${errorType}: ${error}`)));
  }
  if (answer.status >= 300) return err(withoutPrometheusWords(path, answer));
  const parsed = success.safeParse(body);
  if (!parsed.success) return err(notPrometheus(path, answer));
  const { data, warnings } = parsed.data;
  if (warnings?.first !== undefined)
    return err(partial(path, answer.conceal(warnings.first), warnings.count - 1));
  return readResult(path, data);
}

function readResult(path: string, data: Success['data']): Result<MetricReading, MetricFailure> {
  switch (data.resultType) {
    case 'scalar':
      return readNumber(path, data.result[1]);
    case 'vector': {
      const { first: series, count } = data.result;
      if (series === undefined)
        return ok({ kind: 'NoData', reason: 'NoSeries', message: `${path}.query: the result has no series` });
      if (count > 1) return err(severalSeries(path, count));
      return series.value === undefined
        ? err(wrongType(path, 'a histogram'))
        : readNumber(path, series.value[1]);
    }
    case 'matrix':
      return err(wrongType(path, 'a range of samples'));
    case 'string':
      return err(wrongType(path, 'a string'));
  }
}

/** What one value of an answer to the query at `path` means, by its text. */
export function readNumber(path: string, text: string): Result<MetricReading, MetricFailure> {
  if (text === 'NaN')
    return ok({ kind: 'NoData', reason: 'NotANumber', message: `${path}.query: the result is NaN` });
  if (/^[+-]?Inf$/.test(text))
    return err(
      fail('InfiniteValue', `${path}.query: the result is ${text}; guard the query against division by zero`),
    );
  return ok({ kind: 'Value', text });
}

function severalSeries(path: string, count: number): MetricFailure {
  return fail(
    'SeveralSeries',
    `${path}.query: the result has ${count} series, expected one; aggregate them, for example with sum(...)`,
  );
}

function wrongType(path: string, what: string): MetricFailure {
  return fail(
    'WrongResultType',
    `${path}.query: the result is ${what}, expected a scalar or a vector of one series`,
  );
}

function partial(path: string, first: string, others: number): MetricFailure {
  const more = others === 0 ? '' : ` (and ${others} more)`;
  return fail(
    'PartialData',
    `${path}.query: Prometheus warns that the result is incomplete: ${first}${more}`,
  );
}

function rejected(path: string, status: number, words: string): MetricFailure {
  return fail(
    'QueryRejected',
    `${path}.${isAuth(status) ? 'auth' : 'query'}: Prometheus answered HTTP ${status}, ${words}`,
  );
}

/** An HTTP error of a proxy, a login or a wrong path; a web page says nothing to the person on call. */
function withoutPrometheusWords(path: string, answer: HttpAnswer): MetricFailure {
  const { status } = answer;
  const location = answer.conceal(answer.location);
  const words = wordsOf(answer);
  if (isAuth(status))
    return fail(
      'QueryRejected',
      `${path}.auth: HTTP ${status}, the credentials are missing or wrong${words}`,
    );
  if (status < 400)
    return fail(
      'NotPrometheus',
      `${path}.address: HTTP ${status}, a redirect${hostOf(location)}, which is not followed; name the final address`,
    );
  if (status === 404)
    return fail(
      'QueryRejected',
      `${path}.address: HTTP 404, no Prometheus API at this path; check the path prefix${words}`,
    );
  return fail('QueryRejected', `${path}.address: HTTP ${status} without an error of Prometheus${words}`);
}

function wordsOf({ contentType, awsErrorType, body, conceal }: HttpAnswer): string {
  if (contentType.startsWith('text/plain') && body.trim() !== '') return `: ${oneLine(conceal(body), 120)}`;
  const said = awsErrorType === '' ? undefined : awsMessage.safeParse(parseJson(body)).data;
  const words = said?.message ?? said?.Message;
  return words === undefined ? '' : `; AWS says: ${awsWords(conceal(words))}`;
}

function notPrometheus(path: string, { contentType, conceal }: HttpAnswer): MetricFailure {
  const type = contentType === '' ? 'no content type' : (conceal(contentType).split(';')[0] ?? '');
  return fail(
    'NotPrometheus',
    `${path}.address: the answer is not one of Prometheus' API (${type}); check host, port and path`,
  );
}

function isAuth(status: number): boolean {
  return status === 401 || status === 403;
}
