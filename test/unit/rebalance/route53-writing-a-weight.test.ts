import assert from 'node:assert/strict';
import {
  aliasRecord,
  context,
  ours,
  record,
  target,
  useStoredZone,
  valueOf,
  ZONE,
} from '../../support/route53-store.ts';
import { invalidChangeBatchDocument } from '../../support/route53-wire.ts';

describe('Route 53 writing a weight', () => {
  const zone = useStoredZone();

  it('changes the weight alone', async () => {
    zone.put(record({ TTL: 0, HealthCheckId: 'hc-1' }));
    zone.put(record({ SetIdentifier: 'onprem', TTL: 0 }));
    const before = zone.route53.records(ZONE);
    await zone.write(16);
    assert.deepEqual(
      zone.route53.records(ZONE),
      before.map((each) => (each.SetIdentifier === 'aws' ? { ...each, Weight: 16 } : each)),
    );
  });

  it('writes back every field, also those that the SDK does not know yet', async () => {
    const future = { RoutingHint: { Priority: '3', Note: 'a & b <c>' }, Tier: 'gold' };
    const txt = record({
      Type: 'TXT',
      ResourceRecords: [{ Value: '"v=1; p=$&"' }, { Value: '"x\\052"' }],
      ...future,
    });
    zone.put(txt);
    await zone.write(16, { type: 'TXT' });
    assert.deepEqual(zone.route53.record(ZONE, 'www.example.com', 'TXT', 'aws'), {
      ...txt,
      Name: 'www.example.com.',
      Weight: 16,
    });
  });

  it('keeps an alias an alias', async () => {
    const alias = { HostedZoneId: 'Z2', DNSName: 'lb.example.net.', EvaluateTargetHealth: false };
    zone.put(aliasRecord({ AliasTarget: alias }));
    await zone.write(16);
    assert.deepEqual(zone.route53.record(ZONE, 'www.example.com', 'A', 'aws'), {
      ...aliasRecord({ AliasTarget: alias }),
      Name: 'www.example.com.',
      Weight: 16,
    });
  });

  it('sends weight 0', async () => {
    zone.put(record());
    await zone.write(0);
    assert.equal(zone.weightOf('aws'), 0);
    assert.match(zone.route53.calls[1]?.body ?? '', /<Weight>0<\/Weight>/);
  });

  it('leaves the record of another type with our identifier alone (s2: the original wrote it)', async () => {
    zone.put(record());
    zone.put(record({ Type: 'AAAA', Weight: 77 }));
    await zone.write(16);
    assert.deepEqual([zone.weightOf('aws'), zone.weightOf('aws', 'www.example.com', 'AAAA')], [16, 77]);
  });

  it('knows what it last sent', async () => {
    zone.put(record());
    assert.equal((await zone.readSet()).lastSent, undefined);
    await zone.write(16);
    assert.deepEqual((await zone.readSet()).lastSent, ours(16));
  });

  it('says in the change what it does, for the audit log of AWS', async () => {
    zone.put(record());
    await zone.write(16);
    assert.match(zone.route53.calls[1]?.body ?? '', /<Comment>counterpoise: weight 8 -&gt; 16<\/Comment>/);
  });

  it('makes one list and one change (s18: the original makes three lists)', async () => {
    zone.put(record());
    await zone.write(16);
    assert.deepEqual(
      zone.route53.calls.map(({ operation }) => operation),
      ['ListResourceRecordSets', 'ChangeResourceRecordSets'],
    );
  });

  it('is PENDING first and INSYNC later, as GetChange says', async () => {
    zone.put(record());
    const change = await zone.write(9);
    assert.deepEqual(change, { id: 'C0000000000001', status: 'PENDING' });
    const polls = [
      valueOf(await zone.store.readChange(target(), change.id, context())),
      valueOf(await zone.store.readChange(target(), `/change/${change.id}`, context())),
    ];
    assert.deepEqual(polls, [
      { id: 'C0000000000001', status: 'PENDING' },
      { id: 'C0000000000001', status: 'INSYNC' },
    ]);
  });

  it('reports a protected record as such, with the comment of the protection', async () => {
    zone.put(record());
    zone.route53.protect(ZONE, 'www.example.com', 'A', 'change freeze, ask dns@example.com');
    const failure = await zone.writeFailure(9);
    assert.equal(failure.reason, 'RecordProtected');
    assert.match(
      failure.message,
      /^spec\.target\.route53\.resource: a record set protection forbids the change; AWS says: .*change freeze, ask dns@example\.com/,
    );
    assert.equal(failure.outcomeUnknown, false);
  });

  it('does not take a name with the word for a protection', async () => {
    const [name, identifier] = ['protected.example.com', 'protection'];
    const protectedName = { name, records: [{ identifier, share: 1 }] };
    zone.put(record({ Name: name, SetIdentifier: identifier }));
    zone.route53.fail('ChangeResourceRecordSets', {
      kind: 'Error',
      httpStatus: 400,
      code: 'InvalidChangeBatch',
      message:
        '[RRSet with DNS name protected.example.com., type A, SetIdentifier protection is not permitted]',
    });
    const failure = await zone.writeFailure(ours(9, identifier), protectedName);
    assert.equal(failure.reason, 'ChangeRejected');
  });

  it('gives the words of a refusal that come in the older form', async () => {
    zone.put(record());
    zone.route53.fail('ChangeResourceRecordSets', {
      kind: 'Raw',
      httpStatus: 400,
      contentType: 'text/xml',
      body: invalidChangeBatchDocument(['first problem', 'second problem']),
    });
    const failure = await zone.writeFailure(9);
    assert.deepEqual(
      [failure.reason, failure.message],
      [
        'ChangeRejected',
        'spec.target.route53: Route 53 refuses route53:ChangeResourceRecordSets (InvalidChangeBatch); AWS says: first problem, second problem',
      ],
    );
  });
});
