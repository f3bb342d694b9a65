import assert from 'node:assert/strict';
import type { History } from '../../../../src/rebalance/load/history.ts';
import { rememberSet, type SetFacts } from '../../../../src/rebalance/load/remember.ts';
import type { RebalanceStatus } from '../../../../src/rebalance/status.ts';
import { weight } from '../../../../src/rebalance/weight.ts';
import { MINUTE, NOON, setOf, specOf } from '../../../support/rebalance.ts';
import { rfc3339 } from '../../../../src/foundation/clock.ts';

const WINDOWED = { metrics: { prometheus: { address: 'http://p', query: 'load', window: '10m' } } };
const spec = specOf({ signal: 'load' }, WINDOWED);
const before = rfc3339(NOON - 2 * MINUTE);

function remember(previous: History | undefined, parts: Partial<SetFacts> = {}): History {
  const facts = { spec, generation: 1, status: {}, set: setOf(8, 8), intervalMs: MINUTE, nowMs: NOON };
  return rememberSet(previous, { ...facts, ...parts });
}

/** What the set (8, 8) of two minutes ago left behind. */
const known = remember(undefined, { nowMs: NOON - 2 * MINUTE });

/** DNS as our last attempt, two minutes ago, left it. */
function left(own: number, change?: RebalanceStatus['change']): RebalanceStatus {
  return { actualValue: weight(own), lastEvaluatedAt: before, ...(change === undefined ? {} : { change }) };
}

describe('remembering a set', () => {
  it('begins with the share of the reference, now', () =>
    assert.deepEqual(known.shares, [{ atMs: NOON - 2 * MINUTE, share: 0.5, ttlMs: MINUTE }]));
  it('keeps what a metric showed an interval ago: TTL, window and an interval', () => {
    const moved = remember(known, { set: setOf(24, 8) });
    const later = (minutes: number) => remember(moved, { set: setOf(24, 8), nowMs: NOON + minutes * MINUTE });
    assert.deepEqual([later(11.9).shares.length, later(12).shares.length], [2, 1]);
  });
  it('takes the share of all the others where no reference is known', () =>
    assert.equal(remember(undefined, { set: setOf(8, 8, 16) }).shares[0]?.share, 0.75));
  it('takes a set of zeros as the equal split that it is answered with', () =>
    assert.equal(remember(undefined, { set: setOf(0, 0) }).shares[0]?.share, 0.5));
  it('takes the part of all the others of a set of zeros where no reference is known', () =>
    assert.equal(remember(undefined, { set: setOf(0, 0, 0, 0) }).shares[0]?.share, 0.75));
  it('takes 60 s for alias records, the largest TTL of a mixed set', () => {
    const { own, others } = setOf(8, 8);
    const alias = {
      own: { ...own, records: own.records.map((each) => ({ ...each, ttlSeconds: undefined })) },
      others: others.map((each) => ({ ...each, ttlSeconds: 30 })),
    };
    assert.equal(remember(undefined, { set: alias }).shares[0]?.ttlMs, MINUTE);
  });

  const changed = setOf(24, 8);
  const dated: readonly { readonly name: string; readonly status: RebalanceStatus; readonly atMs: number }[] =
    [
      {
        name: 'our change is dated by its submission until it is seen INSYNC',
        status: left(24, {
          id: 'C',
          status: 'PENDING',
          submittedAt: before,
          polledAt: rfc3339(NOON - MINUTE),
        }),
        atMs: NOON - 2 * MINUTE,
      },
      {
        name: 'our change is dated by the moment it was seen INSYNC',
        status: left(24, {
          id: 'C',
          status: 'INSYNC',
          submittedAt: before,
          polledAt: rfc3339(NOON - MINUTE),
        }),
        atMs: NOON - MINUTE,
      },
      {
        name: 'our change that no poll dated is dated by its submission',
        status: left(24, { id: 'C', status: 'INSYNC', submittedAt: before }),
        atMs: NOON - 2 * MINUTE,
      },
      {
        name: 'a change by others is dated midway since the set was last read',
        status: left(8),
        atMs: NOON - MINUTE,
      },
      {
        name: 'a change that is not the one we made last is one by others',
        status: left(16, { id: 'C', status: 'INSYNC', submittedAt: before }),
        atMs: NOON - MINUTE,
      },
      {
        name: 'a change after one of ours that was read already is one by others',
        status: left(24, { id: 'C', status: 'INSYNC', submittedAt: rfc3339(NOON - 60 * MINUTE) }),
        atMs: NOON - MINUTE,
      },
      { name: 'a change that nothing dates is new', status: {}, atMs: NOON },
    ];
  for (const { name, status, atMs } of dated) {
    it(name, () =>
      assert.deepEqual(remember(known, { status, set: changed }).shares.at(-1), {
        atMs,
        share: 0.25,
        ttlMs: MINUTE,
      }),
    );
  }
  it('a change dated by its submission is dated anew once it is INSYNC', () => {
    const pending = left(24, { id: 'C', status: 'PENDING', submittedAt: before });
    const first = remember(known, { status: pending, set: changed });
    const insync = left(24, {
      id: 'C',
      status: 'INSYNC',
      submittedAt: before,
      polledAt: rfc3339(NOON + 10_000),
    });
    const second = remember(first, { status: insync, set: changed, nowMs: NOON + MINUTE });
    assert.equal(second.shares.at(-1)?.atMs, NOON + 10_000);
  });

  describe('forgets', () => {
    const filter = { fast: 1, slow: 1, drift: 0, catchingUp: false, drifting: false, atMs: NOON };
    const learnt = { filter, lowSamples: 2, probe: { metric: 1, share: 1, followed: 1 } };
    const full: History = { ...known, signals: known.signals.map((signal) => ({ ...signal, ...learnt })) };
    const of = ({ signals }: History) =>
      signals.map(({ name, filter: kept, lowSamples, probe }) => [name, kept, lowSamples, probe]);
    const nothing = (name?: string) => [name, undefined, 0, undefined];
    const everything = (name?: string) => [name, filter, 2, learnt.probe];
    it('nothing where only target value, base or bounds were edited', () => {
      const edited = specOf({ signal: 'load', targetValue: 5, minimum: 3 }, WINDOWED);
      const next = remember(full, { spec: edited });
      assert.deepEqual(of(next), [everything()]);
    });
    it('filter and probe for another query, but not the shares', () => {
      const edited = specOf(
        { signal: 'load' },
        { metrics: { prometheus: { address: 'http://p', query: 'other', window: '10m' } } },
      );
      const next = remember(full, { spec: edited });
      assert.deepEqual(of(next), [nothing()]);
      assert.deepEqual(next.shares, full.shares);
    });
    it('everything for another record', () => {
      const target = {
        route53: { hostedZoneID: 'Z1', resource: { name: 'example.com', type: 'A', identifier: 'gcp' } },
      };
      const next = remember(full, { spec: specOf({ signal: 'load' }, { ...WINDOWED, target }) });
      assert.deepEqual([next.shares[0]?.atMs, of(next)], [NOON, [nothing()]]);
    });
    it('nothing of an additional metric that keeps name and query, wherever it stands; all of one that does not', () => {
      const query = (text: string) => ({ address: 'http://p', query: text, window: '10m' });
      const additional = (...named: readonly (readonly [name: string, query: string])[]) =>
        specOf(
          { signal: 'load' },
          {
            ...WINDOWED,
            additionalMetrics: named.map(([name, text]) => ({
              name,
              targetValue: 1,
              prometheus: query(text),
            })),
          },
        );
      const two = remember(undefined, { spec: additional(['cpu', 'cpu'], ['queue', 'queue']) });
      const before = { ...two, signals: two.signals.map((signal) => ({ ...signal, ...learnt })) };
      const next = remember(before, {
        spec: additional(['queue', 'queue'], ['cpu', 'other'], ['disk', 'cpu']),
      });
      assert.deepEqual(of(next), [everything(), everything('queue'), nothing('cpu'), nothing('disk')]);
    });
  });
  it('keeps shares for as long as the longest window of any metric', () => {
    const long = specOf(
      { signal: 'load' },
      {
        ...WINDOWED,
        additionalMetrics: [
          { name: 'cpu', targetValue: 1, prometheus: { address: 'http://p', query: 'cpu', window: '1h' } },
        ],
      },
    );
    const at = (given: typeof spec) => {
      const first = remember(undefined, { spec: given, nowMs: NOON - 40 * MINUTE });
      const status = { ...left(8), lastEvaluatedAt: rfc3339(NOON - 30 * MINUTE) };
      const second = remember(first, { spec: given, status, set: setOf(24, 8), nowMs: NOON - 30 * MINUTE });
      return remember(second, { spec: given, set: setOf(24, 8) }).shares.length;
    };
    assert.deepEqual([at(spec), at(long)], [1, 2]);
  });
});

describe('remembering the reference', () => {
  const changes = (history: History): number | undefined => history.reference?.changedAtMs.length;

  it('sees no change in the first look', () => assert.equal(changes(known), 0));
  it('dates a change midway since the last look', () => {
    const next = remember(known, { status: left(8), set: setOf(8, 16) });
    assert.deepEqual(next.reference?.changedAtMs, [NOON - MINUTE]);
  });
  it('dates a change now where no look before is known', () =>
    assert.deepEqual(remember(known, { set: setOf(8, 16) }).reference?.changedAtMs, [NOON]));
  it('keeps what it knew where no reference is found', () =>
    assert.deepEqual(remember(known, { set: setOf(8, 8, 16) }).reference, known.reference));

  /** The reference goes 8, 16, 8, 16, one change each so many minutes. */
  function steer(everyMinutes: number, generation = 1): History {
    return [16, 8, 16].reduce(
      (history, reference, index) =>
        remember(history, {
          set: setOf(8, reference),
          generation,
          nowMs: NOON + (index + 1) * everyMinutes * MINUTE,
        }),
      known,
    );
  }
  it('takes three changes within an hour for somebody who steers it', () =>
    assert.equal(steer(10).reference?.steeredGeneration, 1));
  it('does not so where they are further apart', () =>
    assert.equal(steer(40).reference?.steeredGeneration, undefined));
  it('stays with it until the spec is edited, though the hour passes', () => {
    const later = remember(steer(10), { set: setOf(8, 16), nowMs: NOON + 300 * MINUTE });
    assert.equal(later.reference?.steeredGeneration, 1);
  });
  it('gives an edited spec a new chance', () => {
    const edited = remember(steer(10), { set: setOf(8, 16), generation: 2, nowMs: NOON + 31 * MINUTE });
    assert.deepEqual([edited.reference?.steeredGeneration, changes(edited)], [undefined, 0]);
  });
});
