import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRoute53Store } from '../../../src/rebalance/targets/route53.ts';
import type {
  RecordWeight,
  SetReading,
  TargetFailure,
  TargetStore,
} from '../../../src/rebalance/targets/port.ts';
import type { Route53Target } from '../../../src/rebalance/spec.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import type { Result } from '../../../src/foundation/result.ts';
import { startDeadline } from '../../../src/foundation/deadline.ts';
import { systemTimer, type Timer } from '../../../src/foundation/timer.ts';
import { isolateAwsEnvironment, setAwsEnvironment } from '../../support/aws-environment.ts';
import { callContext, secretsOf } from '../../support/call-context.ts';
import { listen } from '../../support/listen.ts';
import {
  faults,
  startRoute53StandIn,
  type Route53Fault,
  type Route53StandIn,
  type Route53StandInOptions,
} from '../../support/route53-stand-in.ts';
import { invalidChangeBatchDocument } from '../../support/route53-wire.ts';
import type { ZoneRecord } from '../../support/route53-zone.ts';

const ZONE = 'Z0123456789ABC';
const AWS = [{ identifier: 'aws', share: 1 }];
const RESOURCE = 'spec.target.route53.resource';

function target(overrides: Partial<Route53Target> = {}): Route53Target {
  return {
    kind: 'Route53',
    hostedZoneId: ZONE,
    region: 'us-east-1',
    name: 'www.example.com',
    type: 'A',
    records: AWS,
    reference: undefined,
    compareAndSwap: false,
    auth: {
      base: {
        kind: 'SecretKeys',
        accessKeyId: { name: 'aws', key: 'id' },
        secretAccessKey: { name: 'aws', key: 'secret' },
        sessionToken: undefined,
      },
      role: undefined,
    },
    ...overrides,
  };
}

/** A weight of our record. */
function ours(value: number, identifier = 'aws'): readonly RecordWeight[] {
  return [{ identifier, weight: weight(value) }];
}

function record(overrides: Partial<ZoneRecord> = {}): ZoneRecord {
  return {
    Name: 'www.example.com',
    Type: 'A',
    SetIdentifier: 'aws',
    Weight: 8,
    TTL: 60,
    ResourceRecords: [{ Value: '192.0.2.1' }],
    ...overrides,
  };
}

function without(given: ZoneRecord, ...fields: readonly string[]): ZoneRecord {
  return Object.fromEntries(
    Object.entries(given).filter(([field]) => !fields.includes(field)),
  ) as unknown as ZoneRecord;
}

/** A record without the fields that make it weighted, and with others. */
function unweighted(fields: Partial<ZoneRecord>): ZoneRecord {
  return { ...without(record(), 'Weight', 'SetIdentifier'), ...fields };
}

/** A weighted alias record, which has no TTL and no values. */
function aliasRecord(fields: Partial<ZoneRecord>): ZoneRecord {
  return { ...without(record(), 'TTL', 'ResourceRecords'), ...fields };
}

const KEYS = { 'aws/id': 'AKIAEXAMPLE', 'aws/secret': 'wJalrXUtnFEMI' };

/** How much faster the store's time runs, so that pauses end early. */
const HASTE = 20;
const hastyTimer: Timer = {
  nowMs: () => systemTimer.nowMs() * HASTE,
  after: (delayMs, act) => systemTimer.after(delayMs / HASTE, act),
};

function context(
  budgetMs = 8_000,
  keys: Readonly<Record<string, string>> = KEYS,
): ReturnType<typeof callContext> {
  const real = startDeadline(budgetMs);
  const deadline = {
    beganMs: real.beganMs * HASTE,
    signal: real.signal,
    remainingMs: () => real.remainingMs() * HASTE,
  };
  return callContext({ deadline, secrets: secretsOf(keys) });
}

function failureOf(result: Result<unknown, TargetFailure>): TargetFailure {
  assert.ok(!result.ok, `expected a failure, got ${JSON.stringify(result)}`);
  return result.error;
}

function valueOf<T>(result: Result<T, TargetFailure>): T {
  assert.ok(result.ok, `expected a value, got ${JSON.stringify(result)}`);
  return result.value;
}

describe('Route 53', () => {
  let route53: Route53StandIn;
  let store: TargetStore;

  async function start(options: Route53StandInOptions = {}): Promise<void> {
    route53 = await startRoute53StandIn(options);
    route53.createZone(ZONE, 'example.com');
    store = createRoute53Store({ endpoint: route53.url, timer: hastyTimer });
  }
  beforeEach(() => start());
  afterEach(() => route53.stop());

  async function readSet(overrides: Partial<Route53Target> = {}): Promise<SetReading> {
    return valueOf(await store.readSet(target(overrides), context()));
  }

  async function write(value: number, overrides: Partial<Route53Target> = {}): Promise<void> {
    const reading = await readSet(overrides);
    valueOf(await store.writeWeights(target(overrides), reading, ours(value), context()));
  }

  function weightOf(identifier: string, name = 'www.example.com', type = 'A'): number | undefined {
    return route53.record(ZONE, name, type, identifier)?.Weight;
  }

  describe('reading a set', () => {
    it('gives our record and the others, with what a decision needs of each', async () => {
      route53.putRecord(ZONE, record({ TTL: 0, HealthCheckId: 'hc-1' }));
      route53.putRecord(ZONE, record({ SetIdentifier: 'onprem', Weight: 16, TTL: 0 }));
      const alias = { HostedZoneId: 'Z2', DNSName: 'lb.example.net.', EvaluateTargetHealth: true };
      route53.putRecord(ZONE, aliasRecord({ SetIdentifier: 'lb', Weight: 0, AliasTarget: alias }));
      const { set } = await readSet();
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
        route53.putRecord(ZONE, record({ Name: stored }));
        assert.equal((await readSet({ name: asked })).set.own.total, 8);
      });
    }

    it('starts at the set, in lower case and with a literal asterisk', async () => {
      route53.putRecord(ZONE, record({ Name: '*.example.com' }));
      await readSet({ name: '\\052.EXAMPLE.com.' });
      assert.deepEqual(Object.fromEntries(route53.calls[0]?.parameters ?? []), {
        name: '*.example.com',
        type: 'A',
        maxitems: '100',
      });
    });

    it('makes one call for a set of 100 in a zone of 220 (s18: the original makes two, three when it writes)', async () => {
      for (let index = 0; index < 120; index += 1)
        route53.putRecord(ZONE, record({ Name: `host-${index}.example.com` }));
      for (let index = 0; index < 99; index += 1)
        route53.putRecord(ZONE, record({ SetIdentifier: `site-${index}` }));
      route53.putRecord(ZONE, record());
      const { set } = await readSet();
      assert.equal(set.others.length, 99);
      assert.equal(route53.count('ListResourceRecordSets'), 1);
    });

    it('goes on where a page ends inside the set (s3: the original reads the first page only)', async () => {
      await route53.stop();
      await start({ pageLimit: 2 });
      for (const identifier of ['aws', 'b', 'c', 'd', 'e'])
        route53.putRecord(ZONE, record({ SetIdentifier: identifier }));
      route53.putRecord(ZONE, record({ Name: 'xxx.example.com' }));
      const { set } = await readSet({ records: [{ identifier: 'd', share: 1 }] });
      assert.deepEqual(
        set.others.map(({ identifier }) => identifier),
        ['aws', 'b', 'c', 'e'],
      );
      assert.deepEqual(
        route53.calls.map(({ parameters }) => parameters.get('identifier')),
        [null, 'c', 'e'],
      );
    });

    it('makes no further call where a page ends with the set', async () => {
      await route53.stop();
      await start({ pageLimit: 2 });
      route53.putRecord(ZONE, record());
      route53.putRecord(ZONE, record({ SetIdentifier: 'onprem' }));
      route53.putRecord(ZONE, record({ Name: 'xxx.example.com' }));
      await readSet();
      assert.equal(route53.calls.length, 1);
    });

    it('makes no further call where a page ends with the type', async () => {
      await route53.stop();
      await start({ pageLimit: 1 });
      route53.putRecord(ZONE, record());
      route53.putRecord(ZONE, record({ Type: 'AAAA' }));
      await readSet();
      assert.equal(route53.calls.length, 1);
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
        stored: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((identifier) =>
          record({ SetIdentifier: identifier }),
        ),
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
        for (const each of stored) route53.putRecord(ZONE, each);
        const failure = failureOf(await store.readSet(target(asked), context()));
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
        route53.putRecord(ZONE, unweighted({ SetIdentifier: 'aws', ...fields }));
        assert.equal(
          failureOf(await store.readSet(target(), context())).message,
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
        route53.fail('ListResourceRecordSets', page(next));
        const failure = failureOf(await store.readSet(target(), context()));
        assert.deepEqual(
          [failure.reason, failure.message],
          [
            'TargetError',
            `Route 53's answer to route53:ListResourceRecordSets on hosted zone ${ZONE} cannot be read: its pages do not go on`,
          ],
        );
      }
      assert.equal(route53.calls.length, 2);
    });
  });

  describe('writing a weight', () => {
    it('changes the weight alone', async () => {
      route53.putRecord(ZONE, record({ TTL: 0, HealthCheckId: 'hc-1' }));
      route53.putRecord(ZONE, record({ SetIdentifier: 'onprem', TTL: 0 }));
      const before = route53.records(ZONE);
      await write(16);
      assert.deepEqual(
        route53.records(ZONE),
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
      route53.putRecord(ZONE, txt);
      await write(16, { type: 'TXT' });
      assert.deepEqual(route53.record(ZONE, 'www.example.com', 'TXT', 'aws'), {
        ...txt,
        Name: 'www.example.com.',
        Weight: 16,
      });
    });

    it('keeps an alias an alias', async () => {
      const alias = { HostedZoneId: 'Z2', DNSName: 'lb.example.net.', EvaluateTargetHealth: false };
      route53.putRecord(ZONE, aliasRecord({ AliasTarget: alias }));
      await write(16);
      assert.deepEqual(route53.record(ZONE, 'www.example.com', 'A', 'aws'), {
        ...aliasRecord({ AliasTarget: alias }),
        Name: 'www.example.com.',
        Weight: 16,
      });
    });

    it('sends weight 0', async () => {
      route53.putRecord(ZONE, record());
      await write(0);
      assert.equal(weightOf('aws'), 0);
      assert.match(route53.calls[1]?.body ?? '', /<Weight>0<\/Weight>/);
    });

    it('leaves the record of another type with our identifier alone (s2: the original wrote it)', async () => {
      route53.putRecord(ZONE, record());
      route53.putRecord(ZONE, record({ Type: 'AAAA', Weight: 77 }));
      await write(16);
      assert.deepEqual([weightOf('aws'), weightOf('aws', 'www.example.com', 'AAAA')], [16, 77]);
    });

    describe('by compare and swap', () => {
      const compareAndSwap = { compareAndSwap: true };

      it('deletes what was read, word for word, and creates the new record in the same batch', async () => {
        const txt = record({ Type: 'TXT', ResourceRecords: [{ Value: '"v=1; p=$&"' }], Tier: 'gold' });
        route53.putRecord(ZONE, txt);
        await write(16, { type: 'TXT', ...compareAndSwap });
        const stored = { ...txt, Name: 'www.example.com.', Weight: 16 };
        assert.deepEqual(route53.record(ZONE, 'www.example.com', 'TXT', 'aws'), stored);
        const { body = '' } = route53.calls[1] ?? {};
        assert.deepEqual(
          [...body.matchAll(/<Action>(\w+)<\/Action>|<Weight>(\d+)</g)].map(
            ([, action, value]) => action ?? value,
          ),
          ['DELETE', '8', 'CREATE', '16'],
        );
      });

      const races: Readonly<Record<string, () => void>> = {
        'another weight': () => route53.putRecord(ZONE, record({ Weight: 9 })),
        'another value': () => route53.putRecord(ZONE, record({ ResourceRecords: [{ Value: '192.0.2.9' }] })),
        'no record any more': () => {
          route53.createZone(ZONE, 'example.com');
          route53.putRecord(ZONE, record({ Name: 'other.example.com' }));
        },
      };
      for (const [what, change] of Object.entries(races)) {
        it(`writes nothing where DNS holds ${what} by then, says so, and isolates it`, async () => {
          route53.putRecord(ZONE, record());
          route53.putRecord(ZONE, record({ Name: 'other.example.com' }));
          const other = { name: 'other.example.com', ...compareAndSwap };
          const readings = [await readSet(compareAndSwap), await readSet(other)] as const;
          change();
          const before = route53.record(ZONE, 'www.example.com', 'A', 'aws');
          const [lost, written] = await Promise.all([
            store.writeWeights(target(compareAndSwap), readings[0], ours(16), context()),
            store.writeWeights(target(other), readings[1], ours(16), context()),
          ]);
          assert.deepEqual(failureOf(lost), {
            reason: 'ChangedMeanwhile',
            message:
              'spec.target.route53.resource: somebody changed the record since it was read, so nothing was written (write: CompareAndSwap); read anew at the next attempt',
            outcomeUnknown: false,
          });
          valueOf(written);
          assert.deepEqual(route53.record(ZONE, 'www.example.com', 'A', 'aws'), before);
          assert.equal(weightOf('aws', 'other.example.com'), 16);
        });
      }

      it('still tells a change that Route 53 refuses for another reason', async () => {
        route53.putRecord(ZONE, record());
        route53.protect(ZONE, 'www.example.com', 'A', 'keep it');
        const reading = await readSet(compareAndSwap);
        const failure = failureOf(
          await store.writeWeights(target(compareAndSwap), reading, ours(16), context()),
        );
        assert.equal(failure.reason, 'RecordProtected');
      });
    });

    it('knows what it last sent', async () => {
      route53.putRecord(ZONE, record());
      assert.equal((await readSet()).lastSent, undefined);
      await write(16);
      assert.deepEqual((await readSet()).lastSent, ours(16));
    });

    it('says in the change what it does, for the audit log of AWS', async () => {
      route53.putRecord(ZONE, record());
      await write(16);
      assert.match(route53.calls[1]?.body ?? '', /<Comment>counterpoise: weight 8 -&gt; 16<\/Comment>/);
    });

    it('makes one list and one change (s18: the original makes three lists)', async () => {
      route53.putRecord(ZONE, record());
      await write(16);
      assert.deepEqual(
        route53.calls.map(({ operation }) => operation),
        ['ListResourceRecordSets', 'ChangeResourceRecordSets'],
      );
    });

    it('is PENDING first and INSYNC later, as GetChange says', async () => {
      route53.putRecord(ZONE, record());
      const change = valueOf(await store.writeWeights(target(), await readSet(), ours(9), context()));
      assert.deepEqual(change, { id: 'C0000000000001', status: 'PENDING' });
      const polls = [
        valueOf(await store.readChange(target(), change.id, context())),
        valueOf(await store.readChange(target(), `/change/${change.id}`, context())),
      ];
      assert.deepEqual(polls, [
        { id: 'C0000000000001', status: 'PENDING' },
        { id: 'C0000000000001', status: 'INSYNC' },
      ]);
    });

    it('reports a protected record as such, with the comment of the protection', async () => {
      route53.putRecord(ZONE, record());
      route53.protect(ZONE, 'www.example.com', 'A', 'change freeze, ask dns@example.com');
      const failure = failureOf(await store.writeWeights(target(), await readSet(), ours(9), context()));
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
      route53.putRecord(ZONE, record({ Name: name, SetIdentifier: identifier }));
      const reading = await readSet(protectedName);
      route53.fail('ChangeResourceRecordSets', {
        kind: 'Error',
        httpStatus: 400,
        code: 'InvalidChangeBatch',
        message:
          '[RRSet with DNS name protected.example.com., type A, SetIdentifier protection is not permitted]',
      });
      const failure = failureOf(
        await store.writeWeights(target(protectedName), reading, ours(9, identifier), context()),
      );
      assert.equal(failure.reason, 'ChangeRejected');
    });

    it('gives the words of a refusal that come in the older form', async () => {
      route53.putRecord(ZONE, record());
      const reading = await readSet();
      route53.fail('ChangeResourceRecordSets', {
        kind: 'Raw',
        httpStatus: 400,
        contentType: 'text/xml',
        body: invalidChangeBatchDocument(['first problem', 'second problem']),
      });
      const failure = failureOf(await store.writeWeights(target(), reading, ours(9), context()));
      assert.deepEqual(
        [failure.reason, failure.message],
        [
          'ChangeRejected',
          'spec.target.route53: Route 53 refuses route53:ChangeResourceRecordSets (InvalidChangeBatch); AWS says: first problem, second problem',
        ],
      );
    });
  });

  describe('several records of one weight', () => {
    const records = [
      { identifier: 'green', share: 1 },
      { identifier: 'blue', share: 3 },
    ];
    const weights = [
      { identifier: 'green', weight: weight(4) },
      { identifier: 'blue', weight: weight(12) },
    ];
    const put = (identifier: string, fields: Partial<ZoneRecord> = {}): void =>
      route53.putRecord(ZONE, record({ SetIdentifier: identifier, ...fields }));

    it('are read in the order of the spec, with their sum, wherever pages end', async () => {
      await route53.stop();
      await start({ pageLimit: 1 });
      for (const [identifier, value] of [
        ['blue', 10],
        ['green', 6],
        ['onprem', 8],
      ] as const)
        put(identifier, { Weight: value });
      const { set } = await readSet({ records });
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
      const before = route53.records(ZONE);
      valueOf(await store.writeWeights(target({ records }), await readSet({ records }), weights, context()));
      const written: Readonly<Record<string, number>> = { blue: 12, green: 4 };
      assert.deepEqual(
        route53.records(ZONE),
        before.map((each) => {
          const value = written[each.SetIdentifier ?? ''];
          return value === undefined ? each : { ...each, Weight: value };
        }),
      );
      assert.equal(route53.count('ChangeResourceRecordSets'), 1);
    });

    it('are written alone where only some of them change', async () => {
      for (const identifier of ['blue', 'green']) put(identifier);
      const [green] = weights;
      assert.ok(green);
      valueOf(await store.writeWeights(target({ records }), await readSet({ records }), [green], context()));
      assert.deepEqual([weightOf('blue'), weightOf('green')], [8, 4]);
      assert.doesNotMatch(route53.calls[1]?.body ?? '', /blue/);
    });

    it('are told in the change by their identifiers, as far as a comment goes', async () => {
      for (const identifier of ['blue', 'green']) put(identifier);
      valueOf(await store.writeWeights(target({ records }), await readSet({ records }), weights, context()));
      assert.match(
        route53.calls[1]?.body ?? '',
        /<Comment>counterpoise: weight green 8 -&gt; 4, blue 8 -&gt; 12<\/Comment>/,
      );
      const long = Array.from({ length: 3 }, (_, n) => `${String(n)}${'x'.repeat(127)}`);
      for (const identifier of long) put(identifier);
      const many = { records: long.map((identifier) => ({ identifier, share: 1 })) };
      const zeros = long.map((identifier) => ({ identifier, weight: weight(0) }));
      valueOf(await store.writeWeights(target(many), await readSet(many), zeros, context()));
      const [, comment = ''] = /<Comment>(.*)<\/Comment>/.exec(route53.calls[3]?.body ?? '') ?? [];
      assert.equal(comment.replaceAll('&gt;', '>').length, 256);
    });

    it('are all left where one of them is refused', async () => {
      put('blue');
      put('green', { AliasTarget: { HostedZoneId: 'Z2', DNSName: 'a.', EvaluateTargetHealth: false } });
      const reading = await readSet({ records });
      const failure = failureOf(await store.writeWeights(target({ records }), reading, weights, context()));
      assert.equal(failure.reason, 'ChangeRejected');
      assert.deepEqual([weightOf('blue'), weightOf('green')], [8, 8]);
    });

    const missing: readonly (readonly [string, readonly string[], string])[] = [
      ['one of them', ['blue', 'onprem'], '"green": it has "blue", "onprem"'],
      ['all of them', ['onprem'], '"green", "blue": it has "onprem"'],
      ['the whole set', [], '"green", "blue": there is none of this name and type'],
    ];
    for (const [name, stored, told] of missing) {
      it(`are not found where ${name} is missing: each that is is named`, async () => {
        for (const identifier of stored) put(identifier);
        const failure = failureOf(await store.readSet(target({ records }), context()));
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
        route53.putRecord(ZONE, unweighted({ SetIdentifier: identifier, Region }));
      assert.equal(
        failureOf(await store.readSet(target({ records }), context())).message,
        `${RESOURCE}: www.example.com A has latency routing, expected weighted records, among them "green", "blue"`,
      );
    });

    it('have weights of 0 to 255, like every record', async () => {
      put('blue');
      put('green', { Weight: 300 });
      const failure = failureOf(await store.readSet(target({ records }), context()));
      assert.equal(failure.message, `${RESOURCE}: a record of the set has no weight within 0..255`);
    });

    it('may have a name with the word for a protection, each of them', async () => {
      const name = 'protected.example.com';
      const several = {
        name,
        records: ['protection', 'protections'].map((identifier) => ({ identifier, share: 1 })),
      };
      for (const { identifier } of several.records) put(identifier, { Name: name });
      const reading = await readSet(several);
      route53.fail('ChangeResourceRecordSets', {
        kind: 'Error',
        httpStatus: 400,
        code: 'InvalidChangeBatch',
        message: '[RRSet protected.example.com., SetIdentifier protection and protections, is not permitted]',
      });
      const zero = [{ identifier: 'protection', weight: weight(0) }];
      const failure = failureOf(await store.writeWeights(target(several), reading, zero, context()));
      assert.equal(failure.reason, 'ChangeRejected');
    });
  });

  describe('failing', () => {
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
        route53.putRecord(ZONE, record());
        route53.fail('ListResourceRecordSets', fault, 3);
        const failure = failureOf(await store.readSet(target(), context()));
        assert.deepEqual(failure, { reason, message, outcomeUnknown: false });
      });
    }

    it('tells a refused connection', async () => {
      await route53.stop();
      const failure = failureOf(await store.readSet(target(), context()));
      assert.deepEqual(failure, {
        reason: 'TargetUnreachable',
        message: 'Route 53 refused the connection (ECONNREFUSED)',
        outcomeUnknown: false,
      });
    });

    it('tells a change that Route 53 has forgotten', async () => {
      const failure = failureOf(await store.readChange(target(), 'C9', context()));
      assert.equal(failure.reason, 'ChangeNotFound');
    });

    it('tells an answer that breaks off as a connection that does', async () => {
      route53.putRecord(ZONE, record());
      const { id } = valueOf(await store.writeWeights(target(), await readSet(), ours(9), context()));
      for (const operation of ['ListResourceRecordSets', 'GetChange'] as const)
        route53.fail(operation, faults.halfAnswered, 3);
      const list = failureOf(await store.readSet(target(), context()));
      const poll = failureOf(await store.readChange(target(), id, context()));
      const message = 'Route 53 closed the connection without an answer (ECONNRESET)';
      for (const failure of [list, poll])
        assert.deepEqual(failure, { reason: 'TargetUnreachable', message, outcomeUnknown: false });
    });

    it('tells a GetChange that is none of Route 53', async () => {
      route53.fail('GetChange', { ...faults.webPage, httpStatus: 200 });
      assert.equal(failureOf(await store.readChange(target(), 'C9', context())).reason, 'TargetError');
    });

    it('recovers by itself from one throttled call', async () => {
      route53.putRecord(ZONE, record());
      route53.fail('ListResourceRecordSets', faults.throttling);
      assert.equal((await readSet()).set.own.total, 8);
      assert.equal(route53.count('ListResourceRecordSets'), 2);
    });

    it('asks nothing when the Secret cannot be read', async () => {
      for (const act of [
        () => store.readSet(target(), context(8_000, { 'aws/id': 'AKIAEXAMPLE' })),
        () => store.readChange(target(), 'C1', context(8_000, {})),
      ]) {
        assert.deepEqual(failureOf(await act()), {
          reason: 'SecretMissing',
          message: `spec.target.route53.auth: Secret aws does not exist`,
          outcomeUnknown: false,
        });
      }
      assert.equal(route53.calls.length, 0);
    });
  });

  describe('keeping the deadline', () => {
    it('ends a list that hangs, and says so without a number', async () => {
      route53.fail('ListResourceRecordSets', faults.hang);
      assert.deepEqual(failureOf(await store.readSet(target(), context(60))), {
        reason: 'TargetTimeout',
        message: "Route 53 did not answer route53:ListResourceRecordSets within the hook's budget",
        outcomeUnknown: false,
      });
    });

    it('ends the pauses of the retries too, and says what they were for', async () => {
      route53.fail('ListResourceRecordSets', faults.throttling, 99);
      assert.equal(failureOf(await store.readSet(target(), context(40))).reason, 'Throttled');
    });

    it('calls nothing when nothing is left', async () => {
      assert.equal(failureOf(await store.readSet(target(), context(0))).reason, 'TargetTimeout');
      assert.equal(route53.calls.length, 0);
    });
  });

  describe('after a write that failed', () => {
    const rows: readonly {
      name: string;
      fault: Route53Fault;
      reason: string;
      unknown: boolean;
      inDns: number;
    }[] = [
      {
        name: 'knows that a refusal changed nothing',
        fault: faults.accessDenied,
        reason: 'AccessDenied',
        unknown: false,
        inDns: 8,
      },
      {
        name: 'knows that a request behind another one changed nothing',
        fault: faults.priorRequestNotComplete,
        reason: 'PriorRequestNotComplete',
        unknown: false,
        inDns: 8,
      },
      {
        name: 'does not know what an internal failure did',
        fault: faults.internalFailure,
        reason: 'TargetError',
        unknown: true,
        inDns: 8,
      },
      {
        name: 'does not know what a reset connection did, when nothing was done',
        fault: faults.reset,
        reason: 'TargetUnreachable',
        unknown: true,
        inDns: 8,
      },
      {
        name: 'does not know what a lost answer did, when all was done',
        fault: faults.answerLost,
        reason: 'TargetUnreachable',
        unknown: true,
        inDns: 9,
      },
      {
        name: 'does not know what an answer of a proxy means',
        fault: { ...faults.webPage, httpStatus: 200 },
        reason: 'TargetError',
        unknown: true,
        inDns: 8,
      },
      {
        name: 'does not know what an aborted call did',
        fault: faults.hang,
        reason: 'TargetTimeout',
        unknown: true,
        inDns: 8,
      },
    ];
    for (const { name, fault, reason, unknown, inDns } of rows) {
      it(name, async () => {
        route53.putRecord(ZONE, record());
        const reading = await readSet();
        route53.fail('ChangeResourceRecordSets', fault, 3);
        const budgetMs = fault.kind === 'Hang' ? 60 : 8_000;
        const failure = failureOf(await store.writeWeights(target(), reading, ours(9), context(budgetMs)));
        assert.deepEqual([failure.reason, failure.outcomeUnknown], [reason, unknown]);
        assert.equal(weightOf('aws'), inDns);
      });
    }

    it('does not know it when a lost answer is followed by a refusal of the retry', async () => {
      route53.putRecord(ZONE, record());
      const reading = await readSet();
      route53.fail('ChangeResourceRecordSets', faults.answerLost);
      route53.fail('ChangeResourceRecordSets', faults.accessDenied);
      const failure = failureOf(await store.writeWeights(target(), reading, ours(9), context()));
      assert.deepEqual([failure.reason, failure.outcomeUnknown], ['AccessDenied', true]);
    });

    it('knows that a write to a closed port changed nothing', async () => {
      route53.putRecord(ZONE, record());
      const reading = await readSet();
      await route53.stop();
      const unconnected = createRoute53Store({ endpoint: route53.url, timer: hastyTimer });
      const failure = failureOf(await unconnected.writeWeights(target(), reading, ours(9), context()));
      assert.deepEqual([failure.reason, failure.outcomeUnknown], ['TargetUnreachable', false]);
    });
  });

  describe('keeping clients', () => {
    it('uses one connection for many evaluations (s17: the original opened 1,796 for 200 objects)', async () => {
      route53.putRecord(ZONE, record());
      for (let evaluation = 0; evaluation < 20; evaluation += 1) await readSet();
      assert.equal(route53.calls.length, 20);
      assert.equal(route53.connections(), 1);
    });

    it('signs with the key of the Secret as it is now, over the same connections', async () => {
      route53.putRecord(ZONE, record());
      for (const id of ['AKIAFIRST', 'AKIASECOND\n'])
        valueOf(await store.readSet(target(), context(8_000, { ...KEYS, 'aws/id': id })));
      const keys = route53.calls.map(
        ({ headers }) => /Credential=([^/]+)/.exec(headers.authorization ?? '')?.[1],
      );
      assert.deepEqual(keys, ['AKIAFIRST', 'AKIASECOND']);
      assert.equal(route53.connections(), 1);
    });

    it('signs for the region of the object', async () => {
      route53.putRecord(ZONE, record());
      await readSet({ region: 'cn-northwest-1' });
      assert.match(route53.calls[0]?.headers.authorization ?? '', /\/cn-northwest-1\/route53\/aws4_request/);
    });
  });

  describe('without keys in the object', () => {
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
      route53.putRecord(ZONE, record());
      await readSet(ambient);
      assert.match(
        route53.calls[0]?.headers.authorization ?? '',
        /Credential=AKIAENV\/\d+\/us-gov-west-1\/route53\/aws4_request/,
      );
    });

    it('calls the endpoint of AWS_ENDPOINT_URL_ROUTE_53, where no flag names another', async () => {
      setAwsEnvironment({
        AWS_ACCESS_KEY_ID: 'AKIAENV',
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_ENDPOINT_URL_ROUTE_53: route53.url,
      });
      route53.putRecord(ZONE, record());
      valueOf(await createRoute53Store({ timer: hastyTimer }).readSet(target(ambient), context()));
      assert.equal(route53.count('ListResourceRecordSets'), 1);
    });

    it('signs for us-east-1 when nothing names a region', async () => {
      setAwsEnvironment({ AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: 'secret' });
      route53.putRecord(ZONE, record());
      await readSet(ambient);
      assert.match(route53.calls[0]?.headers.authorization ?? '', /\/us-east-1\/route53\/aws4_request/);
    });

    it('does not wait longer than the deadline for a credential service that hangs', async () => {
      const silent = await listen(createServer());
      setAwsEnvironment({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${silent.url}/credentials` });
      const passed = { beganMs: 0, signal: AbortSignal.abort(), remainingMs: () => 0 };
      const startMs = performance.now();
      for (const each of [context(50), callContext({ deadline: passed })])
        assert.equal(failureOf(await store.readSet(target(ambient), each)).reason, 'CredentialsTimeout');
      const tookMs = performance.now() - startMs;
      await silent.stop();
      // The SDK alone would give up after a second.
      assert.ok(tookMs < 800, `took ${Math.round(tookMs)} ms`);
    });

    it('says so when there are none, and that nothing was written', async () => {
      route53.putRecord(ZONE, record());
      const reading = await readSet();
      const failure = failureOf(await store.writeWeights(target(ambient), reading, ours(9), context()));
      assert.deepEqual(failure, {
        reason: 'NoCredentials',
        message:
          'spec.target.route53.auth: no AWS credentials; name a Secret in auth.secretRef or give the pod a role',
        outcomeUnknown: false,
      });
    });
  });
});
