import assert from 'node:assert/strict';
import { faults, type Route53Fault } from '../../support/route53-stand-in.ts';
import { context, failureOf, record, target, useStoredZone, ZONE } from '../../support/route53-store.ts';

describe('Route 53 failing', () => {
  const zone = useStoredZone();

  const auth = 'spec.target.route53.auth';
  const rows: readonly { name: string; fault: Route53Fault; reason: string; message: string }[] = [
    {
      name: 'access denied, in the words of AWS',
      fault: faults.accessDenied,
      reason: 'AccessDenied',
      message: `${auth}: route53:ListResourceRecordSets is not allowed on hosted zone ${ZONE}; AWS says: User: arn:aws:iam::123456789012:user/dns is not authorized to perform this action because no identity-based policy allows it`,
    },
    {
      name: 'an unknown access key',
      fault: faults.invalidClientTokenId,
      reason: 'InvalidCredentials',
      message: `${auth}: AWS does not accept the credentials (InvalidClientTokenId); check the access key and its secret`,
    },
    {
      name: 'a wrong secret key',
      fault: faults.signatureDoesNotMatch,
      reason: 'InvalidCredentials',
      message: `${auth}: AWS does not accept the credentials (SignatureDoesNotMatch); check the access key and its secret`,
    },
    {
      name: 'an expired token',
      fault: faults.expiredToken,
      reason: 'ExpiredToken',
      message: `${auth}: the AWS credentials have expired (ExpiredToken); renew them, and check the clock`,
    },
    {
      name: 'throttling, after three tries',
      fault: faults.throttling,
      reason: 'Throttled',
      message:
        'Route 53 throttles this AWS account (5 requests a second for all of it); tried again at the next attempt',
    },
    {
      name: 'throttling by the status alone, as of a proxy',
      fault: { kind: 'Raw', httpStatus: 429, contentType: 'text/plain', body: 'not now' },
      reason: 'Throttled',
      message:
        'Route 53 throttles this AWS account (5 requests a second for all of it); tried again at the next attempt',
    },
    {
      name: 'an internal failure',
      fault: faults.internalFailure,
      reason: 'TargetError',
      message: 'Route 53 answered route53:ListResourceRecordSets with HTTP 500: InternalFailure',
    },
    {
      name: 'a web page of a proxy',
      fault: faults.webPage,
      reason: 'TargetError',
      message: 'Route 53 answered route53:ListResourceRecordSets with HTTP 502: Unknown',
    },
    {
      name: 'a web page with status 200',
      fault: { ...faults.webPage, httpStatus: 200 },
      reason: 'TargetError',
      message: `Route 53's answer to route53:ListResourceRecordSets on hosted zone ${ZONE} cannot be read: it is not one of Route 53`,
    },
    {
      name: 'a refusal of messages that only begin, each of whose ends would be looked for to the end',
      fault: {
        kind: 'Raw',
        httpStatus: 400,
        contentType: 'text/xml',
        body: `<InvalidChangeBatch>${'<Message>'.repeat(500_000)}`,
      },
      reason: 'ChangeRejected',
      message:
        'spec.target.route53: Route 53 refuses route53:ListResourceRecordSets (InvalidChangeBatch); AWS says: UnknownError',
    },
    {
      name: 'a list of records that only begin, where XML lets them',
      fault: {
        kind: 'Raw',
        httpStatus: 200,
        contentType: 'text/xml',
        body: `<ListResourceRecordSetsResponse><ResourceRecordSets></ResourceRecordSets><IsTruncated>false</IsTruncated><![CDATA[${'<ResourceRecordSet>'.repeat(300_000)}]]></ListResourceRecordSetsResponse>`,
      },
      reason: 'RecordNotFound',
      message: `spec.target.route53.resource: hosted zone ${ZONE} has no A record www.example.com with identifier "aws": there is none of this name and type`,
    },
    {
      name: 'an answer that does not end',
      fault: { kind: 'Raw', httpStatus: 200, contentType: 'text/xml', body: ' '.repeat(17 * 2 ** 20) },
      reason: 'TargetError',
      message: `Route 53's answer to route53:ListResourceRecordSets on hosted zone ${ZONE} cannot be read: it is larger than 16 MiB`,
    },
    {
      name: 'a connection that is reset',
      fault: faults.reset,
      reason: 'TargetUnreachable',
      message: 'Route 53 closed the connection without an answer (ECONNRESET)',
    },
  ];
  for (const { name, fault, reason, message } of rows) {
    it(`tells ${name}`, async () => {
      zone.put(record());
      zone.route53.fail('ListResourceRecordSets', fault, 3);
      const failure = await zone.readFailure();
      assert.deepEqual(failure, { reason, message, outcomeUnknown: false });
    });
  }

  it('tells a refused connection', async () => {
    await zone.route53.stop();
    const failure = await zone.readFailure();
    assert.deepEqual(failure, {
      reason: 'TargetUnreachable',
      message: 'Route 53 refused the connection (ECONNREFUSED)',
      outcomeUnknown: false,
    });
  });

  it('tells a change that Route 53 has forgotten', async () => {
    const failure = failureOf(await zone.store.readChange(target(), 'C9', context()));
    assert.equal(failure.reason, 'ChangeNotFound');
  });

  it('tells an answer that breaks off as a connection that does', async () => {
    zone.put(record());
    const { id } = await zone.write(9);
    for (const operation of ['ListResourceRecordSets', 'GetChange'] as const)
      zone.route53.fail(operation, faults.halfAnswered, 3);
    const list = await zone.readFailure();
    const poll = failureOf(await zone.store.readChange(target(), id, context()));
    const message = 'Route 53 closed the connection without an answer (ECONNRESET)';
    for (const failure of [list, poll])
      assert.deepEqual(failure, { reason: 'TargetUnreachable', message, outcomeUnknown: false });
  });

  it('tells a GetChange that is none of Route 53', async () => {
    zone.route53.fail('GetChange', { ...faults.webPage, httpStatus: 200 });
    assert.equal(failureOf(await zone.store.readChange(target(), 'C9', context())).reason, 'TargetError');
  });

  it('recovers by itself from one throttled call', async () => {
    zone.put(record());
    zone.route53.fail('ListResourceRecordSets', faults.throttling);
    assert.equal((await zone.readSet()).set.own.total, 8);
    assert.equal(zone.route53.count('ListResourceRecordSets'), 2);
  });

  it('asks nothing when the Secret cannot be read', async () => {
    for (const act of [
      () => zone.store.readSet(target(), context(8_000, { 'aws/id': 'AKIAEXAMPLE' })),
      () => zone.store.readChange(target(), 'C1', context(8_000, {})),
    ]) {
      assert.deepEqual(failureOf(await act()), {
        reason: 'SecretMissing',
        message: `spec.target.route53.auth: Secret aws does not exist`,
        outcomeUnknown: false,
      });
    }
    assert.equal(zone.route53.calls.length, 0);
  });
});

describe('Route 53 keeping the deadline', () => {
  const zone = useStoredZone();

  it('ends a list that hangs, and says so without a number', async () => {
    zone.route53.fail('ListResourceRecordSets', faults.hang);
    assert.deepEqual(await zone.readFailure({}, context(60)), {
      reason: 'TargetTimeout',
      message: "Route 53 did not answer route53:ListResourceRecordSets within the hook's budget",
      outcomeUnknown: false,
    });
  });

  it('ends the pauses of the retries too, and says what they were for', async () => {
    zone.route53.fail('ListResourceRecordSets', faults.throttling, 99);
    assert.equal((await zone.readFailure({}, context(40))).reason, 'Throttled');
  });

  it('calls nothing when nothing is left', async () => {
    assert.equal((await zone.readFailure({}, context(0))).reason, 'TargetTimeout');
    assert.equal(zone.route53.calls.length, 0);
  });
});
