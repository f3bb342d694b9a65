import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createSightings } from '../../src/observability/sightings.ts';

const KEY = { namespace: 'default', name: 'example' };
const HOUR_MS = 3_600_000;

/** An interval, and one sync after the other: how long each takes, and the wait after it in intervals. */
const life = fc.record({
  intervalMs: fc.integer({ min: 1_000, max: HOUR_MS }),
  syncs: fc.array(
    fc.record({
      tookMs: fc.integer({ min: 0, max: 600_000 }),
      /** Whether it gets as far as to say something, or only to fail before. */
      tells: fc.boolean(),
      waitsIntervals: fc.double({ min: 0, max: 3, noNaN: true }),
      overlaps: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  looksMs: fc.array(fc.integer({ min: 0, max: 600_000 }), { maxLength: 4 }),
});

describe('an object that is synced again and again', () => {
  it('is seen at any moment, however slow and however bad its syncs are', () => {
    fc.assert(
      fc.property(life, ({ intervalMs, syncs, looksMs }) => {
        const sightings = createSightings(8);
        let nowMs = 0;
        const pass = (ms: number): void => {
          for (const lookMs of [...looksMs.filter((look) => look < ms), ms]) {
            assert.deepEqual(sightings.unseen(nowMs + lookMs), []);
          }
          nowMs += ms;
        };
        sightings.see(KEY, intervalMs, nowMs);
        for (const { tookMs, tells, waitsIntervals, overlaps } of syncs) {
          const beganMs = nowMs;
          sightings.begin(KEY);
          if (overlaps) sightings.begin(KEY);
          pass(tookMs);
          if (overlaps) sightings.end(KEY, nowMs);
          if (overlaps) pass(tookMs);
          if (tells) sightings.see(KEY, intervalMs, beganMs);
          sightings.end(KEY, nowMs);
          pass(Math.floor(waitsIntervals * intervalMs));
        }
        assert.deepEqual(sightings.unseen(nowMs + 6 * intervalMs + 1), [KEY], 'nobody asks any more');
      }),
      { seed: 20_261_130, numRuns: 2_000 },
    );
  });

  it('is not seen again by a sync alone once it was forgotten: it has no series', () => {
    const sightings = createSightings(8);
    sightings.see(KEY, 1_000, 0);
    sightings.begin(KEY);
    sightings.forget(KEY);
    sightings.end(KEY, 5_000);
    assert.deepEqual(sightings.unseen(HOUR_MS), []);
  });
});

describe('objects that are too many', () => {
  it('push out whoever was not seen for longest, and never one that is synced all the time', () => {
    const sightings = createSightings(4);
    sightings.see(KEY, 1_000, 0);
    for (let index = 0; index < 20; index += 1) {
      sightings.begin(KEY);
      sightings.end(KEY, index);
      const pushedOut = sightings.see({ namespace: 'made-up', name: `n${index}` }, 1_000, index);
      assert.equal(pushedOut?.name, index < 3 ? undefined : `n${index - 3}`);
    }
  });
});
