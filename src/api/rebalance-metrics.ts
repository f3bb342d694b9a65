import { z } from 'zod';
import type { AwsAuth, PrometheusMetric, PrometheusQuery } from '../rebalance/spec.ts';
import { durationMs, goDurationWithin } from './go-duration.ts';
import { prometheusAuthSchema, toPrometheusAuth } from './prometheus-auth.ts';
import { headersSchema } from './query-headers.ts';
import { exactlyOne, withRules } from './rules.ts';
import { noneOf, textMap } from './text-map.ts';
import { tlsSchema, toTls } from './tls.ts';

/** Parameters of an instant query that the service itself sets. */
const OWN_PARAMS = ['query', 'time', 'timeout'];

const ADDRESS_EXPECTED = 'expected an address such as http://prometheus:9090, with a path prefix at most';

const queryParams = textMap(
  z.string().max(1024).meta({ description: 'Value of the parameter.' }),
  [noneOf(OWN_PARAMS, 'expected no query, time or timeout: the service sets them')],
  'Parameters sent with the query, such as dedup or partial_response.',
);

const MAX_WINDOW_MS = 86_400_000;

const windowSchema = goDurationWithin(
  { minMs: 0, maxMs: MAX_WINDOW_MS, expected: 'expected a duration from 0s to 24h' },
  'How far back the query looks, a Go duration: the range of rate() or avg_over_time(), one scrape interval for irate(), 0s for a gauge.',
);

const prometheusObject = z.object({
  address: withRules(
    z
      .string()
      .max(2048)
      .regex(/^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/, ADDRESS_EXPECTED),
    [
      {
        cel: 'isURL(self)',
        message: ADDRESS_EXPECTED,
        holds: (text: string) => URL.canParse(text),
      },
    ],
    { description: 'Address of Prometheus, http or https; a path prefix is kept.' },
  ),
  query: z
    .string()
    .min(1)
    .max(8192)
    .meta({ description: 'PromQL whose result is a scalar, or a vector of exactly one series.' }),
  timeout: z.int().min(1).max(3600).default(10).meta({
    description: "Seconds until a query is given up; cut to what the hook's budget leaves beside Route 53.",
  }),
  noData: z.enum(['Hold', 'Zero', 'Fail']).default('Hold').meta({
    description:
      'What an empty result or NaN means: Hold keeps the weight, Zero counts as 0, Fail counts as a failure.',
  }),
  window: windowSchema.optional(),
  headers: headersSchema.optional(),
  queryParams: queryParams.optional(),
  auth: prometheusAuthSchema.optional(),
  tls: tlsSchema.optional(),
});

const TLS_RULES = [
  {
    cel: "!has(self.tls) || self.address.startsWith('https:')",
    message: 'tls is for an https address',
    holds: ({ tls, address }: { readonly tls?: unknown; readonly address: string }) =>
      tls === undefined || address.startsWith('https:'),
  },
];

/** A query that a weight follows. */
export const prometheusSchema = withRules(prometheusObject, TLS_RULES, {
  description: 'An instant query of Prometheus.',
});

/** A query that must be above 0: it needs no rule for missing data, and no window. */
export const prometheusGuardSchema = withRules(
  prometheusObject.omit({ noData: true, window: true }),
  TLS_RULES,
  { description: 'An instant query of Prometheus; no number is not above 0.' },
);

/** spec.metrics on the wire. */
export const metricsSchema = exactlyOne(
  'prometheus',
  prometheusSchema,
  'Where the load is measured: exactly one source.',
);

/** Wire to domain, of the query at `path`: seconds to milliseconds. `targetAuth`: the AWS credentials of the object. */
export function toPrometheusMetric(
  wire: z.output<typeof prometheusSchema>,
  path: string,
  targetAuth: AwsAuth,
): PrometheusMetric {
  return {
    ...toPrometheusQuery(wire, path, targetAuth),
    noData: wire.noData,
    windowMs: wire.window === undefined ? 0 : durationMs(wire.window),
  };
}

/** Wire to domain, of what every query has; see `toPrometheusMetric`. */
export function toPrometheusQuery(
  wire: z.output<typeof prometheusGuardSchema>,
  path: string,
  targetAuth: AwsAuth,
): PrometheusQuery {
  return {
    kind: 'Prometheus',
    path,
    address: wire.address,
    query: wire.query,
    timeoutMs: wire.timeout * 1000,
    headers: wire.headers ?? {},
    queryParams: wire.queryParams ?? {},
    auth: toPrometheusAuth(wire.auth, targetAuth),
    tls: toTls(wire.tls),
  };
}
