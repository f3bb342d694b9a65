import assert from 'node:assert/strict';
import { parseRebalanceSpec, readIntervalMs, rebalanceSpecSchema } from '../../../src/api/rebalance.ts';
import { displayRational } from '../../../src/foundation/rational.ts';
import type { RebalanceSpec } from '../../../src/rebalance/spec.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { wireSpec } from '../../support/rebalance.ts';

type Wire = Readonly<Record<string, unknown>>;

/** The example with one part replaced, by its path below spec. */
function withPart(path: string, value: unknown): Wire {
  const copy = structuredClone(wireSpec()) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let node: Record<string, unknown> = copy;
  for (const key of keys) node = (node[key] ??= {}) as Record<string, unknown>;
  node[last] = value;
  return copy;
}

const POLICY = 'policy.targettracking';
const ROUTE53 = 'target.route53';
const PROMETHEUS = 'metrics.prometheus';

/** The example with a list of records in place of its one. */
function severalOf(...resources: readonly Wire[]): Wire {
  const resource = { name: 'example.com', type: 'A' };
  return { ...wireSpec(), target: { route53: { hostedZoneID: 'Z1', resource, resources } } };
}

const floor = (more: Wire = {}) => [{ startTime: '19:00', endTime: '23:00', value: 20, ...more }];

const query = (more: Wire = {}) => ({ address: 'http://prometheus:9090', query: 'load', ...more });
const additional = (name: string, more?: Wire) => ({ name, targetValue: 10, prometheus: query(more) });
const guard = (name: string) => ({ name, stops: 'Both', prometheus: query() });
const loadSpec = wireSpec({ signal: 'load' }, { metrics: { prometheus: query({ window: '1m' }) } });

/** The example over TLS. */
function withTls(tls: Wire): Wire {
  return {
    ...wireSpec(),
    metrics: { prometheus: { address: 'https://prometheus', query: 'load', tls } },
  };
}

const CLIENT = {
  clientIDSecretRef: { name: 'client', key: 'id' },
  clientSecretSecretRef: { name: 'client', key: 'secret' },
};

/** The example with a token of OAuth2. */
function withOAuth2(more: Wire): Wire {
  const oauth2 = { tokenURL: 'https://login/token', ...CLIENT, ...more };
  return withPart(`${PROMETHEUS}.auth`, { oauth2 });
}

interface Problem {
  readonly name: string;
  readonly spec: unknown;
  readonly problems: readonly string[];
}

const problems: readonly Problem[] = [
  { name: 'no spec at all', spec: undefined, problems: ['spec: is required'] },
  {
    name: 'a selectPolicy without policies to select from',
    spec: withPart('behavior', { increase: { selectPolicy: 'Min' } }),
    problems: ['spec.behavior.increase: selectPolicy Max or Min needs policies to select from'],
  },
  {
    name: 'a window and policies beyond what is remembered',
    spec: withPart('behavior', {
      decrease: {
        stabilizationWindowSeconds: 3601,
        policies: [
          { type: 'Weight', value: 1, periodSeconds: 1801 },
          { type: 'Pods', value: 0, periodSeconds: 60 },
        ],
        selectPolicy: 'max',
      },
    }),
    problems: [
      'spec.behavior.decrease.stabilizationWindowSeconds: expected at most 3600',
      'spec.behavior.decrease.policies[0].periodSeconds: expected at most 1800',
      'spec.behavior.decrease.policies[1].type: expected one of Weight, Percent',
      'spec.behavior.decrease.policies[1].value: expected at least 1',
      'spec.behavior.decrease.selectPolicy: expected one of Max, Min, Disabled',
    ],
  },
  { name: 'a spec of null', spec: null, problems: ['spec: is required'] },
  { name: 'a spec that is a list', spec: [], problems: ['spec: expected an object'] },
  {
    name: 'an empty spec: every part that is missing is named',
    spec: {},
    problems: ['spec.policy: is required', 'spec.target: is required', 'spec.metrics: is required'],
  },
  {
    name: 'a policy without its one key',
    spec: withPart('policy', {}),
    problems: ['spec.policy.targettracking: is required'],
  },
  {
    name: 'a target of another kind',
    spec: withPart('target', { cloudflare: {} }),
    problems: ['spec.target.route53: is required'],
  },
  {
    name: 'metrics without a source',
    spec: withPart('metrics', { prometheus: null }),
    problems: ['spec.metrics.prometheus: is required'],
  },
  {
    name: 'an interval that is no duration',
    spec: withPart('interval', 'soon'),
    problems: ['spec.interval: expected a Go duration such as 90s or 1h30m'],
  },
  {
    name: 'an interval below 1s',
    spec: withPart('interval', '999ms'),
    problems: ['spec.interval: expected a duration from 1s to 24h'],
  },
  {
    name: 'an interval above 24h',
    spec: withPart('interval', '24h1s'),
    problems: ['spec.interval: expected a duration from 1s to 24h'],
  },
  {
    name: 'a negative interval',
    spec: withPart('interval', '-1m'),
    problems: ['spec.interval: expected a Go duration such as 90s or 1h30m'],
  },
  {
    name: 'an interval that is a number',
    spec: withPart('interval', 60),
    problems: ['spec.interval: expected a string'],
  },
  {
    name: 'a target value of 0',
    spec: withPart(`${POLICY}.targetValue`, 0),
    problems: ['spec.policy.targettracking.targetValue: expected a number above 0'],
  },
  {
    name: 'a target value beyond every number that counts (1e400 arrives as an infinity)',
    spec: withPart(`${POLICY}.targetValue`, Infinity),
    problems: ['spec.policy.targettracking.targetValue: expected a number'],
  },
  {
    name: 'a target value that is a text',
    spec: withPart(`${POLICY}.targetValue`, '1000'),
    problems: ['spec.policy.targettracking.targetValue: expected a number'],
  },
  {
    name: 'a base value of 0, and one of 256',
    spec: withPart(`${POLICY}.baseValue`, 0),
    problems: ['spec.policy.targettracking.baseValue: expected at least 1'],
  },
  {
    name: 'a base value that no record can have',
    spec: withPart(`${POLICY}.baseValue`, 256),
    problems: ['spec.policy.targettracking.baseValue: expected at most 255'],
  },
  {
    name: 'a base value with a fraction',
    spec: withPart(`${POLICY}.baseValue`, 8.5),
    problems: ['spec.policy.targettracking.baseValue: expected an integer'],
  },
  {
    name: 'a minimum above the maximum',
    spec: withPart(POLICY, { targetValue: 1, minimum: 11, maximum: 10 }),
    problems: ['spec.policy.targettracking: minimum must not be more than maximum'],
  },
  {
    name: 'a floor above the maximum',
    spec: withPart(POLICY, { targetValue: 1, maximum: 10, scheduled: floor({ value: 11 }) }),
    problems: ['spec.policy.targettracking: the value of a scheduled floor must not be more than maximum'],
  },
  {
    name: 'a tolerance above 1',
    spec: withPart(`${POLICY}.tolerance`, 1.1),
    problems: ['spec.policy.targettracking.tolerance: expected at most 1'],
  },
  {
    name: 'a time without minutes (s6: the original crashes)',
    spec: withPart(`${POLICY}.scheduled`, floor({ startTime: '9' })),
    problems: [
      'spec.policy.targettracking.scheduled[0].startTime: expected a time of day such as 09:00 or 23:30',
    ],
  },
  {
    name: 'an hour that no day has (s6: the original ignores a bad end)',
    spec: withPart(`${POLICY}.scheduled`, floor({ endTime: '25:00' })),
    problems: [
      'spec.policy.targettracking.scheduled[0].endTime: expected a time of day such as 09:00, or 24:00',
    ],
  },
  {
    name: 'a minute that no hour has',
    spec: withPart(`${POLICY}.scheduled`, floor({ startTime: '10:60', endTime: '23:60' })),
    problems: [
      'spec.policy.targettracking.scheduled[0].startTime: expected a time of day such as 09:00 or 23:30',
      'spec.policy.targettracking.scheduled[0].endTime: expected a time of day such as 09:00, or 24:00',
    ],
  },
  {
    name: 'a start at 24:00, which is the next day',
    spec: withPart(`${POLICY}.scheduled`, floor({ startTime: '24:00' })),
    problems: [
      'spec.policy.targettracking.scheduled[0].startTime: expected a time of day such as 09:00 or 23:30',
    ],
  },
  {
    name: 'a start that is the end, however it is written',
    spec: withPart(`${POLICY}.scheduled`, floor({ startTime: '9:00', endTime: '09:00' })),
    problems: [
      'spec.policy.targettracking.scheduled[0]: startTime must not be equal to endTime; a whole day is 00:00 to 24:00',
    ],
  },
  {
    name: 'a zone that does not exist',
    spec: withPart(`${POLICY}.scheduled`, floor({ timeZone: 'Asia/Atlantis' })),
    problems: [
      'spec.policy.targettracking.scheduled[0].timeZone: expected an IANA time zone such as Asia/Tokyo',
    ],
  },
  {
    name: 'an offset instead of a zone',
    spec: withPart(`${POLICY}.scheduled`, floor({ timeZone: '+09:00' })),
    problems: [
      'spec.policy.targettracking.scheduled[0].timeZone: expected an IANA time zone such as Asia/Tokyo',
    ],
  },
  {
    name: 'a day that no week has, and a list without any',
    spec: withPart(`${POLICY}.scheduled`, [...floor({ days: ['Someday'] }), ...floor({ days: [] })]),
    problems: [
      'spec.policy.targettracking.scheduled[0].days[0]: expected one of Mon, Tue, Wed, Thu, Fri, Sat, Sun',
      'spec.policy.targettracking.scheduled[1].days: expected at least 1 items',
    ],
  },
  {
    name: 'a floor that is null',
    spec: withPart(`${POLICY}.scheduled`, [null]),
    problems: ['spec.policy.targettracking.scheduled[0]: expected an object'],
  },
  {
    name: 'action Weight without a weight',
    spec: withPart('onFailure', { action: 'Weight' }),
    problems: ['spec.onFailure: weight is needed for action Weight, and for no other'],
  },
  {
    name: 'a weight without action Weight',
    spec: withPart('onFailure', { weight: 5 }),
    problems: ['spec.onFailure: weight is needed for action Weight, and for no other'],
  },
  {
    name: 'a threshold below 0',
    spec: withPart('onFailure', { threshold: -1 }),
    problems: ['spec.onFailure.threshold: expected at least 0'],
  },
  {
    name: 'a hosted zone that is a name',
    spec: withPart(`${ROUTE53}.hostedZoneID`, 'example.com'),
    problems: ['spec.target.route53.hostedZoneID: expected a hosted zone id such as hostedzone/Z0123456789'],
  },
  {
    name: 'a record without an identifier (s2: the original crashes or takes another record)',
    spec: withPart(`${ROUTE53}.resource`, { name: 'example.com', type: 'A' }),
    problems: ['spec.target.route53: expected exactly one of resource.identifier and resources'],
  },
  {
    name: 'one record, and several',
    spec: withPart(`${ROUTE53}.resources`, [{ identifier: 'blue' }]),
    problems: ['spec.target.route53: expected exactly one of resource.identifier and resources'],
  },
  {
    name: 'a list of records without any',
    spec: severalOf(),
    problems: ['spec.target.route53.resources: expected at least 1 items'],
  },
  {
    name: 'more records than a set can have',
    spec: severalOf(...Array.from({ length: 101 }, (_, n) => ({ identifier: `record-${n}` }))),
    problems: ['spec.target.route53.resources: expected at most 100 items'],
  },
  {
    name: 'a record that is listed twice, with another share',
    spec: severalOf({ identifier: 'blue' }, { identifier: 'green' }, { identifier: 'blue', share: 3 }),
    problems: ['spec.target.route53.resources: resources must not name an identifier twice'],
  },
  {
    name: 'shares of nothing, of a half, and of too much',
    spec: severalOf(...[0, 0.5, 256].map((share, index) => ({ identifier: `record-${index}`, share }))),
    problems: [
      'spec.target.route53.resources[0].share: expected at least 1',
      'spec.target.route53.resources[1].share: expected an integer',
      'spec.target.route53.resources[2].share: expected at most 255',
    ],
  },
  {
    name: 'a reference that is the own record',
    spec: withPart(`${ROUTE53}.reference`, 'aws'),
    problems: ['spec.target.route53: reference must not be the record that is steered'],
  },
  {
    name: 'a reference that is one of several own records',
    spec: {
      ...wireSpec(),
      target: {
        route53: {
          hostedZoneID: 'Z1',
          resource: { name: 'example.com', type: 'A' },
          resources: [{ identifier: 'blue' }, { identifier: 'green' }],
          reference: 'green',
        },
      },
    },
    problems: ['spec.target.route53: reference must not be one of resources'],
  },
  {
    name: 'half a pair of keys',
    spec: withPart(`${ROUTE53}.auth`, {
      secretRef: { accessKeyIDSecretRef: { name: 'aws', key: 'id' } },
    }),
    problems: ['spec.target.route53.auth.secretRef.secretAccessKeySecretRef: is required'],
  },
  {
    name: 'a role that is none',
    spec: withPart(`${ROUTE53}.auth`, {
      assumeRole: { roleARN: 'arn:aws:iam::123456789012:user/dns', externalID: 'x', sessionName: 'a b' },
    }),
    problems: [
      'spec.target.route53.auth.assumeRole.roleARN: expected the ARN of a role such as arn:aws:iam::123456789012:role/dns',
      'spec.target.route53.auth.assumeRole.externalID: expected at least 2 characters',
      'spec.target.route53.auth.assumeRole.sessionName: expected letters, digits and any of _+=,.@-',
    ],
  },
  {
    name: 'a role without the ARN that says which',
    spec: withPart(`${ROUTE53}.auth`, { assumeRole: { externalID: 'a&b', sessionName: 'a'.repeat(65) } }),
    problems: [
      'spec.target.route53.auth.assumeRole.roleARN: is required',
      'spec.target.route53.auth.assumeRole.externalID: expected letters, digits and any of _+=,.@:/-',
      'spec.target.route53.auth.assumeRole.sessionName: expected at most 64 characters',
    ],
  },
  {
    name: 'a Secret that no Secret is called',
    spec: withPart(`${PROMETHEUS}.auth`, {
      secretRef: {
        userSecretRef: { name: 'A B', key: 'user' },
        passwordSecretRef: { name: 'prometheus', key: 'a/b', namespace: 'Other' },
      },
    }),
    problems: [
      'spec.metrics.prometheus.auth.secretRef.userSecretRef.name: expected the name of a Secret: lower case letters, digits, "-" and "."',
      'spec.metrics.prometheus.auth.secretRef.passwordSecretRef.key: expected a key of a Secret: letters, digits, "-", "_" and "."',
      'spec.metrics.prometheus.auth.secretRef.passwordSecretRef.namespace: expected the name of a namespace: lower case letters, digits and "-"',
    ],
  },
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
    name: 'signal load without the window of its query',
    spec: withPart(`${POLICY}.signal`, 'load'),
    problems: ['spec: signal load needs metrics.prometheus.window: how far back the query looks'],
  },
  {
    name: 'signal load that takes silence for no load',
    spec: {
      ...withPart(`${POLICY}.signal`, 'load'),
      metrics: { prometheus: query({ window: '1m', noData: 'Zero' }) },
    },
    problems: ['spec: noData Zero is not for signal load: no data of a site is not a site without load'],
  },
  {
    name: 'signal load without the window of an additional query',
    spec: { ...loadSpec, additionalMetrics: [additional('cpu', {})] },
    problems: [
      'spec: signal load needs prometheus.window in each of additionalMetrics: how far back the query looks',
    ],
  },
  {
    name: 'signal load that takes the silence of an additional query for no load',
    spec: { ...loadSpec, additionalMetrics: [additional('cpu', { window: '0s', noData: 'Zero' })] },
    problems: [
      'spec: noData Zero in additionalMetrics is not for signal load: no data of a site is not a site without load',
    ],
  },
  {
    name: 'two additional metrics, and two guards, of one name',
    spec: {
      ...wireSpec(),
      additionalMetrics: [additional('cpu'), additional('cpu')],
      guards: [guard('errors'), guard('fresh'), guard('errors')],
    },
    problems: ['spec.additionalMetrics: expected each name once', 'spec.guards: expected each name once'],
  },
  {
    name: 'names that are no DNS labels, a target of 0, a guard that stops something else',
    spec: {
      ...wireSpec(),
      additionalMetrics: [{ ...additional('CPU'), targetValue: 0 }],
      guards: [{ ...guard(''), stops: 'All' }],
    },
    problems: [
      'spec.additionalMetrics[0].name: expected a name of lower case letters, digits and "-"',
      'spec.additionalMetrics[0].targetValue: expected a number above 0',
      'spec.guards[0].name: must not be empty',
      'spec.guards[0].stops: expected one of Increase, Decrease, Both',
    ],
  },
  {
    name: 'an additional metric and a guard without their queries',
    spec: {
      ...wireSpec(),
      additionalMetrics: [{ name: 'cpu', targetValue: 1 }],
      guards: [{ name: 'errors' }],
    },
    problems: [
      'spec.additionalMetrics[0].prometheus: is required',
      'spec.guards[0].prometheus: is required',
      'spec.guards[0].stops: expected one of Increase, Decrease, Both',
    ],
  },
  {
    name: 'more queries than eight of a kind',
    spec: { ...wireSpec(), guards: Array.from({ length: 9 }, (_, index) => guard(`guard-${index}`)) },
    problems: ['spec.guards: expected at most 8 items'],
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
  {
    name: 'two kinds of credentials for Prometheus',
    spec: withPart(`${PROMETHEUS}.auth`, {
      bearerTokenSecretRef: { name: 'p', key: 'token' },
      secretRef: {
        userSecretRef: { name: 'p', key: 'user' },
        passwordSecretRef: { name: 'p', key: 'password' },
      },
    }),
    problems: [
      'spec.metrics.prometheus.auth: expected at most one of secretRef, bearerTokenSecretRef, oauth2, sigv4',
    ],
  },
  {
    name: 'TLS settings of a token server without TLS',
    spec: withOAuth2({ tokenURL: 'http://login/token', tls: {} }),
    problems: ['spec.metrics.prometheus.auth.oauth2: tls is for an https tokenURL'],
  },
  {
    name: 'a token URL that cannot be read',
    spec: withOAuth2({ tokenURL: 'http://[::1/token' }),
    problems: ['spec.metrics.prometheus.auth.oauth2: expected a tokenURL that can be read as a URL'],
  },
  ...['login/token', 'http://id:secret@login/token', 'ftp://login'].map((tokenURL) => ({
    name: `a token URL that is none: ${tokenURL}`,
    spec: withOAuth2({ tokenURL }),
    problems: [
      'spec.metrics.prometheus.auth.oauth2.tokenURL: expected an address such as https://login.example.com/oauth2/token',
    ],
  })),
  {
    name: 'a parameter of a token request that other fields say',
    spec: withOAuth2({ endpointParams: { client_secret: 'x' } }),
    problems: [
      'spec.metrics.prometheus.auth.oauth2.endpointParams: expected no grant_type, scope, client_id, client_secret: other fields say them',
    ],
  },
  {
    name: 'too many parameters of a token request',
    spec: withOAuth2({
      endpointParams: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`p${n}`, 'a'])),
    }),
    problems: ['spec.metrics.prometheus.auth.oauth2.endpointParams: expected at most 32 keys'],
  },
  {
    name: 'a scope that is two',
    spec: withOAuth2({ scopes: ['a b'] }),
    problems: [
      'spec.metrics.prometheus.auth.oauth2.scopes[0]: expected a scope: ASCII without spaces, quotes and "\\"',
    ],
  },
  {
    name: 'signed queries without a region',
    spec: withPart(`${PROMETHEUS}.auth`, { sigv4: {} }),
    problems: ['spec.metrics.prometheus.auth.sigv4.region: is required'],
  },
  {
    name: 'a client certificate without its key',
    spec: withTls({ certSecretRef: { name: 'p', key: 'tls.crt' } }),
    problems: ['spec.metrics.prometheus.tls: certSecretRef and keySecretRef need each other'],
  },
  {
    name: 'a CA that nobody looks at',
    spec: withTls({ caSecretRef: { name: 'p', key: 'ca.crt' }, insecureSkipVerify: true }),
    problems: ['spec.metrics.prometheus.tls: caSecretRef means nothing with insecureSkipVerify'],
  },
  {
    name: 'a server name that is none',
    spec: withTls({ serverName: 'a b' }),
    problems: ['spec.metrics.prometheus.tls.serverName: expected a host name'],
  },
  {
    name: 'TLS settings without TLS',
    spec: withPart(`${PROMETHEUS}.tls`, { serverName: 'prometheus' }),
    problems: ['spec.metrics.prometheus: tls is for an https address'],
  },
  {
    name: 'several things at once: all are told',
    spec: { ...withPart(`${POLICY}.targetValue`, -1), interval: 'x', dryRun: 'yes' },
    problems: [
      'spec.dryRun: expected true or false',
      'spec.interval: expected a Go duration such as 90s or 1h30m',
      'spec.policy.targettracking.targetValue: expected a number above 0',
    ],
  },
];

describe('parseRebalanceSpec', () => {
  describe('refuses', () => {
    for (const row of problems) {
      it(row.name, () => {
        const parsed = parseRebalanceSpec(row.spec);
        assert.ok(!parsed.ok);
        assert.deepEqual(
          parsed.error.map(({ path, message }) => `${path}: ${message}`),
          row.problems,
        );
      });
    }
  });

  it('reads the README example of the original, with every default', () => {
    const spec = read({
      dryRun: true,
      interval: '1m',
      policy: { targettracking: { targetValue: 1000, baseValue: 8 } },
      target: {
        route53: {
          hostedZoneID: 'hostedzone/XXXXXXXXXX',
          region: 'ap-northeast-1',
          resource: { name: 'example.com', type: 'A', identifier: 'aws' },
          auth: {
            secretRef: {
              accessKeyIDSecretRef: { name: 'rebalancer-aws-secret', key: 'access-key' },
              secretAccessKeySecretRef: { name: 'rebalancer-aws-secret', key: 'secret-access-key' },
            },
          },
        },
      },
      metrics: {
        prometheus: { address: 'http://prometheus.example:9090', timeout: 30, query: 'sum(load)' },
      },
    });
    const { policy, ...rest } = spec;
    assert.deepEqual(rest, {
      suspend: false,
      dryRun: true,
      intervalMs: 60_000,
      behavior: undefined,
      onFailure: { kind: 'Hold', threshold: 3 },
      target: {
        kind: 'Route53',
        hostedZoneId: 'XXXXXXXXXX',
        region: 'ap-northeast-1',
        name: 'example.com',
        type: 'A',
        records: [{ identifier: 'aws', share: 1 }],
        reference: undefined,
        compareAndSwap: false,
        auth: {
          base: {
            kind: 'SecretKeys',
            accessKeyId: { name: 'rebalancer-aws-secret', key: 'access-key' },
            secretAccessKey: { name: 'rebalancer-aws-secret', key: 'secret-access-key' },
            sessionToken: undefined,
          },
          role: undefined,
        },
      },
      metric: {
        kind: 'Prometheus',
        path: 'spec.metrics.prometheus',
        address: 'http://prometheus.example:9090',
        query: 'sum(load)',
        timeoutMs: 30_000,
        noData: 'Hold',
        windowMs: 0,
        headers: {},
        queryParams: {},
        auth: { kind: 'None' },
        tls: undefined,
      },
      additionalMetrics: [],
      guards: [],
    } satisfies Omit<RebalanceSpec, 'policy'>);
    const { targetValue, tolerance, ...tracking } = policy;
    assert.deepEqual([displayRational(targetValue), displayRational(tolerance)], ['1000', '0']);
    assert.deepEqual(tracking, {
      kind: 'TargetTracking',
      signal: 'Demand',
      baseValue: 8,
      minimum: weight(0),
      maximum: weight(255),
      disableScaleIn: false,
      scheduled: [],
    });
  });

  it('reads every field', () => {
    const spec = read(
      wireSpec(
        {
          targetValue: 0.11,
          minimum: 2,
          maximum: 200,
          tolerance: 0.05,
          disableScaleIn: true,
          scheduled: [
            { startTime: '9:00', endTime: '24:00', value: 20, timeZone: 'Asia/Tokyo', days: ['Mon', 'Tue'] },
            { startTime: '23:00', endTime: '02:00', value: 30 },
          ],
        },
        {
          suspend: true,
          interval: '1h30m',
          behavior: {
            increase: { stabilizationWindowSeconds: 300 },
            decrease: {
              policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }],
              selectPolicy: 'Min',
            },
          },
          onFailure: { threshold: 5, action: 'Weight', weight: 0 },
          target: {
            route53: {
              hostedZoneID: '/hostedzone/Z1',
              resource: { name: '*.Example.com.', type: 'cname', identifier: 'aws' },
              reference: 'onprem',
              write: 'CompareAndSwap',
              auth: {},
            },
          },
          metrics: {
            prometheus: {
              address: 'https://prometheus/prefix',
              query: 'load',
              noData: 'Zero',
              headers: { 'X-Scope-OrgID': 'a' },
              queryParams: { dedup: 'true' },
              auth: {
                secretRef: {
                  userSecretRef: { name: 'p', key: 'user' },
                  passwordSecretRef: { name: 'p', key: 'password', namespace: 'other' },
                },
              },
            },
          },
        },
      ),
    );
    assert.equal(displayRational(spec.policy.targetValue), '0.11');
    assert.equal(displayRational(spec.policy.tolerance), '0.05');
    assert.deepEqual(spec.policy.scheduled, [
      { start: 540, end: 1440, value: 20, timeZone: 'Asia/Tokyo', days: new Set(['Mon', 'Tue']) },
      {
        start: 1380,
        end: 120,
        value: 30,
        timeZone: 'UTC',
        days: new Set(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']),
      },
    ]);
    assert.deepEqual(
      [spec.suspend, spec.intervalMs, spec.policy.minimum, spec.policy.maximum, spec.policy.disableScaleIn],
      [true, 5_400_000, 2, 200, true],
    );
    assert.deepEqual(spec.behavior, {
      increase: { stabilisationMs: 300_000, policies: [], select: 'Max' },
      decrease: {
        stabilisationMs: 0,
        policies: [{ kind: 'Percent', value: 10, periodMs: 60_000 }],
        select: 'Min',
      },
    });
    assert.deepEqual(spec.onFailure, { kind: 'Weight', threshold: 5, weight: 0 });
    assert.deepEqual(spec.target, {
      kind: 'Route53',
      hostedZoneId: 'Z1',
      region: undefined,
      name: '*.Example.com.',
      type: 'CNAME',
      records: [{ identifier: 'aws', share: 1 }],
      reference: 'onprem',
      compareAndSwap: true,
      auth: { base: { kind: 'DefaultChain' }, role: undefined },
    });
    assert.deepEqual(spec.metric, {
      kind: 'Prometheus',
      path: 'spec.metrics.prometheus',
      address: 'https://prometheus/prefix',
      query: 'load',
      timeoutMs: 10_000,
      noData: 'Zero',
      windowMs: 0,
      headers: { 'X-Scope-OrgID': 'a' },
      queryParams: { dedup: 'true' },
      auth: {
        kind: 'Basic',
        user: { name: 'p', key: 'user' },
        password: { name: 'p', key: 'password', namespace: 'other' },
      },
      tls: undefined,
    });
  });

  it('takes what lies on a bound', () => {
    assert.equal(read(withPart('interval', '1s')).intervalMs, 1_000);
    assert.equal(read(withPart('interval', '24h')).intervalMs, 86_400_000);
    const { policy } = read(wireSpec({ minimum: 20, maximum: 20, tolerance: 1, scheduled: floor() }));
    assert.deepEqual([policy.minimum, policy.maximum, policy.scheduled[0]?.value], [20, 20, 20]);
  });

  it('takes an absent half of behavior, and behavior of nothing, as no limit', () => {
    const free = { stabilisationMs: 0, policies: [], select: 'Max' };
    for (const behavior of [{}, { increase: {} }, { increase: null, decrease: { selectPolicy: null } }])
      assert.deepEqual(read(withPart('behavior', behavior)).behavior, { increase: free, decrease: free });
    assert.deepEqual(
      read(withPart('behavior', { decrease: { selectPolicy: 'Disabled' } })).behavior?.decrease,
      {
        ...free,
        select: 'Disabled',
      },
    );
  });

  it('writes to DNS unless the spec says otherwise', () => {
    const { dryRun, suspend } = read(wireSpec());
    assert.deepEqual({ dryRun, suspend }, { dryRun: false, suspend: false });
  });

  it('takes several records as they are listed, each with a share of 1 where none is given', () => {
    const { target } = read(severalOf({ identifier: 'green', share: 3 }, { identifier: 'blue' }));
    assert.deepEqual(target.records, [
      { identifier: 'green', share: 3 },
      { identifier: 'blue', share: 1 },
    ]);
  });

  it('takes <id>, hostedzone/<id> and /hostedzone/<id> as the same zone', () => {
    for (const id of ['Z1', 'hostedzone/Z1', '/hostedzone/Z1'])
      assert.equal(read(withPart(`${ROUTE53}.hostedZoneID`, id)).target.hostedZoneId, 'Z1');
  });

  it('takes null for absent, at every depth', () => {
    const absent = read(withPart(POLICY, { targetValue: 1000 }));
    const nulls = {
      ...withPart(POLICY, { targetValue: 1000, baseValue: null, minimum: null, scheduled: null }),
      suspend: null,
      onFailure: { threshold: null },
    };
    assert.deepEqual(read(nulls), absent);
  });

  it('lists what it does not know, and ignores it (s14: the original loses Scheduled in silence)', () => {
    const parsed = parseRebalanceSpec({
      ...withPart(`${POLICY}.Scheduled`, floor()),
      paused: true,
      behaviour: { increase: {} },
      behavior: { increase: { stabilisationWindowSeconds: 300 } },
    });
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.value.unknownFields, [
      'spec.policy.targettracking.Scheduled',
      'spec.paused',
      'spec.behaviour',
      'spec.behavior.increase.stabilisationWindowSeconds',
    ]);
  });

  it('has each rule across fields twice, in the same words: as CEL and in the hook', () => {
    const inSchema = celMessages(rebalanceSpecSchema.toJSONSchema({ io: 'input', target: 'openapi-3.0' }));
    const inHook = new Set(problems.flatMap((row) => row.problems.map((line) => line.replace(/^\S+: /, ''))));
    assert.deepEqual(
      inSchema.filter((message) => !inHook.has(message)),
      [],
    );
    assert.equal(inSchema.length, 71);
  });
});

describe('additional metrics and guards', () => {
  const parsed = parseRebalanceSpec({
    ...loadSpec,
    additionalMetrics: [
      additional('cpu', { window: '0s' }),
      { ...additional('queue', { window: '1m' }), targetValue: 0.5 },
    ],
    guards: [guard('errors')],
  });

  it('have names, targets and queries that know where they stand', () => {
    assert.ok(parsed.ok);
    const { additionalMetrics, guards } = parsed.value.spec;
    assert.deepEqual(
      additionalMetrics.map(({ name, targetValue, metric }) => [
        name,
        displayRational(targetValue),
        metric.path,
        metric.windowMs,
      ]),
      [
        ['cpu', '10', 'spec.additionalMetrics[0].prometheus', 0],
        ['queue', '0.5', 'spec.additionalMetrics[1].prometheus', 60_000],
      ],
    );
    assert.deepEqual(
      guards.map(({ name, stops, query: { path } }) => [name, stops, path]),
      [['errors', 'Both', 'spec.guards[0].prometheus']],
    );
  });

  it('of a guard: noData and window mean nothing there, and are listed as unknown', () => {
    const read = parseRebalanceSpec({
      ...wireSpec(),
      guards: [{ ...guard('errors'), prometheus: query({ noData: 'Zero', window: '1m' }) }],
    });
    assert.ok(read.ok);
    assert.deepEqual(read.value.unknownFields, [
      'spec.guards[0].prometheus.noData',
      'spec.guards[0].prometheus.window',
    ]);
  });
});

describe('the AWS credentials of a spec', () => {
  const keys = {
    accessKeyIDSecretRef: { name: 'aws', key: 'id' },
    secretAccessKeySecretRef: { name: 'aws', key: 'secret' },
  };
  const base = {
    kind: 'SecretKeys',
    accessKeyId: { name: 'aws', key: 'id' },
    secretAccessKey: { name: 'aws', key: 'secret' },
    sessionToken: undefined,
  };
  const roleARN = 'arn:aws-cn:iam::123456789012:role/service/dns+route=53,a.b@c_d';
  const rows: readonly (readonly [string, unknown, unknown])[] = [
    [
      'are keys with the token of a session',
      { secretRef: { ...keys, sessionTokenSecretRef: { name: 'aws', key: 'token' } } },
      { base: { ...base, sessionToken: { name: 'aws', key: 'token' } }, role: undefined },
    ],
    [
      'are a role of any partition and path, assumed by what the process finds',
      { assumeRole: { roleARN } },
      {
        base: { kind: 'DefaultChain' },
        role: { roleArn: roleARN, externalId: undefined, sessionName: undefined },
      },
    ],
    [
      'are a role, assumed by keys, with all that a trust policy may ask for',
      { secretRef: keys, assumeRole: { roleARN, externalID: 'a:b/c', sessionName: 'dns@site' } },
      { base, role: { roleArn: roleARN, externalId: 'a:b/c', sessionName: 'dns@site' } },
    ],
  ];
  for (const [name, auth, expected] of rows)
    it(name, () => assert.deepEqual(read(withPart(`${ROUTE53}.auth`, auth)).target.auth, expected));
});

describe('the interval of a spec that is unreadable otherwise', () => {
  const rows: readonly (readonly [string, unknown, number])[] = [
    ['is read', { interval: '90s', policy: 7 }, 90_000],
    ['is a minute where it is unreadable', { interval: 'soon' }, 60_000],
    ['is a minute where it is out of bounds', { interval: '100h' }, 60_000],
    ['is a minute where it is absent', {}, 60_000],
    ['is a minute where there is no spec', undefined, 60_000],
  ];
  for (const [name, raw, expected] of rows) it(name, () => assert.equal(readIntervalMs(raw), expected));
});

function read(raw: unknown): RebalanceSpec {
  const parsed = parseRebalanceSpec(raw);
  assert.ok(parsed.ok, parsed.ok ? '' : JSON.stringify(parsed.error));
  return parsed.value.spec;
}

function celMessages(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'x-kubernetes-validations'
      ? (value as readonly { readonly message: string }[]).map(({ message }) => message)
      : celMessages(value),
  );
}

describe('the way to Prometheus of a spec', () => {
  const read = (more: Wire) => {
    const prometheus = { address: 'https://prometheus', query: 'load', ...more };
    const parsed = parseRebalanceSpec({ ...wireSpec(), metrics: { prometheus } });
    assert.ok(parsed.ok);
    return parsed.value.spec.metric;
  };
  const cert = { name: 'client', key: 'tls.crt' };
  const key = { name: 'client', key: 'tls.key' };

  it('has a bearer token', () => {
    const token = { name: 'p', key: 'token' };
    assert.deepEqual(read({ auth: { bearerTokenSecretRef: token } }).auth, { kind: 'Bearer', token });
  });

  it('has a token of OAuth2, of no scope and by plain trust where nothing else is said', () => {
    const bare = { tokenURL: 'https://login/token', ...CLIENT };
    const expected = {
      kind: 'OAuth2',
      tokenUrl: 'https://login/token',
      clientId: CLIENT.clientIDSecretRef,
      clientSecret: CLIENT.clientSecretSecretRef,
      scopes: [],
      endpointParams: {},
      tls: undefined,
    };
    assert.deepEqual(read({ auth: { oauth2: bare } }).auth, expected);
    const more = { scopes: ['a', 'b'], endpointParams: { audience: 'p' } };
    assert.deepEqual(read({ auth: { oauth2: { ...bare, ...more } } }).auth, { ...expected, ...more });
  });

  it("is signed with the object's own AWS credentials, whose role sigv4 may replace", () => {
    const roleOf = (name: string) => ({ roleARN: `arn:aws:iam::123456789012:role/${name}` });
    const authOf = (sigv4: Wire) => {
      const parsed = parseRebalanceSpec({
        ...withPart(`${ROUTE53}.auth`, { assumeRole: roleOf('dns') }),
        metrics: { prometheus: { address: 'https://aps', query: 'load', auth: { sigv4 } } },
      });
      assert.ok(parsed.ok);
      const { auth } = parsed.value.spec.metric;
      assert.ok(auth.kind === 'SigV4');
      return [auth.region, auth.aws.base.kind, auth.aws.role?.roleArn];
    };
    const base = ['eu-west-1', 'DefaultChain'];
    assert.deepEqual(authOf({ region: 'eu-west-1' }), [...base, roleOf('dns').roleARN]);
    assert.deepEqual(authOf({ region: 'eu-west-1', assumeRole: roleOf('amp') }), [
      ...base,
      roleOf('amp').roleARN,
    ]);
  });

  it('has the TLS that is said, and believes no unknown certificate by default', () => {
    assert.deepEqual(read({ tls: {} }).tls, {
      ca: undefined,
      clientCertificate: undefined,
      serverName: undefined,
      insecureSkipVerify: false,
    });
    const caSecretRef = { name: 'ca', key: 'ca.crt' };
    assert.deepEqual(
      read({ tls: { caSecretRef, certSecretRef: cert, keySecretRef: key, serverName: 'p.example' } }).tls,
      {
        ca: caSecretRef,
        clientCertificate: { cert, key },
        serverName: 'p.example',
        insecureSkipVerify: false,
      },
    );
  });
});
