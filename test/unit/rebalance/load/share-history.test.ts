import assert from 'node:assert/strict';
import {
  appendShare,
  doubtOfSeenShare,
  seenFraction,
  seenShare,
  ttlInForceMs,
  type ShareEntry,
} from '../../../../src/rebalance/load/share-history.ts';

const MINUTE = 60_000;

describe('the part of a change that a metric shows', () => {
  const rows: readonly {
    readonly name: string;
    readonly elapsed: number;
    readonly ttl: number;
    readonly window: number;
    readonly shown: number;
  }[] = [
    { name: 'is none before the change', elapsed: -1, ttl: 5, window: 5, shown: 0 },
    { name: 'is none at the moment of the change', elapsed: 0, ttl: 5, window: 5, shown: 0 },
    { name: 'is half after half of TTL and window', elapsed: 5, ttl: 5, window: 5, shown: 0.5 },
    { name: 'is all after TTL and window', elapsed: 10, ttl: 5, window: 5, shown: 1 },
    { name: 'stays all after that', elapsed: 99, ttl: 5, window: 5, shown: 1 },
    { name: 'is the convolution of both ramps in between', elapsed: 2, ttl: 4, window: 2, shown: 0.25 },
    { name: 'is a ramp over the TTL of a gauge', elapsed: 1, ttl: 4, window: 0, shown: 0.25 },
    { name: 'is a ramp over the window where nothing is cached', elapsed: 3, ttl: 0, window: 4, shown: 0.75 },
    { name: 'is not more than all on a ramp', elapsed: 9, ttl: 0, window: 4, shown: 1 },
    { name: 'is not less than none on a ramp', elapsed: -9, ttl: 4, window: 0, shown: 0 },
    { name: 'is all at once without TTL and window', elapsed: 1, ttl: 0, window: 0, shown: 1 },
    { name: 'is none before, without TTL and window', elapsed: 0, ttl: 0, window: 0, shown: 0 },
  ];
  for (const { name, elapsed, ttl, window, shown } of rows) {
    it(name, () => assert.equal(seenFraction(elapsed * MINUTE, ttl * MINUTE, window * MINUTE), shown));
  }
});

function entry(at: number, share: number, ttl = 1): ShareEntry {
  return { atMs: at * MINUTE, share, ttlMs: ttl * MINUTE };
}

describe('the share that a metric answered to', () => {
  it('is the only one known, however old', () => assert.equal(seenShare([entry(0, 0.5)], 0, MINUTE), 0.5));
  it('moves from the old to the new by the part that shows', () =>
    assert.equal(seenShare([entry(0, 1), entry(10, 0.5)], 10.5 * MINUTE, 0), 0.75));
  it('is the new one once TTL and window have passed', () =>
    assert.equal(seenShare([entry(0, 1), entry(10, 0.5)], 12 * MINUTE, MINUTE), 0.5));
  it('weighs several changes at once, each by its own age', () =>
    assert.equal(seenShare([entry(0, 1), entry(10, 0.5, 4), entry(12, 0, 4)], 14 * MINUTE, 0), 0.25));
});

describe('the doubt of the share seen', () => {
  const change = [entry(0, 1), entry(10, 0.5, 4)];
  const rows: readonly (readonly [name: string, atMinute: number, doubt: number])[] = [
    ['is none before anything has changed', 10, 0],
    ['is what one interval more or less makes of it', 12, 1 - 0.75 / 0.875],
    ['is none once TTL and window have passed, and the interval', 15, 0],
  ];
  for (const [name, atMinute, doubt] of rows)
    it(name, () => assert.equal(doubtOfSeenShare(change, atMinute * MINUTE, 0, MINUTE), doubt));
  it('is all there is where nothing was seen an interval ago', () =>
    assert.equal(doubtOfSeenShare([entry(0, 0), entry(10, 0.5)], 10.5 * MINUTE, 0, MINUTE), Infinity));
});

describe('the TTL in force', () => {
  it('is that of the newest entry once older answers have expired', () =>
    assert.equal(ttlInForceMs([entry(0, 1, 5), entry(10, 0.5, 1)], 16 * MINUTE), MINUTE));
  it('is the larger of before while its answers may be cached', () =>
    assert.equal(ttlInForceMs([entry(0, 1, 5), entry(10, 0.5, 1)], 14 * MINUTE), 5 * MINUTE));
  it('is 0 of nothing', () => assert.equal(ttlInForceMs([], 0), 0));
});

describe('appending a share', () => {
  const now = 100 * MINUTE;
  it('changes nothing where share and TTL are those of the newest entry', () => {
    const history = [entry(99, 0.5)];
    assert.deepEqual(appendShare(history, entry(100, 0.5), now, 0), history);
  });
  it('appends another share', () =>
    assert.deepEqual(appendShare([entry(99, 0.5)], entry(100, 0.6), now, 0), [
      entry(99, 0.5),
      entry(100, 0.6),
    ]));
  it('appends the same share with another TTL', () =>
    assert.equal(appendShare([entry(99, 0.5)], entry(100, 0.5, 2), now, 0).length, 2));
  it('never dates a change before the one that it follows', () =>
    assert.deepEqual(appendShare([entry(99, 0.5)], entry(98, 0.6), 99.5 * MINUTE, 0)[1], entry(99, 0.6)));
  it('drops what no metric can show any more, but for one entry', () =>
    assert.deepEqual(
      appendShare([entry(0, 0.1), entry(50, 0.2), entry(90, 0.3)], entry(100, 0.4), now, MINUTE),
      [entry(90, 0.3), entry(100, 0.4)],
    ));
  it('keeps at most 64 entries, and what the two oldest showed together', () => {
    const history = Array.from({ length: 64 }, (_, index) => entry(index, index / 100, 1000));
    const next = appendShare(history, entry(99, 0.9, 1000), now, 0);
    assert.equal(next.length, 64);
    assert.deepEqual(next[0], entry(0, 0.005, 1000));
    assert.deepEqual(next[1], entry(2, 0.02, 1000));
  });
  it('merges entries of one moment to the newer of them', () => {
    const history = Array.from({ length: 64 }, (_, index) => entry(5, index / 100, 1000));
    assert.deepEqual(appendShare(history, entry(99, 0.9, 1000), now, 0)[0], entry(5, 0.01, 1000));
  });
});
