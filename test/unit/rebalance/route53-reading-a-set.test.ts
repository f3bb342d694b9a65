import assert from 'node:assert/strict';
import type { Route53Target } from '../../../src/rebalance/spec.ts';
import type { Route53Fault } from '../../support/route53-stand-in.ts';
import {
  aliasRecord,
  record,
  RESOURCE,
  unweighted,
  useStoredZone,
  ZONE,
} from '../../support/route53-store.ts';
import type { ZoneRecord } from '../../support/route53-zone.ts';

describe('Route 53 reading a set', () => {
  const zone = useStoredZone();

  it('gives our record and the others, with what a decision needs of each', async () => {
    zone.put(record({ TTL: 0, HealthCheckId: 'hc-1' }));
    zone.put(record({ SetIdentifier: 'onprem', Weight: 16, TTL: 0 }));
    const alias = { HostedZoneId: 'Z2', DNSName: 'lb.example.net.', EvaluateTargetHealth: true };
    zone.put(aliasRecord({ SetIdentifier: 'lb', Weight: 0, AliasTarget: alias }));
    const { set } = await zone.readSet();
    assert.deepEqual(set, {
      own: {
        records: [{ identifier: 'aws', weight: 8, ttlSeconds: 0, healthChecked: true }],
        total: 8,
      },
      others: [
        { identifier: 'lb', weight: 0, ttlSeconds: undefined, healthChecked: true },
        { identifier: 'onprem', weight: 16, ttlSeconds: 0, healthChecked: false },
      ],
    });
  });

  const spellings = [
    {
      name: 'a name ending in a dot (s1: the original says not found)',
      stored: 'www.example.com',
      asked: 'www.example.com.',
    },
    {
      name: 'a name with capitals (s1: the original says not found)',
      stored: 'www.example.com',
      asked: 'WWW.Example.com',
    },
    {
      name: 'a wildcard, which comes back as \\052 (s5: the original never matches it)',
      stored: '*.example.com',
      asked: '*.example.com',
    },
    { name: 'a wildcard written as \\052', stored: '*.example.com', asked: '\\052.example.com.' },
    { name: 'a name with an escaped character', stored: 'a!b.example.com', asked: 'a\\041b.example.com' },
    { name: 'the apex, beside its NS and SOA', stored: 'example.com', asked: 'example.com' },
  ];
  for (const { name, stored, asked } of spellings) {
    it(`finds ${name}`, async () => {
      zone.put(record({ Name: stored }));
      assert.equal((await zone.readSet({ name: asked })).set.own.total, 8);
    });
  }

  it('starts at the set, in lower case and with a literal asterisk', async () => {
    zone.put(record({ Name: '*.example.com' }));
    await zone.readSet({ name: '\\052.EXAMPLE.com.' });
    assert.deepEqual(Object.fromEntries(zone.route53.calls[0]?.parameters ?? []), {
      name: '*.example.com',
      type: 'A',
      maxitems: '100',
    });
  });

  it('makes one call for a set of 100 in a zone of 220 (s18: the original makes two, three when it writes)', async () => {
    for (let index = 0; index < 120; index += 1) zone.put(record({ Name: `host-${index}.example.com` }));
    for (let index = 0; index < 99; index += 1) zone.put(record({ SetIdentifier: `site-${index}` }));
    zone.put(record());
    const { set } = await zone.readSet();
    assert.equal(set.others.length, 99);
    assert.equal(zone.route53.count('ListResourceRecordSets'), 1);
  });

  it('goes on where a page ends inside the set (s3: the original reads the first page only)', async () => {
    await zone.restart({ pageLimit: 2 });
    for (const identifier of ['aws', 'b', 'c', 'd', 'e']) zone.put(record({ SetIdentifier: identifier }));
    zone.put(record({ Name: 'xxx.example.com' }));
    const { set } = await zone.readSet({ records: [{ identifier: 'd', share: 1 }] });
    assert.deepEqual(
      set.others.map(({ identifier }) => identifier),
      ['aws', 'b', 'c', 'e'],
    );
    assert.deepEqual(
      zone.route53.calls.map(({ parameters }) => parameters.get('identifier')),
      [null, 'c', 'e'],
    );
  });

  it('makes no further call where a page ends with the set', async () => {
    await zone.restart({ pageLimit: 2 });
    zone.put(record());
    zone.put(record({ SetIdentifier: 'onprem' }));
    zone.put(record({ Name: 'xxx.example.com' }));
    await zone.readSet();
    assert.equal(zone.route53.calls.length, 1);
  });

  it('makes no further call where a page ends with the type', async () => {
    await zone.restart({ pageLimit: 1 });
    zone.put(record());
    zone.put(record({ Type: 'AAAA' }));
    await zone.readSet();
    assert.equal(zone.route53.calls.length, 1);
  });

  const missing: readonly {
    name: string;
    stored: readonly ZoneRecord[];
    asked?: Partial<Route53Target>;
    expected: readonly [string, string];
  }[] = [
    {
      name: 'no record of the name',
      stored: [record({ Name: 'wwx.example.com' })],
      expected: [
        'RecordNotFound',
        `${RESOURCE}: hosted zone ${ZONE} has no A record www.example.com with identifier "aws": there is none of this name and type`,
      ],
    },
    {
      name: 'our identifier under another type alone (s2: asked for A, the original wrote the AAAA record)',
      stored: [record({ Type: 'AAAA' })],
      expected: [
        'RecordNotFound',
        `${RESOURCE}: hosted zone ${ZONE} has no A record www.example.com with identifier "aws": there is none of this name and type`,
      ],
    },
    {
      name: 'our identifier missing beside a simple TXT of the name (s2: the original crashes)',
      stored: [
        unweighted({ Type: 'TXT' }),
        record({ SetIdentifier: 'blue' }),
        record({ SetIdentifier: 'green' }),
      ],
      expected: [
        'RecordNotFound',
        `${RESOURCE}: hosted zone ${ZONE} has no A record www.example.com with identifier "aws": it has "blue", "green"`,
      ],
    },
    {
      name: 'our identifier missing among many',
      stored: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((identifier) => record({ SetIdentifier: identifier })),
      expected: [
        'RecordNotFound',
        `${RESOURCE}: hosted zone ${ZONE} has no A record www.example.com with identifier "aws": it has "a", "b", "c", "d", "e" and 2 more`,
      ],
    },
    {
      name: 'an identifier in other letters, which is another one',
      stored: [record({ SetIdentifier: 'AWS' })],
      expected: [
        'RecordNotFound',
        `${RESOURCE}: hosted zone ${ZONE} has no A record www.example.com with identifier "aws": it has "AWS"`,
      ],
    },
    {
      name: 'a simple record (s4: the original crashes)',
      stored: [unweighted({})],
      expected: [
        'RecordNotWeighted',
        `${RESOURCE}: www.example.com A has simple routing, expected weighted records, one of them "aws"`,
      ],
    },
    {
      name: 'another zone',
      stored: [record()],
      asked: { hostedZoneId: 'ZNOSUCH' },
      expected: [
        'HostedZoneNotFound',
        'spec.target.route53.hostedZoneID: this AWS account has no hosted zone ZNOSUCH',
      ],
    },
    {
      name: 'a weight that is none, as an emulator may hold it',
      stored: [record(), record({ SetIdentifier: 'onprem', Weight: 300 })],
      expected: ['TargetError', `${RESOURCE}: a record of the set has no weight within 0..255`],
    },
  ];
  for (const { name, stored, asked, expected } of missing) {
    it(`fails clearly for ${name}`, async () => {
      for (const each of stored) zone.put(each);
      const failure = await zone.readFailure(asked);
      assert.deepEqual([failure.reason, failure.message], expected);
      assert.equal(failure.outcomeUnknown, false);
    });
  }

  const routings: readonly [string, Partial<ZoneRecord>][] = [
    ['latency', { Region: 'eu-west-1' }],
    ['failover', { Failover: 'PRIMARY' }],
    ['geolocation', { GeoLocation: { CountryCode: 'JP' } }],
    ['geoproximity', { GeoProximityLocation: { AWSRegion: 'eu-west-1' } }],
    ['IP-based', { CidrRoutingConfig: { CollectionId: 'c', LocationName: 'l' } }],
    ['multivalue answer', { MultiValueAnswer: true }],
  ];
  for (const [routing, fields] of routings) {
    it(`names ${routing} routing (s4: the original crashes on it)`, async () => {
      zone.put(unweighted({ SetIdentifier: 'aws', ...fields }));
      assert.equal(
        (await zone.readFailure()).message,
        `${RESOURCE}: www.example.com A has ${routing} routing, expected weighted records, one of them "aws"`,
      );
    });
  }

  it('does not go round in circles when a page does not say where the next one starts', async () => {
    const page = (next: string): Route53Fault => ({
      kind: 'Raw',
      httpStatus: 200,
      contentType: 'text/xml',
      body: `<ListResourceRecordSetsResponse><ResourceRecordSets><ResourceRecordSet><Name>www.example.com.</Name><Type>A</Type><SetIdentifier>aws</SetIdentifier><Weight>8</Weight></ResourceRecordSet></ResourceRecordSets><IsTruncated>true</IsTruncated><NextRecordName>www.example.com.</NextRecordName><NextRecordType>A</NextRecordType>${next}<MaxItems>100</MaxItems></ListResourceRecordSetsResponse>`,
    });
    for (const next of ['', '<NextRecordIdentifier>aws</NextRecordIdentifier>']) {
      zone.route53.fail('ListResourceRecordSets', page(next));
      const failure = await zone.readFailure();
      assert.deepEqual(
        [failure.reason, failure.message],
        [
          'TargetError',
          `Route 53's answer to route53:ListResourceRecordSets on hosted zone ${ZONE} cannot be read: its pages do not go on`,
        ],
      );
    }
    assert.equal(zone.route53.calls.length, 2);
  });
});
