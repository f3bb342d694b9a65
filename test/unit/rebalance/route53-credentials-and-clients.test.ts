import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRoute53Store } from '../../../src/rebalance/targets/route53.ts';
import { isolateAwsEnvironment, setAwsEnvironment } from '../../support/aws-environment.ts';
import { callContext } from '../../support/call-context.ts';
import { listen } from '../../support/listen.ts';
import {
  context,
  failureOf,
  hastyTimer,
  KEYS,
  ours,
  record,
  target,
  useStoredZone,
  valueOf,
} from '../../support/route53-store.ts';

describe('Route 53 keeping clients', () => {
  const zone = useStoredZone();

  it('uses one connection for many evaluations (s17: the original opened 1,796 for 200 objects)', async () => {
    zone.put(record());
    for (let evaluation = 0; evaluation < 20; evaluation += 1) await zone.readSet();
    assert.equal(zone.route53.calls.length, 20);
    assert.equal(zone.route53.connections(), 1);
  });

  it('signs with the key of the Secret as it is now, over the same connections', async () => {
    zone.put(record());
    for (const id of ['AKIAFIRST', 'AKIASECOND\n'])
      valueOf(await zone.store.readSet(target(), context(8_000, { ...KEYS, 'aws/id': id })));
    const keys = zone.route53.calls.map(
      ({ headers }) => /Credential=([^/]+)/.exec(headers.authorization ?? '')?.[1],
    );
    assert.deepEqual(keys, ['AKIAFIRST', 'AKIASECOND']);
    assert.equal(zone.route53.connections(), 1);
  });

  it('signs for the region of the object', async () => {
    zone.put(record());
    await zone.readSet({ region: 'cn-northwest-1' });
    assert.match(
      zone.route53.calls[0]?.headers.authorization ?? '',
      /\/cn-northwest-1\/route53\/aws4_request/,
    );
  });
});

describe('Route 53 without keys in the object', () => {
  const zone = useStoredZone();

  const ambient = {
    region: undefined,
    auth: { base: { kind: 'DefaultChain' as const }, role: undefined },
  };
  isolateAwsEnvironment();

  it('takes what the SDK finds: keys and region of the environment', async () => {
    setAwsEnvironment({
      AWS_ACCESS_KEY_ID: 'AKIAENV',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'us-gov-west-1',
    });
    zone.put(record());
    await zone.readSet(ambient);
    assert.match(
      zone.route53.calls[0]?.headers.authorization ?? '',
      /Credential=AKIAENV\/\d+\/us-gov-west-1\/route53\/aws4_request/,
    );
  });

  it('calls the endpoint of AWS_ENDPOINT_URL_ROUTE_53, where no flag names another', async () => {
    setAwsEnvironment({
      AWS_ACCESS_KEY_ID: 'AKIAENV',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_ENDPOINT_URL_ROUTE_53: zone.route53.url,
    });
    zone.put(record());
    valueOf(await createRoute53Store({ timer: hastyTimer }).readSet(target(ambient), context()));
    assert.equal(zone.route53.count('ListResourceRecordSets'), 1);
  });

  it('signs for us-east-1 when nothing names a region', async () => {
    setAwsEnvironment({ AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: 'secret' });
    zone.put(record());
    await zone.readSet(ambient);
    assert.match(zone.route53.calls[0]?.headers.authorization ?? '', /\/us-east-1\/route53\/aws4_request/);
  });

  it('does not wait longer than the deadline for a credential service that hangs', async () => {
    const silent = await listen(createServer());
    setAwsEnvironment({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${silent.url}/credentials` });
    const passed = { beganMs: 0, signal: AbortSignal.abort(), remainingMs: () => 0 };
    const startMs = performance.now();
    for (const each of [context(50), callContext({ deadline: passed })])
      assert.equal((await zone.readFailure(ambient, each)).reason, 'CredentialsTimeout');
    const tookMs = performance.now() - startMs;
    await silent.stop();
    // The SDK alone would give up after a second.
    assert.ok(tookMs < 800, `took ${Math.round(tookMs)} ms`);
  });

  it('says so when there are none, and that nothing was written', async () => {
    zone.put(record());
    const reading = await zone.readSet();
    const failure = failureOf(await zone.store.writeWeights(target(ambient), reading, ours(9), context()));
    assert.deepEqual(failure, {
      reason: 'NoCredentials',
      message:
        'spec.target.route53.auth: no AWS credentials; name a Secret in auth.secretRef or give the pod a role',
      outcomeUnknown: false,
    });
  });
});
