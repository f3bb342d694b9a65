import assert from 'node:assert/strict';
import {
  context,
  failureOf,
  ours,
  record,
  target,
  useStoredZone,
  valueOf,
  ZONE,
} from '../../support/route53-store.ts';

describe('Route 53 writing a weight by compare and swap', () => {
  const zone = useStoredZone();
  const compareAndSwap = { compareAndSwap: true };

  it('deletes what was read, word for word, and creates the new record in the same batch', async () => {
    const txt = record({ Type: 'TXT', ResourceRecords: [{ Value: '"v=1; p=$&"' }], Tier: 'gold' });
    zone.put(txt);
    await zone.write(16, { type: 'TXT', ...compareAndSwap });
    const stored = { ...txt, Name: 'www.example.com.', Weight: 16 };
    assert.deepEqual(zone.route53.record(ZONE, 'www.example.com', 'TXT', 'aws'), stored);
    const { body = '' } = zone.route53.calls[1] ?? {};
    assert.deepEqual(
      [...body.matchAll(/<Action>(\w+)<\/Action>|<Weight>(\d+)</g)].map(
        ([, action, value]) => action ?? value,
      ),
      ['DELETE', '8', 'CREATE', '16'],
    );
  });

  const races: Readonly<Record<string, () => void>> = {
    'another weight': () => zone.put(record({ Weight: 9 })),
    'another value': () => zone.put(record({ ResourceRecords: [{ Value: '192.0.2.9' }] })),
    'no record any more': () => {
      zone.route53.createZone(ZONE, 'example.com');
      zone.put(record({ Name: 'other.example.com' }));
    },
  };
  for (const [what, change] of Object.entries(races)) {
    it(`writes nothing where DNS holds ${what} by then, says so, and isolates it`, async () => {
      zone.put(record());
      zone.put(record({ Name: 'other.example.com' }));
      const other = { name: 'other.example.com', ...compareAndSwap };
      const readings = [await zone.readSet(compareAndSwap), await zone.readSet(other)] as const;
      change();
      const before = zone.route53.record(ZONE, 'www.example.com', 'A', 'aws');
      const [lost, written] = await Promise.all([
        zone.store.writeWeights(target(compareAndSwap), readings[0], ours(16), context()),
        zone.store.writeWeights(target(other), readings[1], ours(16), context()),
      ]);
      assert.deepEqual(failureOf(lost), {
        reason: 'ChangedMeanwhile',
        message:
          'spec.target.route53.resource: somebody changed the record since it was read, so nothing was written (write: CompareAndSwap); read anew at the next attempt',
        outcomeUnknown: false,
      });
      valueOf(written);
      assert.deepEqual(zone.route53.record(ZONE, 'www.example.com', 'A', 'aws'), before);
      assert.equal(zone.weightOf('aws', 'other.example.com'), 16);
    });
  }

  it('still tells a change that Route 53 refuses for another reason', async () => {
    zone.put(record());
    zone.route53.protect(ZONE, 'www.example.com', 'A', 'keep it');
    const failure = await zone.writeFailure(16, compareAndSwap);
    assert.equal(failure.reason, 'RecordProtected');
  });
});
