import assert from 'node:assert/strict';
import {
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
  type Change,
  type ListResourceRecordSetsCommandInput,
  type ResourceRecordSet,
} from '@aws-sdk/client-route-53';
import { faults, startRoute53StandIn, type Route53StandIn } from '../../support/route53-stand-in.ts';
import { canonicalName } from '../../support/route53-zone.ts';
import { weightedRecord } from '../../support/weighted-record.ts';

const ZONE = 'Z0123456789ABC';

function record(overrides: Partial<ResourceRecordSet> = {}): ResourceRecordSet {
  return { ...weightedRecord('www.example.com', 'aws', 8), ...overrides };
}

const simple = { SetIdentifier: undefined, Weight: undefined };

/**
 * What the emulator moto does not show of Route 53, as AWS documents it. Each group names its page below
 * https://docs.aws.amazon.com/Route53/latest/.
 */
describe('the Route 53 stand-in', () => {
  let route53: Route53StandIn;
  let client: Route53Client;
  let nowMs: number;

  beforeEach(async () => {
    nowMs = 1_796_053_326_000;
    route53 = await startRoute53StandIn({ pendingMs: 30_000, clock: { nowMs: () => nowMs } });
    route53.createZone(ZONE, 'Example.com');
    client = new Route53Client({
      endpoint: route53.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' },
      maxAttempts: 1,
    });
  });
  afterEach(async () => {
    client.destroy();
    await route53.stop();
  });

  const list = (input: Partial<ListResourceRecordSetsCommandInput> = {}) =>
    client.send(new ListResourceRecordSetsCommand({ HostedZoneId: ZONE, ...input }));
  const change = (...changes: readonly Change[]) =>
    client.send(
      new ChangeResourceRecordSetsCommand({ HostedZoneId: ZONE, ChangeBatch: { Changes: [...changes] } }),
    );
  const upsert = (overrides: Partial<ResourceRecordSet> = {}): Change => ({
    Action: 'UPSERT',
    ResourceRecordSet: record(overrides),
  });
  const put = (...records: readonly Partial<ResourceRecordSet>[]) => change(...records.map(upsert));

  // APIReference/API_ListResourceRecordSets.html
  describe('lists', () => {
    const namesAndTypes = async (input: Partial<ListResourceRecordSetsCommandInput> = {}) => {
      const { ResourceRecordSets = [] } = await list(input);
      return ResourceRecordSets.map(({ Name, Type, SetIdentifier }) =>
        [Name, Type, SetIdentifier ?? ''].join(' ').trim(),
      );
    };

    it('by name with the labels reversed, then by type, then by identifier', async () => {
      await put(
        { Name: 'b.example.com' },
        { Name: 'a.b.example.com' },
        { Name: 'a-b.example.com' },
        { Name: '*.example.com' },
        { Name: 'a.example.com', SetIdentifier: 'z' },
        { Name: 'a.example.com' },
        { Name: 'a.example.com', Type: 'AAAA', ResourceRecords: [{ Value: '2001:db8::1' }] },
      );
      assert.deepEqual(await namesAndTypes(), [
        'example.com. NS',
        'example.com. SOA',
        '\\052.example.com. A aws',
        // A hyphen comes before the trailing dot in ASCII.
        'a-b.example.com. A aws',
        'a.example.com. A aws',
        'a.example.com. A z',
        'a.example.com. AAAA aws',
        'b.example.com. A aws',
        'a.b.example.com. A aws',
      ]);
    });

    it('from a name on, and from a type on within it', async () => {
      await put({ Name: 'a.example.com' }, { Name: 'b.example.com' }, { Name: 'b.example.com', Type: 'TXT' });
      assert.deepEqual(await namesAndTypes({ StartRecordName: 'aa.example.com' }), [
        'b.example.com. A aws',
        'b.example.com. TXT aws',
      ]);
      assert.deepEqual(await namesAndTypes({ StartRecordName: 'B.example.com.', StartRecordType: 'AAAA' }), [
        'b.example.com. TXT aws',
      ]);
    });

    it('in pages of MaxItems; the next one starts inside a set with NextRecordIdentifier', async () => {
      await put({ SetIdentifier: 'a' }, { SetIdentifier: 'b' }, { Name: 'xxx.example.com' });
      const start = { StartRecordName: 'www.example.com', StartRecordType: 'A' } as const;
      const { IsTruncated, NextRecordName, NextRecordType, NextRecordIdentifier, MaxItems } = await list({
        ...start,
        MaxItems: 1,
      });
      assert.deepEqual(
        [IsTruncated, NextRecordName, NextRecordType, NextRecordIdentifier, MaxItems],
        [true, 'www.example.com.', 'A', 'b', 1],
      );
      const second = await list({ ...start, StartRecordIdentifier: 'b', MaxItems: 1 });
      assert.deepEqual(
        [second.ResourceRecordSets?.[0]?.SetIdentifier, second.NextRecordName, second.NextRecordIdentifier],
        ['b', 'xxx.example.com.', undefined],
      );
      const last = await list({ StartRecordName: 'xxx.example.com', MaxItems: 1 });
      assert.deepEqual([last.IsTruncated, last.NextRecordName], [false, undefined]);
    });

    it('at most 300 at a time', async () => {
      for (let index = 0; index < 310; index += 1)
        route53.putRecord(ZONE, { Name: `h${index}.example.com`, Type: 'A', TTL: 1, ResourceRecords: [] });
      assert.equal((await list({ MaxItems: 1000 })).ResourceRecordSets?.length, 300);
    });

    it('not from a type without a name', async () => {
      await assert.rejects(list({ StartRecordType: 'A' }), { name: 'InvalidInput' });
    });

    it('not a zone that does not exist', async () => {
      await assert.rejects(list({ HostedZoneId: 'ZNOSUCH' }), { name: 'NoSuchHostedZone' });
    });
  });

  // DeveloperGuide/DomainNameFormat.html
  describe('spells names', () => {
    const rows = [
      ['WWW.Example.COM', 'www.example.com.'],
      ['*.example.com', '\\052.example.com.'],
      ['\\052.example.com.', '\\052.example.com.'],
      ['_dmarc.example.com', '_dmarc.example.com.'],
      ['a!b.example.com', 'a\\041b.example.com.'],
      ['\\101.example.com', 'a.example.com.'],
      ['a\\056b.example.com', 'a\\056b.example.com.'],
    ] as const;
    for (const [given, expected] of rows) {
      it(`${given} as ${expected}`, () => assert.equal(canonicalName(given), expected));
    }
  });

  // APIReference/API_ChangeResourceRecordSets.html, APIReference/API_ResourceRecordSet.html
  describe('changes', () => {
    it('all of a batch or nothing', async () => {
      await put({});
      const before = route53.records(ZONE);
      await assert.rejects(change(upsert({ Weight: 9 }), upsert({ Name: 'www.example.org' })), {
        name: 'InvalidChangeBatch',
        message: '[RRSet with DNS name www.example.org. is not permitted in zone example.com.]',
      });
      assert.deepEqual(route53.records(ZONE), before);
    });

    it('a deleted and a new record in one batch', async () => {
      await put({});
      await change(
        { Action: 'DELETE', ResourceRecordSet: record() },
        { Action: 'CREATE', ResourceRecordSet: record({ Weight: 9 }) },
      );
      assert.equal(route53.record(ZONE, 'www.example.com', 'A', 'aws')?.Weight, 9);
    });

    const refusals: readonly { name: string; changes: readonly Change[]; code: string; message: RegExp }[] = [
      {
        name: 'to create what exists',
        changes: [{ Action: 'CREATE', ResourceRecordSet: record() }],
        code: 'InvalidChangeBatch',
        message:
          /Tried to create .*name='www\.example\.com\.', type='A', set identifier='aws'\] but it already exists/,
      },
      {
        name: 'to delete what does not exist',
        changes: [{ Action: 'DELETE', ResourceRecordSet: record({ SetIdentifier: 'other' }) }],
        code: 'InvalidChangeBatch',
        message: /but it was not found/,
      },
      {
        name: 'to delete what has other values',
        changes: [{ Action: 'DELETE', ResourceRecordSet: record({ Weight: 7 }) }],
        code: 'InvalidChangeBatch',
        message: /but the values provided do not match the current values/,
      },
      {
        name: 'a weight above 255',
        changes: [upsert({ Weight: 256 })],
        code: 'InvalidInput',
        message: /Weight within 0\.\.255/,
      },
      {
        name: 'a simple record beside weighted ones',
        changes: [upsert(simple)],
        code: 'InvalidChangeBatch',
        message: /other RRSets exist with the same name and type/,
      },
      {
        name: 'another routing beside weighted records',
        changes: [upsert({ SetIdentifier: 'tokyo', Weight: undefined, Region: 'ap-northeast-1' })],
        code: 'InvalidChangeBatch',
        message: /other RRSets exist with the same name and type/,
      },
      {
        name: 'a weighted record without an identifier',
        changes: [upsert({ Name: 'x.example.com', SetIdentifier: undefined })],
        code: 'InvalidChangeBatch',
        message: /needs a SetIdentifier/,
      },
      {
        name: 'a record with neither values nor an alias',
        changes: [upsert({ Name: 'x.example.com', TTL: undefined, ResourceRecords: undefined })],
        code: 'InvalidChangeBatch',
        message: /needs either an AliasTarget or a TTL with ResourceRecords/,
      },
      {
        name: 'a CNAME beside another type',
        changes: [upsert({ Type: 'CNAME' })],
        code: 'InvalidChangeBatch',
        message: /type CNAME .* conflicts with other records with the same DNS name/,
      },
    ];
    for (const { name, changes, code, message } of refusals) {
      it(`refuses ${name}`, async () => {
        await put({});
        await assert.rejects(change(...changes), { name: code, message });
      });
    }

    // DeveloperGuide/DNSLimitations.html
    it('refuses the 101st record of a set', async () => {
      await put(...Array.from({ length: 100 }, (_, index) => ({ SetIdentifier: `site-${index}` })));
      await assert.rejects(put({ SetIdentifier: 'one more' }), {
        name: 'InvalidChangeBatch',
        message: /more than 100/,
      });
    });

    // DeveloperGuide/resource-record-sets-values-weighted.html, "TTL (seconds)"
    it('keeps one TTL in a set, the one set last; alias records have none', async () => {
      const AliasTarget = { HostedZoneId: 'Z2', DNSName: 'lb.example.net.', EvaluateTargetHealth: false };
      await put({}, { SetIdentifier: 'alias', TTL: undefined, ResourceRecords: undefined, AliasTarget });
      await put({ SetIdentifier: 'onprem', TTL: 5 });
      assert.deepEqual(
        route53
          .records(ZONE)
          .slice(2)
          .map(({ SetIdentifier, TTL }) => [SetIdentifier, TTL]),
        [
          ['alias', undefined],
          ['aws', 5],
          ['onprem', 5],
        ],
      );
    });

    // DeveloperGuide/rrset-protection.html
    it('refuses to touch a protected name and type, whatever the identifier, and says the comment', async () => {
      await put({});
      route53.protect(ZONE, 'WWW.example.com', 'A', 'change freeze');
      for (const action of ['UPSERT', 'CREATE', 'DELETE'] as const) {
        await assert.rejects(
          change({ Action: action, ResourceRecordSet: record({ SetIdentifier: 'new' }) }),
          {
            name: 'InvalidChangeBatch',
            message: /record set protection.*change freeze/,
          },
        );
      }
      await put({ Type: 'AAAA' });
    });

    // APIReference/API_GetChange.html
    it('is PENDING until both the polls and the time have passed, then INSYNC', async () => {
      const { ChangeInfo } = await put({});
      const poll = async () =>
        (await client.send(new GetChangeCommand({ Id: ChangeInfo?.Id }))).ChangeInfo?.Status;
      assert.equal(ChangeInfo?.Status, 'PENDING');
      const early = [await poll(), await poll()];
      nowMs += 30_000;
      assert.deepEqual([...early, await poll()], ['PENDING', 'PENDING', 'INSYNC']);
      await assert.rejects(client.send(new GetChangeCommand({ Id: 'C404' })), { name: 'NoSuchChange' });
    });
  });

  // APIReference/CommonErrors.html, DeveloperGuide/DNSLimitations.html
  describe('fails on demand', () => {
    it('as often as asked, for one call or for any', async () => {
      route53.fail('ChangeResourceRecordSets', faults.priorRequestNotComplete);
      route53.fail('Any', faults.throttling, 2);
      await assert.rejects(put({}), { name: 'PriorRequestNotComplete' });
      await assert.rejects(list(), { name: 'Throttling', message: 'Rate exceeded' });
      await assert.rejects(put({}), { name: 'Throttling' });
      await put({});
      assert.deepEqual(
        [route53.count('ChangeResourceRecordSets'), route53.count('ListResourceRecordSets')],
        [3, 1],
      );
    });

    it('having done the work when the answer alone is lost', async () => {
      route53.fail('ChangeResourceRecordSets', faults.answerLost);
      await assert.rejects(put({ Weight: 3 }), { code: 'ECONNRESET' });
      assert.equal(route53.record(ZONE, 'www.example.com', 'A', 'aws')?.Weight, 3);
    });
  });

  it('knows no other call', async () => {
    assert.equal((await fetch(`${route53.url}/2013-04-01/healthcheck`)).status, 404);
    assert.equal(route53.calls.length, 0);
  });
});
