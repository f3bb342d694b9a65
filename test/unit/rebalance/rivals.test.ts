import assert from 'node:assert/strict';
import fc from 'fast-check';
import { holdersOf, olderHolder, type Rival } from '../../../src/rebalance/rivals.ts';
import type { Route53Target } from '../../../src/rebalance/spec.ts';
import { specOf } from '../../support/rebalance.ts';

const { target: TARGET } = specOf();

function targetOf(identifiers: string, parts: Partial<Route53Target> = {}): Route53Target {
  const records = Array.from(identifiers, (identifier) => ({ identifier, share: 1 }));
  return { ...TARGET, records, ...parts };
}

function rival(uid: string, createdAtMs: number, target: Route53Target = targetOf('a')): Rival {
  return { namespace: 'default', name: `name-${uid}`, uid, createdAtMs, target };
}

/** Who of all keeps `own` from its records. */
function rivalOf(own: Rival, ...others: readonly Rival[]): string | undefined {
  return olderHolder(own, holdersOf([...others, own]))?.uid;
}

describe('of the Rebalances on one record', () => {
  it('the older one has it', () => {
    const [older, younger] = [rival('z', 1), rival('a', 2)];
    assert.equal(rivalOf(younger, older), 'z');
    assert.equal(rivalOf(older, younger), undefined);
  });

  it('the uid decides between two of the same second', () => {
    assert.equal(rivalOf(rival('b', 1), rival('a', 1)), 'a');
    assert.equal(rivalOf(rival('a', 1), rival('b', 1)), undefined);
  });

  it('one without a readable time is the youngest', () => {
    assert.equal(rivalOf(rival('a', Infinity), rival('b', 9e15)), 'b');
    assert.equal(rivalOf(rival('b', Infinity), rival('a', Infinity)), 'a');
  });

  const same: Readonly<Record<string, Route53Target>> = {
    'the same words': targetOf('a'),
    'a name with capitals and a dot': targetOf('a', { name: 'Example.COM.' }),
    'an escaped letter in the name': targetOf('a', { name: String.raw`exampl\145.com` }),
    'one identifier of several': targetOf('xay'),
    'another reference and region': targetOf('a', { reference: 'b', region: 'eu-west-1' }),
  };
  for (const [what, target] of Object.entries(same)) {
    it(`the record is the same by ${what}`, () =>
      assert.equal(rivalOf(rival('b', 2), rival('a', 1, target)), 'a'));
  }

  const other: Readonly<Record<string, Route53Target>> = {
    'of another zone': targetOf('a', { hostedZoneId: 'Z9' }),
    'of another name': targetOf('a', { name: 'www.example.com' }),
    'of another type': targetOf('a', { type: 'AAAA' }),
    'with another identifier': targetOf('b'),
  };
  for (const [what, target] of Object.entries(other)) {
    it(`a record is another one ${what}`, () =>
      assert.equal(rivalOf(rival('b', 2), rival('a', 1, target)), undefined));
  }

  it('one that has lost one of its records keeps nobody from the others', () => {
    const [first, second, third] = [
      rival('1', 1, targetOf('a')),
      rival('2', 2, targetOf('ab')),
      rival('3', 3, targetOf('b')),
    ];
    assert.equal(rivalOf(second, first, third), '1');
    assert.equal(rivalOf(third, first, second), undefined);
    assert.equal(rivalOf(third, second), '2');
  });

  it('one that was listed with an earlier spec is judged by the present one', () => {
    const listed = holdersOf([rival('1', 1, targetOf('a')), rival('2', 2, targetOf('b'))]);
    assert.equal(olderHolder(rival('2', 2, targetOf('a')), listed)?.uid, '1');
    assert.equal(olderHolder(rival('2', 2, targetOf('c')), listed), undefined);
  });

  it('nobody else is steered twice and the oldest always steers, whoever is listed first', () => {
    const rivals = fc.uniqueArray(
      fc.record({
        uid: fc.string({ minLength: 1, maxLength: 2 }),
        createdAtMs: fc.integer({ min: 0, max: 3 }),
        identifiers: fc.constantFrom('a', 'b', 'c', 'ab', 'bc', 'abc'),
      }),
      { selector: ({ uid }) => uid, minLength: 1, maxLength: 8 },
    );
    const property = fc.property(rivals, (drawn) => {
      const all = drawn.map(({ uid, createdAtMs, identifiers }) =>
        rival(uid, createdAtMs, targetOf(identifiers)),
      );
      const steering = (holders: ReturnType<typeof holdersOf>): readonly string[] =>
        all.filter((one) => olderHolder(one, holders) === undefined).map(({ uid }) => uid);
      const winners = steering(holdersOf(all));
      assert.deepEqual(steering(holdersOf(all.toReversed())), winners);
      const steered = all
        .filter(({ uid }) => winners.includes(uid))
        .flatMap(({ target }) => target.records.map(({ identifier }) => identifier));
      assert.equal(new Set(steered).size, steered.length, 'a record is steered twice');
      const oldest = all.toSorted((a, b) => a.createdAtMs - b.createdAtMs || (a.uid < b.uid ? -1 : 1))[0];
      assert.ok(winners.includes(oldest?.uid ?? ''), 'the oldest is kept back');
    });
    fc.assert(property, { seed: 6, numRuns: 2_000 });
  });
});
