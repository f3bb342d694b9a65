import assert from 'node:assert/strict';
import { activeFloor, isTimeZone, nextEdge } from '../../../src/rebalance/schedule.ts';
import { specOf } from '../../support/rebalance.ts';

interface Floor {
  readonly startTime: string;
  readonly endTime: string;
  readonly value?: number;
  readonly timeZone?: string;
  readonly days?: readonly string[];
}

function schedule(...floors: readonly Floor[]) {
  return specOf({ scheduled: floors.map((floor) => ({ value: 20, ...floor })) }).policy.scheduled;
}

const at = (text: string): number => Date.parse(text);
const iso = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString().replace('.000Z', 'Z');

interface ActiveRow {
  readonly name: string;
  readonly floors: readonly Floor[];
  readonly at: Readonly<Record<string, number | undefined>>;
}

// 2026-03-04 is a Wednesday.
const activeRows: readonly ActiveRow[] = [
  {
    name: 'is active from its start, included, to its end, excluded',
    floors: [{ startTime: '19:00', endTime: '23:00' }],
    at: {
      '2026-03-04T18:59:59.999Z': undefined,
      '2026-03-04T19:00:00Z': 20,
      '2026-03-04T22:59:59.999Z': 20,
      '2026-03-04T23:00:00Z': undefined,
    },
  },
  {
    name: 'goes on across midnight (s6: the original ignores 23:00 to 02:00)',
    floors: [{ startTime: '23:00', endTime: '02:00' }],
    at: {
      '2026-03-04T22:59:00Z': undefined,
      '2026-03-04T23:30:00Z': 20,
      '2026-03-05T01:59:00Z': 20,
      '2026-03-05T02:00:00Z': undefined,
    },
  },
  {
    name: 'may end at 24:00, the end of the day',
    floors: [{ startTime: '9:00', endTime: '24:00' }],
    at: { '2026-03-04T09:00:00Z': 20, '2026-03-04T23:59:59Z': 20, '2026-03-05T00:00:00Z': undefined },
  },
  {
    name: 'is a whole day from 00:00 to 24:00',
    floors: [{ startTime: '00:00', endTime: '24:00', days: ['Wed'] }],
    at: {
      '2026-03-03T23:59:59Z': undefined,
      '2026-03-04T00:00:00Z': 20,
      '2026-03-04T23:59:59Z': 20,
      '2026-03-05T00:00:00Z': undefined,
    },
  },
  {
    name: 'stands in the zone that it names (s6: the original takes the zone of its process)',
    floors: [{ startTime: '19:00', endTime: '23:00', timeZone: 'Asia/Tokyo' }],
    at: {
      '2026-03-04T09:59:00Z': undefined,
      '2026-03-04T10:00:00Z': 20,
      '2026-03-04T13:59:00Z': 20,
      '2026-03-04T14:00:00Z': undefined,
      '2026-03-04T19:00:00Z': undefined,
    },
  },
  {
    name: 'names by days the day on which it starts, also across midnight',
    floors: [{ startTime: '23:00', endTime: '02:00', days: ['Tue'] }],
    at: {
      '2026-03-03T23:00:00Z': 20,
      '2026-03-04T01:59:00Z': 20,
      '2026-03-04T23:00:00Z': undefined,
      '2026-03-03T01:00:00Z': undefined,
    },
  },
  {
    name: 'takes days of its zone, not of UTC',
    floors: [{ startTime: '01:00', endTime: '02:00', timeZone: 'Asia/Tokyo', days: ['Thu'] }],
    at: { '2026-03-04T16:30:00Z': 20, '2026-03-05T16:30:00Z': undefined },
  },
  {
    name: 'the highest of several counts, whatever their order',
    floors: [
      { startTime: '10:00', endTime: '14:00', value: 30 },
      { startTime: '11:00', endTime: '13:00', value: 10 },
      { startTime: '12:00', endTime: '13:00', value: 40 },
    ],
    at: { '2026-03-04T11:30:00Z': 30, '2026-03-04T12:30:00Z': 40, '2026-03-04T14:00:00Z': undefined },
  },
  {
    name: 'a floor of 0 is one',
    floors: [{ startTime: '10:00', endTime: '14:00', value: 0 }],
    at: { '2026-03-04T11:30:00Z': 0 },
  },
];

interface EdgeRow {
  readonly name: string;
  readonly floor: Floor;
  readonly after: string;
  /** The next edges, one after the other. */
  readonly edges: readonly (string | undefined)[];
}

const edgeRows: readonly EdgeRow[] = [
  {
    name: 'is the start, then the end, then the start of the next day',
    floor: { startTime: '19:00', endTime: '23:00' },
    after: '2026-03-04T12:00:00Z',
    edges: ['2026-03-04T19:00:00Z', '2026-03-04T23:00:00Z', '2026-03-05T19:00:00Z'],
  },
  {
    name: 'is strictly after the instant asked about',
    floor: { startTime: '19:00', endTime: '23:00' },
    after: '2026-03-04T19:00:00Z',
    edges: ['2026-03-04T23:00:00Z'],
  },
  {
    name: 'is the end of the window that started yesterday',
    floor: { startTime: '23:00', endTime: '02:00' },
    after: '2026-03-04T01:00:00Z',
    edges: ['2026-03-04T02:00:00Z', '2026-03-04T23:00:00Z', '2026-03-05T02:00:00Z'],
  },
  {
    name: 'may be most of a week away',
    floor: { startTime: '19:00', endTime: '23:00', days: ['Tue'] },
    after: '2026-03-04T12:00:00Z',
    edges: ['2026-03-10T19:00:00Z', '2026-03-10T23:00:00Z', '2026-03-17T19:00:00Z'],
  },
  {
    name: 'Europe/Berlin, spring: a start that is skipped is the instant of the transition, not 03:30',
    floor: { startTime: '02:30', endTime: '05:00', timeZone: 'Europe/Berlin' },
    after: '2026-03-28T12:00:00Z',
    edges: ['2026-03-29T01:00:00Z', '2026-03-29T03:00:00Z', '2026-03-30T00:30:00Z'],
  },
  {
    name: 'Europe/Berlin, spring: an end that is skipped is the instant of the transition',
    floor: { startTime: '01:00', endTime: '02:30', timeZone: 'Europe/Berlin' },
    after: '2026-03-28T12:00:00Z',
    edges: ['2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z'],
  },
  {
    name: 'Europe/Berlin, spring: a window that is skipped whole does not happen',
    floor: { startTime: '02:10', endTime: '02:50', timeZone: 'Europe/Berlin' },
    after: '2026-03-28T12:00:00Z',
    edges: ['2026-03-30T00:10:00Z'],
  },
  {
    name: 'Europe/Berlin, spring: neither when it is the only one of its week',
    floor: { startTime: '02:10', endTime: '02:50', timeZone: 'Europe/Berlin', days: ['Sun'] },
    after: '2026-03-22T12:00:00Z',
    edges: ['2026-04-05T00:10:00Z'],
  },
  {
    name: 'Europe/Berlin, autumn: a repeated time is its first occurrence',
    floor: { startTime: '02:30', endTime: '02:45', timeZone: 'Europe/Berlin' },
    after: '2026-10-24T12:00:00Z',
    edges: ['2026-10-25T00:30:00Z', '2026-10-25T00:45:00Z', '2026-10-26T01:30:00Z'],
  },
  {
    name: 'America/New_York, spring: 02:00 is skipped, so the floor starts at 03:00, the same instant',
    floor: { startTime: '02:00', endTime: '04:00', timeZone: 'America/New_York' },
    after: '2026-03-07T12:00:00Z',
    edges: ['2026-03-08T07:00:00Z', '2026-03-08T08:00:00Z'],
  },
  {
    name: 'America/New_York, autumn: a window over the repeated hour lasts an hour more',
    floor: { startTime: '00:30', endTime: '03:00', timeZone: 'America/New_York' },
    after: '2026-10-31T12:00:00Z',
    edges: ['2026-11-01T04:30:00Z', '2026-11-01T08:00:00Z'],
  },
  {
    name: 'Asia/Tokyo has no daylight saving',
    floor: { startTime: '02:30', endTime: '03:00', timeZone: 'Asia/Tokyo' },
    after: '2026-03-28T12:00:00Z',
    edges: ['2026-03-28T17:30:00Z', '2026-03-28T18:00:00Z', '2026-03-29T17:30:00Z'],
  },
  {
    name: 'Australia/Lord_Howe moves by half an hour: 02:15 is skipped and means 02:30',
    floor: { startTime: '02:15', endTime: '03:00', timeZone: 'Australia/Lord_Howe' },
    after: '2026-10-03T12:00:00Z',
    edges: ['2026-10-03T15:30:00Z', '2026-10-03T16:00:00Z', '2026-10-04T15:15:00Z'],
  },
  {
    name: 'Pacific/Apia skipped 30 December 2011: a window of that day does not happen',
    floor: { startTime: '19:00', endTime: '23:00', timeZone: 'Pacific/Apia' },
    after: '2011-12-30T09:30:00Z',
    edges: ['2011-12-31T05:00:00Z', '2011-12-31T09:00:00Z'],
  },
  {
    name: 'Pacific/Apia: an end on the skipped day is the instant of the transition',
    floor: { startTime: '23:00', endTime: '02:00', timeZone: 'Pacific/Apia', days: ['Thu'] },
    after: '2011-12-30T08:00:00Z',
    edges: ['2011-12-30T09:00:00Z', '2011-12-30T10:00:00Z'],
  },
];

describe('the schedule', () => {
  describe('a floor', () => {
    for (const row of activeRows) {
      it(row.name, () => {
        const floors = schedule(...row.floors);
        const found = Object.keys(row.at).map((instant) => [instant, activeFloor(floors, at(instant))]);
        assert.deepEqual(Object.fromEntries(found), row.at);
      });
    }

    it('is none where there is no schedule', () => assert.equal(activeFloor([], 0), undefined));
  });

  describe('the next edge', () => {
    for (const { name, floor, after, edges } of edgeRows) {
      it(name, () => {
        const floors = schedule(floor);
        let fromMs: number | undefined = at(after);
        const found = edges.map(() => (fromMs = nextEdge(floors, fromMs ?? 0)));
        assert.deepEqual(found.map(iso), edges);
      });
    }

    it('is the nearest of several floors', () => {
      const floors = schedule(
        { startTime: '19:00', endTime: '23:00' },
        { startTime: '18:00', endTime: '20:00', timeZone: 'Asia/Tokyo' },
      );
      assert.equal(iso(nextEdge(floors, at('2026-03-04T00:00:00Z'))), '2026-03-04T09:00:00Z');
    });

    it('is none where there is no schedule', () => assert.equal(nextEdge([], 0), undefined));

    it('is none where a floor has no day, and is not looked for for ever', () => {
      const floors = schedule({ startTime: '19:00', endTime: '23:00' });
      const never = floors.map((floor) => ({ ...floor, days: new Set<never>() }));
      assert.equal(nextEdge(never, 0), undefined);
      assert.equal(activeFloor(never, at('2026-03-04T20:00:00Z')), undefined);
    });
  });

  describe('a time zone', () => {
    const names: Readonly<Record<string, boolean>> = {
      UTC: true,
      'Asia/Tokyo': true,
      'Asia/Calcutta': true,
      'Etc/GMT+9': true,
      'America/Argentina/ComodRivadavia': true,
      GB: true,
      'Asia/Atlantis': false,
      '+09:00': false,
      '09:00': false,
      Z: false,
      '': false,
      'Asia/Tokyo\n': false,
    };

    it('is every name of the IANA database, and no offset', () => {
      assert.deepEqual(Object.fromEntries(Object.keys(names).map((name) => [name, isTimeZone(name)])), names);
    });

    it('is every zone that the runtime knows', () => {
      assert.deepEqual(
        Intl.supportedValuesOf('timeZone').filter((name) => !isTimeZone(name)),
        [],
      );
    });
  });
});
