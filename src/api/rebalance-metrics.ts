import { z } from 'zod';
import type { AwsAuth, PrometheusMetric, PrometheusQuery } from '../rebalance/spec.ts';
import { durationMs, goDurationWithin } from './go-duration.ts';
import { prometheusAuthSchema, toPrometheusAuth } from './prometheus-auth.ts';
import { exactlyOne, withRules } from './rules.ts';
import { tlsSchema, toTls } from './tls.ts';

const MAX_ENTRIES = 32;
/** RFC 9110, 5.6.2: a token. */
const HEADER_NAME = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$";
/** Printable ASCII: nothing that could end a header. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;
/** Parameters of an instant query that the service itself sets. */
const OWN_PARAMS = ['query', 'time', 'timeout'];

const ADDRESS_EXPECTED = 'expected an address such as http://prometheus:9090, with a path prefix at most';
const HEADER_NAME_EXPECTED = 'expected header names of letters, digits and "-"';
const ENTRIES_EXPECTED = `expected at most ${MAX_ENTRIES} keys`;
const OWN_PARAMS_EXPECTED = 'expected no query, time or timeout: the service sets them';

type Texts = Readonly<Record<string, string>>;

const fewEntries = {
  cel: `size(self) <= ${MAX_ENTRIES}`,
  message: ENTRIES_EXPECTED,
  holds: (entries: Texts) => Object.keys(entries).length <= MAX_ENTRIES,
};

const headers = withRules(
  z.record(
    z.string(),
    z
      .string()
      .max(4096)
      .regex(HEADER_VALUE, 'expected printable ASCII')
      .meta({ description: 'Value of the header.' }),
  ),
  [
    {
      cel: `self.all(name, name.matches(r"${HEADER_NAME}"))`,
      message: HEADER_NAME_EXPECTED,
      holds: (entries: Texts) => Object.keys(entries).every((name) => new RegExp(HEADER_NAME).test(name)),
    },
    fewEntries,
  ],
  {
    description: 'Headers sent with the query, such as X-Scope-OrgID. Not for secrets.',
    maxProperties: MAX_ENTRIES,
  },
);

const queryParams = withRules(
  z.record(z.string(), z.string().max(1024).meta({ description: 'Value of the parameter.' })),
  [
    {
      cel: `self.all(name, !(name in ['${OWN_PARAMS.join("', '")}']))`,
      message: OWN_PARAMS_EXPECTED,
      holds: (entries: Texts) => OWN_PARAMS.every((name) => !Object.hasOwn(entries, name)),
    },
    fewEntries,
  ],
  {
    description: 'Parameters sent with the query, such as dedup or partial_response.',
    maxProperties: MAX_ENTRIES,
  },
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
  headers: headers.optional(),
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
