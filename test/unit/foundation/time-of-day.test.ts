import assert from 'node:assert/strict';
import { parseTimeOfDay } from '../../../src/foundation/time-of-day.ts';

describe('a time of day', () => {
  const rows: readonly (readonly [text: string, minutes: number])[] = [
    ['00:00', 0],
    ['9:00', 540],
    ['09:00', 540],
    ['19:30', 1170],
    ['23:59', 1439],
    ['24:00', 1440],
  ];
  for (const [text, minutes] of rows) {
    it(`reads ${text} as minute ${minutes}`, () =>
      assert.deepEqual(parseTimeOfDay(text), { ok: true, value: minutes }));
  }
  for (const text of ['9', '25:00', '24:01', '12:60', '012:00', '12:0', '', '12:00 ', '-1:00']) {
    it(`refuses "${text}"`, () =>
      assert.deepEqual(parseTimeOfDay(text), {
        ok: false,
        error: 'expected a time of day such as 09:00 or 23:30',
      }));
  }
});
