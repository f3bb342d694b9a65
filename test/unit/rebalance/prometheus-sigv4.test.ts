import assert from 'node:assert/strict';
import { ok } from '../../../src/foundation/result.ts';
import type { AwsCredentials, AwsCredentialSets } from '../../../src/rebalance/aws/port.ts';
import { createAwsCredentials } from '../../../src/rebalance/aws/credentials.ts';
import { createPrometheus } from '../../../src/rebalance/metrics/prometheus.ts';
import type { AwsAuth, PrometheusAuth } from '../../../src/rebalance/spec.ts';
import { SECRET_KEYS } from '../../support/aws-keys.ts';
import { callContext, secretsOf } from '../../support/call-context.ts';
import {
  scalar,
  startPrometheusStandIn,
  type PrometheusAnswer,
  type PrometheusRequest,
  type PrometheusStandIn,
} from '../../support/prometheus-stand-in.ts';
import { readMetric } from '../../support/read-metric.ts';
import { NOON } from '../../support/rebalance.ts';
import { expectedSignature, signatureOf } from '../../support/sigv4.ts';

const PREFIX = '/workspaces/ws-12345678-1234-1234-1234-123456789012';
const FIELD = 'spec.metrics.prometheus.auth.sigv4';
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
/** Every character that some encoding of a query treats in a way of its own. */
const QUERY = 'sum(rate(http_requests_total{job=~"a|b*",x!=\'1+1 %2B~\'}[5m])) / 2 & 1 # é';

const keysOf = (auth: Partial<AwsAuth> = {}): AwsAuth => ({ base: SECRET_KEYS, role: undefined, ...auth });
const authOf = (aws = keysOf()): PrometheusAuth => ({ kind: 'SigV4', region: 'eu-west-1', aws });
const awsError = (httpStatus: number, type: string, message: string): PrometheusAnswer => ({
  kind: 'Raw',
  httpStatus,
  headers: { 'content-type': 'application/json', 'x-amzn-errortype': type },
  body: JSON.stringify({ message }),
});

describe('the signatures of the tests', () => {
  // AWS Signature Version 4 test suite, get-vanilla.
  it('are those of the example that AWS gives', () => {
    const headers = {
      host: 'example.amazonaws.com',
      'x-amz-date': '20150830T123600Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    };
    const request = { method: 'GET', target: '/', headers };
    assert.equal(
      expectedSignature(request, 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'),
      signatureOf(request),
    );
  });
});

describe('Prometheus that wants signed queries', () => {
  let prometheus: PrometheusStandIn;
  let refuse: (request: PrometheusRequest) => PrometheusAnswer | undefined;
  beforeEach(async () => {
    refuse = () => undefined;
    prometheus = await startPrometheusStandIn({ prefix: PREFIX, refuse: (request) => refuse(request) });
    prometheus.setDefault(scalar(3));
  });
  afterEach(() => prometheus.stop());

  const secrets = secretsOf({ 'aws/id': 'AKIAIOSFODNN7EXAMPLE', 'aws/secret': SECRET });
  const clock = { nowMs: () => NOON };
  const read = (
    auth = authOf(),
    credentials: AwsCredentialSets = createAwsCredentials(clock),
    context = callContext({ secrets }),
  ) =>
    readMetric(
      {
        address: `${prometheus.url}${PREFIX}/`,
        query: QUERY,
        queryParams: { dedup: 'true', "a b(c)'": '*' },
        headers: { 'X-Scope-OrgID': 'web' },
        auth,
      },
      context,
      createPrometheus({ clock, credentials }),
    );

  it("is asked with AWS' signature of what it gets, whatever the query has in it", async () => {
    assert.deepEqual(await read(), ['Value', '3']);
    const [request] = prometheus.requests;
    assert.ok(request !== undefined);
    assert.match(
      request.headers.authorization ?? '',
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/20260304\/eu-west-1\/aps\/aws4_request, SignedHeaders=host;/,
    );
    assert.equal(request.headers['x-amz-date'], '20260304T120000Z');
    assert.equal(signatureOf(request), expectedSignature(request, SECRET));
    assert.equal(request.parameters.get('query'), QUERY);
    assert.ok(!request.target.includes('+'), request.target);
  });

  it('signs the session token of temporary keys', async () => {
    const base = { ...SECRET_KEYS, sessionToken: { name: 'aws', key: 'token' } };
    const context = callContext({
      secrets: secretsOf({ 'aws/id': 'ASIAIOSFODNN7EXAMPLE', 'aws/secret': SECRET, 'aws/token': 'FwoG' }),
    });
    assert.deepEqual(await read(authOf(keysOf({ base })), undefined, context), ['Value', '3']);
    const [request] = prometheus.requests;
    assert.ok(request !== undefined);
    assert.equal(request.headers['x-amz-security-token'], 'FwoG');
    assert.match(request.headers.authorization ?? '', /SignedHeaders=[^,]*x-amz-security-token/);
    assert.equal(signatureOf(request), expectedSignature(request, SECRET));
  });

  /** A set that gives one after the other of these, each until it is forgotten. */
  const setOf = (...all: readonly AwsCredentials[]) => {
    const asked: { auth: AwsAuth; region: string | undefined }[] = [];
    let n = 0;
    const sets: AwsCredentialSets = {
      of: (auth, region) => {
        asked.push({ auth, region });
        return Promise.resolve(
          ok({
            key: 'set',
            current: () =>
              Promise.resolve(
                ok(all[Math.min(n, all.length - 1)] ?? { accessKeyId: '', secretAccessKey: '' }),
              ),
            forget: () => {
              n += 1;
            },
          }),
        );
      },
    };
    return { sets, asked };
  };
  const old = { accessKeyId: 'OLD', secretAccessKey: 'old-secret' };
  const fresh = { accessKeyId: 'NEW', secretAccessKey: 'new-secret' };

  it('takes the credentials of the role, in the region of the workspace', async () => {
    const role = {
      roleArn: 'arn:aws:iam::123456789012:role/amp',
      externalId: undefined,
      sessionName: undefined,
    };
    const { sets, asked } = setOf(fresh);
    assert.deepEqual(await read(authOf(keysOf({ role })), sets), ['Value', '3']);
    assert.deepEqual(asked, [{ auth: keysOf({ role }), region: 'eu-west-1' }]);
  });

  it('is asked once more with newer credentials where AWS refuses those that it got', async () => {
    refuse = ({ headers }) =>
      headers.authorization?.includes('Credential=OLD/') === true
        ? awsError(403, 'ExpiredTokenException:http://internal.amazon.com/', 'The token included is expired')
        : undefined;
    assert.deepEqual(await read(authOf(), setOf(old, fresh).sets), ['Value', '3']);
    assert.equal(prometheus.requests.length, 2);
  });

  const rows: readonly {
    readonly name: string;
    readonly answer: PrometheusAnswer;
    readonly expected: readonly string[];
  }[] = [
    {
      name: 'credentials that have expired, by the reason that Route 53 would have',
      answer: awsError(403, 'ExpiredTokenException', 'expired at 12:00'),
      expected: [
        'ExpiredToken',
        `${FIELD}: the AWS credentials have expired (ExpiredTokenException); renew them, and check the clock`,
      ],
    },
    {
      name: 'a signature that does not match',
      answer: awsError(403, 'InvalidSignatureException', 'The canonical string was ...'),
      expected: [
        'InvalidCredentials',
        `${FIELD}: AWS does not accept the credentials (InvalidSignatureException); check the access key and its secret`,
      ],
    },
    {
      name: 'a code that no service of AWS has, and every object inherits',
      answer: awsError(403, 'constructor', 'no'),
      expected: [
        'QueryRejected',
        'spec.metrics.prometheus.auth: HTTP 403, the credentials are missing or wrong; AWS says: no',
      ],
    },
    {
      name: "a permission that lacks, in AWS' words without the session's name",
      answer: awsError(
        403,
        'AccessDeniedException',
        'User: arn:aws:sts::123456789012:assumed-role/amp/session-1 is not authorized to perform: aps:QueryMetrics',
      ),
      expected: [
        'QueryRejected',
        'spec.metrics.prometheus.auth: HTTP 403, the credentials are missing or wrong; AWS says: User: arn:aws:sts::123456789012:assumed-role/amp is not authorized to perform: aps:QueryMetrics',
      ],
    },
  ];
  for (const { name, answer, expected } of rows)
    it(`says ${name}`, async () => {
      refuse = () => answer;
      assert.deepEqual(await read(), expected);
    });

  it('says which field has no keys, and asks nothing', async () => {
    const context = callContext({ secrets: secretsOf({ 'aws/id': 'a key', 'aws/secret': SECRET }) });
    const [reason, message = ''] = await read(authOf(), undefined, context);
    assert.equal(reason, 'InvalidCredentials');
    assert.ok(message.startsWith(`${FIELD}: Secret aws has no AWS key under "id"`), message);
    assert.equal(prometheus.requests.length, 0);
  });
});
