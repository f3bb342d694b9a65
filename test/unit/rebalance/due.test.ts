import assert from 'node:assert/strict';
import { rfc3339 } from '../../../src/foundation/clock.ts';
import { due, nextResyncSeconds, type Due, type DueFacts } from '../../../src/rebalance/due.ts';
import type { Condition } from '../../../src/kubernetes/conditions.ts';
import type { RebalanceStatus } from '../../../src/rebalance/status.ts';
import { MINUTE, NOON, specOf } from '../../support/rebalance.ts';

const SECOND = 1_000;
const HOUR = 60 * MINUTE;

/** A settled status of generation 1, attempted `agoMs` before noon. */
function attempted(agoMs: number, more: RebalanceStatus = {}): RebalanceStatus {
  return {
    condition: 'Healthy',
    lastAttemptAt: rfc3339(NOON - agoMs),
    decision: { generation: 1 },
    ...more,
  };
}

function pending(submittedAgoMs: number, polledAgoMs?: number): RebalanceStatus {
  return {
    change: {
      id: 'C1',
      status: 'PENDING',
      submittedAt: rfc3339(NOON - submittedAgoMs),
      ...(polledAgoMs === undefined ? {} : { polledAt: rfc3339(NOON - polledAgoMs) }),
    },
  };
}

const floor = (startTime: string, endTime: string) =>
  specOf({ scheduled: [{ startTime, endTime, value: 20 }] }).policy.scheduled;

const NO_TURN: Condition = {
  type: 'Ready',
  status: 'False',
  reason: 'RateBudget',
  message: 'no turn',
  lastTransitionTime: rfc3339(NOON),
};

const ATTEMPT: Due = { kind: 'Attempt' };
const POLL: Due = { kind: 'PollChange', changeId: 'C1' };
const notYet = (resyncAfterSeconds: number): Due => ({ kind: 'NotYet', resyncAfterSeconds });

interface Row {
  readonly name: string;
  readonly given: Partial<DueFacts>;
  readonly expected: Due;
}

const rows: readonly Row[] = [
  { name: 'an object without a status is attempted', given: { status: {} }, expected: ATTEMPT },
  {
    name: 'an attempt without a time counts as none',
    given: { status: { decision: { generation: 1 } } },
    expected: ATTEMPT,
  },
  {
    name: 'a time that cannot be read counts as none',
    given: { status: attempted(0, { lastAttemptAt: 'yesterday' }) },
    expected: ATTEMPT,
  },
  {
    name: 'a fresh attempt waits for the interval',
    given: { status: attempted(0) },
    expected: notYet(60),
  },
  {
    name: 'a time 5 s ahead is another clock, and waits',
    given: { status: attempted(-5 * SECOND) },
    expected: notYet(65),
  },
  {
    name: 'a time 6 s ahead is no time',
    given: { status: attempted(-6 * SECOND) },
    expected: ATTEMPT,
  },
  {
    name: 'a time next year is no time: a forged status does not silence an object',
    given: { status: attempted(-365 * 24 * HOUR) },
    expected: ATTEMPT,
  },
  {
    name: 'another generation is attempted at once',
    given: { status: attempted(0), generation: 2 },
    expected: ATTEMPT,
  },
  {
    name: 'a decision without a generation too',
    given: { status: attempted(0, { decision: {} }) },
    expected: ATTEMPT,
  },
  {
    name: 'a millisecond before the interval is over it is not due, and comes back after 1 s',
    given: { status: attempted(MINUTE), nowMs: NOON - 1 },
    expected: notYet(1),
  },
  { name: 'it is due when the interval is over', given: { status: attempted(MINUTE) }, expected: ATTEMPT },
  {
    name: 'the wait is rounded up to tenths of seconds',
    given: { status: attempted(MINUTE), nowMs: NOON - 1_501 },
    expected: notYet(1.6),
  },
  {
    name: 'a long interval is waited for after a success',
    given: { status: attempted(2 * MINUTE), intervalMs: HOUR },
    expected: notYet(58 * 60),
  },
  {
    name: 'Unhealthy is no failure',
    given: { status: attempted(2 * MINUTE, { condition: 'Unhealthy' }), intervalMs: HOUR },
    expected: notYet(58 * 60),
  },
  {
    name: 'after a failure a minute is the longest wait (s9: the original doubled its past the interval)',
    given: { status: attempted(MINUTE, { condition: 'Error' }), intervalMs: HOUR },
    expected: ATTEMPT,
  },
  {
    name: 'who got no turn at Route 53 comes again after 10 s',
    given: { status: attempted(3 * SECOND, { condition: 'Error', conditions: [NO_TURN] }), intervalMs: HOUR },
    expected: notYet(7),
  },
  {
    name: 'after a failure a shorter interval stays',
    given: { status: attempted(10 * SECOND, { condition: 'Error' }), intervalMs: 10 * SECOND },
    expected: ATTEMPT,
  },
  {
    name: 'a failure is waited for as well',
    given: { status: attempted(10 * SECOND, { condition: 'Error' }), intervalMs: HOUR },
    expected: notYet(50),
  },
  {
    name: 'a floor that started since the last attempt is due',
    given: { status: attempted(30 * SECOND), schedule: floor('12:00', '13:00') },
    expected: ATTEMPT,
  },
  {
    name: 'a floor that ended since the last attempt is due',
    given: { status: attempted(30 * SECOND), schedule: floor('11:00', '12:00') },
    expected: ATTEMPT,
  },
  {
    name: 'an edge at the last attempt was seen by it',
    given: { status: attempted(0), schedule: floor('12:00', '13:00') },
    expected: notYet(60),
  },
  {
    name: 'the next edge is waited for when it is nearer than the interval',
    given: { status: attempted(0), schedule: floor('12:05', '13:00'), intervalMs: HOUR },
    expected: notYet(300),
  },
  {
    name: 'a pending change that is not yet 10 s old waits for it',
    given: { status: attempted(4 * SECOND, pending(4 * SECOND)) },
    expected: notYet(6),
  },
  {
    name: 'a pending change is asked about when it is 10 s old',
    given: { status: attempted(10 * SECOND, pending(10 * SECOND)) },
    expected: POLL,
  },
  {
    name: 'and again 10 s after it was asked about last',
    given: { status: attempted(15 * SECOND, pending(15 * SECOND, 5 * SECOND)) },
    expected: notYet(5),
  },
  {
    name: 'a change without any time is asked about at once',
    given: { status: attempted(0, { change: { id: 'C1', status: 'PENDING' } }) },
    expected: POLL,
  },
  {
    name: 'a change with times far ahead too',
    given: { status: attempted(0, pending(-HOUR, -HOUR)) },
    expected: POLL,
  },
  {
    name: 'a change that is in sync is not asked about',
    given: {
      status: attempted(30 * SECOND, {
        change: { id: 'C1', status: 'INSYNC', submittedAt: rfc3339(NOON - 30 * SECOND) },
      }),
    },
    expected: notYet(30),
  },
  {
    name: 'the poll goes first when both are over and it came first',
    given: { status: attempted(MINUTE, pending(MINUTE, 10 * SECOND + 1)) },
    expected: POLL,
  },
  {
    name: 'the attempt goes first at a tie: an interval of 10 s is one',
    given: { status: attempted(10 * SECOND, pending(10 * SECOND)), intervalMs: 10 * SECOND },
    expected: ATTEMPT,
  },
  {
    name: 'the poll comes right after it, and is not starved',
    given: { status: attempted(0, pending(10 * SECOND)), intervalMs: 10 * SECOND },
    expected: POLL,
  },
  {
    name: 'the attempt goes first when it came first: polls do not starve it',
    given: { status: attempted(12 * SECOND, pending(40 * SECOND, 10 * SECOND)), intervalMs: 10 * SECOND },
    expected: ATTEMPT,
  },
  {
    name: 'an edge goes before a poll',
    given: {
      status: attempted(30 * SECOND, pending(30 * SECOND)),
      schedule: floor('12:00', '13:00'),
    },
    expected: ATTEMPT,
  },
  {
    name: 'a suspended or unreadable spec asks nobody',
    given: { status: attempted(30 * SECOND, pending(30 * SECOND)), mayPoll: false },
    expected: notYet(30),
  },
];

describe('due', () => {
  const input: DueFacts = {
    status: {},
    generation: 1,
    schedule: [],
    intervalMs: MINUTE,
    mayPoll: true,
    nowMs: NOON,
  };

  for (const { name, given, expected } of rows) {
    it(name, () => assert.deepEqual(due({ ...input, ...given }), expected));
  }

  it('resyncs when something is due next, and after 1 s where it is due already', () => {
    assert.equal(nextResyncSeconds({ ...input, status: attempted(20 * SECOND) }), 40);
    assert.equal(nextResyncSeconds({ ...input, status: attempted(0), generation: 2 }), 1);
    assert.equal(nextResyncSeconds({ ...input, status: attempted(20 * SECOND, pending(20 * SECOND)) }), 1);
  });

  it('looks at a hundred objects with floors in a moment', () => {
    const schedule = specOf({
      scheduled: ['Asia/Tokyo', 'Europe/Berlin', 'America/New_York'].map((timeZone) => ({
        startTime: '19:00',
        endTime: '02:00',
        value: 20,
        timeZone,
      })),
    }).policy.scheduled;
    const startedMs = performance.now();
    for (let object = 0; object < 100; object += 1) due({ ...input, status: attempted(0), schedule });
    assert.ok(performance.now() - startedMs < 1_500);
  });
});
