import { PROMETHEUS, withPart, type Refused } from '../../../support/rebalance-wire.ts';
import { wireSpec } from '../../../support/rebalance.ts';

/** What is wrong with a query. */
export const refusedQueries: readonly Refused[] = [
  ...['prometheus:9090', 'ftp://prometheus', 'http://', 'http://prometheus?x=1', 'http://[::1'].map(
    (address) => ({
      name: `an address that is none: ${address}`,
      spec: withPart(`${PROMETHEUS}.address`, address),
      problems: [
        'spec.metrics.prometheus.address: expected an address such as http://prometheus:9090, with a path prefix at most',
      ],
    }),
  ),
  {
    name: 'an empty query',
    spec: withPart(`${PROMETHEUS}.query`, ''),
    problems: ['spec.metrics.prometheus.query: must not be empty'],
  },
  {
    name: 'a timeout of 0 (s8: the original takes a missing one as 0, expired at once)',
    spec: withPart(`${PROMETHEUS}.timeout`, 0),
    problems: ['spec.metrics.prometheus.timeout: expected at least 1'],
  },
  {
    name: 'a rule for no data that does not exist',
    spec: withPart(`${PROMETHEUS}.noData`, 'Ignore'),
    problems: ['spec.metrics.prometheus.noData: expected one of Hold, Zero, Fail'],
  },
  {
    name: 'a window of more than a day',
    spec: withPart(`${PROMETHEUS}.window`, '25h'),
    problems: ['spec.metrics.prometheus.window: expected a duration from 0s to 24h'],
  },
  {
    name: 'more values than any object has',
    spec: { ...wireSpec(), additionalMetrics: Array.from({ length: 2_000_000 }, () => 1) },
    problems: ['spec: expected at most 20000 values'],
  },
  {
    name: 'a header name with a space',
    spec: withPart(`${PROMETHEUS}.headers`, { 'X-Scope': 'a', 'X Scope': 'a' }),
    problems: ['spec.metrics.prometheus.headers: expected header names of letters, digits and "-"'],
  },
  {
    name: 'a header value that would begin another header',
    spec: withPart(`${PROMETHEUS}.headers`, { 'X-Scope': 'a\r\nX-Other: b' }),
    problems: ['spec.metrics.prometheus.headers.X-Scope: expected printable ASCII'],
  },
  ...['Authorization', 'authorization'].map((name) => ({
    name: `a header ${name}, for which there are Secrets`,
    spec: withPart(`${PROMETHEUS}.headers`, { [name]: 'Bearer abc' }),
    problems: ['spec.metrics.prometheus.headers: expected no Authorization: name a Secret by auth instead'],
  })),
  ...[
    'Host',
    'HOST',
    'User-Agent',
    'Accept-Encoding',
    'Connection',
    'Keep-Alive',
    'Proxy-Connection',
    'Proxy-Authorization',
    'te',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Expect',
    'Content-Length',
    'Content-Encoding',
    'Content-Type',
    'X-Amz-Date',
    'X-Amz-Security-Token',
    'X-Amz-Content-Sha256',
  ].map((name) => ({
    name: `a header ${name}, which is not the user's to set`,
    spec: withPart(`${PROMETHEUS}.headers`, { 'X-Scope-OrgID': 'a', [name]: 'a' }),
    problems: [
      'spec.metrics.prometheus.headers: expected no header that the service or the connection sets, such as Host or Content-Length',
    ],
  })),
  {
    name: 'too many headers',
    spec: withPart(
      `${PROMETHEUS}.headers`,
      Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`X-${n}`, 'a'])),
    ),
    problems: ['spec.metrics.prometheus.headers: expected at most 32 keys'],
  },
  {
    name: 'a parameter that the service sets',
    spec: withPart(`${PROMETHEUS}.queryParams`, { time: '0' }),
    problems: [
      'spec.metrics.prometheus.queryParams: expected no query, time or timeout: the service sets them',
    ],
  },
];
