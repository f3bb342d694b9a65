import assert from 'node:assert/strict';
import { weight } from '../../../src/rebalance/weight.ts';
import { record, RESOURCE, unweighted, useStoredZone, ZONE } from '../../support/route53-store.ts';
import type { ZoneRecord } from '../../support/route53-zone.ts';

describe('Route 53 several records of one weight', () => {
  const zone = useStoredZone();

  const records = [
    { identifier: 'green', share: 1 },
    { identifier: 'blue', share: 3 },
  ];
  const weights = [
    { identifier: 'green', weight: weight(4) },
    { identifier: 'blue', weight: weight(12) },
  ];
  const put = (identifier: string, fields: Partial<ZoneRecord> = {}): void =>
    zone.put(record({ SetIdentifier: identifier, ...fields }));

  it('are read in the order of the spec, with their sum, wherever pages end', async () => {
    await zone.restart({ pageLimit: 1 });
    for (const [identifier, value] of [
      ['blue', 10],
      ['green', 6],
      ['onprem', 8],
    ] as const)
      put(identifier, { Weight: value });
    const { set } = await zone.readSet({ records });
    assert.deepEqual(
      [set.own.total, set.own.records.map((each) => `${each.identifier} ${each.weight}`)],
      [16, ['green 6', 'blue 10']],
    );
    assert.deepEqual(
      set.others.map(({ identifier }) => identifier),
      ['onprem'],
    );
  });

  it('are one change, each written back word for word and nothing else touched', async () => {
    put('blue', { Weight: 10, Tier: 'gold', ResourceRecords: [{ Value: '192.0.2.7' }] });
    put('green', { Weight: 6, HealthCheckId: 'hc-1', Tier: 'a & b' });
    put('onprem');
    const before = zone.route53.records(ZONE);
    await zone.write(weights, { records });
    const written: Readonly<Record<string, number>> = { blue: 12, green: 4 };
    assert.deepEqual(
      zone.route53.records(ZONE),
      before.map((each) => {
        const value = written[each.SetIdentifier ?? ''];
        return value === undefined ? each : { ...each, Weight: value };
      }),
    );
    assert.equal(zone.route53.count('ChangeResourceRecordSets'), 1);
  });

  it('are written alone where only some of them change', async () => {
    for (const identifier of ['blue', 'green']) put(identifier);
    const [green] = weights;
    assert.ok(green);
    await zone.write([green], { records });
    assert.deepEqual([zone.weightOf('blue'), zone.weightOf('green')], [8, 4]);
    const identifiers = zone.route53.calls[1]?.body.match(/<SetIdentifier>\w+/g);
    assert.deepEqual(identifiers, ['<SetIdentifier>green']);
  });

  it('are told in the change by their identifiers, as far as a comment goes', async () => {
    for (const identifier of ['blue', 'green']) put(identifier);
    await zone.write(weights, { records });
    assert.match(
      zone.route53.calls[1]?.body ?? '',
      /<Comment>counterpoise: weight green 8 -&gt; 4, blue 8 -&gt; 12<\/Comment>/,
    );
    const long = Array.from({ length: 3 }, (_, n) => `${String(n)}${'x'.repeat(127)}`);
    for (const identifier of long) put(identifier);
    const many = { records: long.map((identifier) => ({ identifier, share: 1 })) };
    const zeros = long.map((identifier) => ({ identifier, weight: weight(0) }));
    await zone.write(zeros, many);
    const [, comment = ''] = /<Comment>(.*)<\/Comment>/.exec(zone.route53.calls[3]?.body ?? '') ?? [];
    assert.equal(comment.replaceAll('&gt;', '>').length, 256);
  });

  it('are all left where one of them is refused', async () => {
    put('blue');
    put('green', { AliasTarget: { HostedZoneId: 'Z2', DNSName: 'a.', EvaluateTargetHealth: false } });
    const failure = await zone.writeFailure(weights, { records });
    assert.equal(failure.reason, 'ChangeRejected');
    assert.deepEqual([zone.weightOf('blue'), zone.weightOf('green')], [8, 8]);
  });

  const missing: readonly (readonly [string, readonly string[], string])[] = [
    ['one of them', ['blue', 'onprem'], '"green": it has "blue", "onprem"'],
    ['all of them', ['onprem'], '"green", "blue": it has "onprem"'],
    ['the whole set', [], '"green", "blue": there is none of this name and type'],
  ];
  for (const [name, stored, told] of missing) {
    it(`are not found where ${name} is missing: each that is is named`, async () => {
      for (const identifier of stored) put(identifier);
      const failure = await zone.readFailure({ records });
      assert.deepEqual(
        [failure.reason, failure.message],
        [
          'RecordNotFound',
          `${RESOURCE}: hosted zone ${ZONE} has no A record www.example.com with identifier ${told}`,
        ],
      );
    });
  }

  it('are never changed where they have another routing', async () => {
    for (const [identifier, Region] of [
      ['blue', 'eu-west-1'],
      ['green', 'eu-west-2'],
    ] as const)
      zone.put(unweighted({ SetIdentifier: identifier, Region }));
    assert.equal(
      (await zone.readFailure({ records })).message,
      `${RESOURCE}: www.example.com A has latency routing, expected weighted records, among them "green", "blue"`,
    );
  });

  it('have weights of 0 to 255, like every record', async () => {
    put('blue');
    put('green', { Weight: 300 });
    const failure = await zone.readFailure({ records });
    assert.equal(failure.message, `${RESOURCE}: a record of the set has no weight within 0..255`);
  });

  it('may have a name with the word for a protection, each of them', async () => {
    const name = 'protected.example.com';
    const several = {
      name,
      records: ['protection', 'protections'].map((identifier) => ({ identifier, share: 1 })),
    };
    for (const { identifier } of several.records) put(identifier, { Name: name });
    zone.route53.fail('ChangeResourceRecordSets', {
      kind: 'Error',
      httpStatus: 400,
      code: 'InvalidChangeBatch',
      message: '[RRSet protected.example.com., SetIdentifier protection and protections, is not permitted]',
    });
    const zero = [{ identifier: 'protection', weight: weight(0) }];
    const failure = await zone.writeFailure(zero, several);
    assert.equal(failure.reason, 'ChangeRejected');
  });
});
