import assert from 'node:assert/strict';
import { readRebalanceStatus, rebalanceStatusSchema } from '../../../src/api/rebalance-status.ts';
import type { Attempt } from '../../../src/rebalance/decision.ts';
import { eventsOf } from '../../../src/rebalance/events.ts';
import { nextStatus } from '../../../src/rebalance/next-status.ts';
import type { Sample } from '../../../src/rebalance/sample.ts';
import type { RebalanceStatus } from '../../../src/rebalance/status.ts';
import {
  afterAttempt,
  attemptOf,
  MINUTE,
  NOON,
  observe,
  setOf,
  specOf,
  usable,
} from '../../support/rebalance.ts';

const prometheus = { address: 'http://prometheus:9090', query: 'query', noData: 'Zero' };
const spec = specOf(
  {},
  {
    additionalMetrics: [
      { name: 'cpu', targetValue: 0.5, prometheus },
      { name: 'queue', targetValue: 100, prometheus },
    ],
    guards: [
      { name: 'errors', stops: 'Increase', prometheus },
      { name: 'fresh', stops: 'Both', prometheus },
    ],
  },
);
const absent: Sample = { kind: 'Absent', reason: 'NoSeries', message: 'metric "cpu": no series' };
const failed: Sample = { kind: 'Failed', reason: 'MetricTimeout', message: 'metric "queue": too late' };
const lost: Sample = { kind: 'Failed', reason: 'MetricUnreachable', message: 'guard "fresh": refused' };
const silent: Sample = { kind: 'Absent', reason: 'NotANumber', message: 'guard "errors": NaN' };
const low = usable('-0.5');
const high = usable('0.25');
const good = [usable('0.1'), usable('1')];
const open = [high, high];

function attempt(
  additionalSamples: readonly Sample[],
  guardSamples: readonly Sample[],
  sample = usable('3000'),
) {
  return attemptOf(observe({ spec, set: setOf(16, 8), sample, additionalSamples, guardSamples }));
}

function told({ conditions = [] }: RebalanceStatus, type: string): string {
  const found = conditions.find((condition) => condition.type === type);
  return found === undefined ? 'none' : `${found.status} ${found.reason}: ${found.message}`;
}

const settled = afterAttempt(attempt(good, open), {}, { minutes: 0 });

describe('the status of several metrics and guards', () => {
  it('has their last numbers by name, in the order of the spec', () => {
    assert.deepEqual(settled.metrics, [
      { name: 'cpu', value: '0.1', at: '2026-03-04T12:00:00Z' },
      { name: 'queue', value: '1', at: '2026-03-04T12:00:00Z' },
    ]);
    assert.deepEqual(settled.guards, [
      { name: 'errors', value: '0.25', at: '2026-03-04T12:00:00Z' },
      { name: 'fresh', value: '0.25', at: '2026-03-04T12:00:00Z' },
    ]);
    assert.equal(settled.decision?.metric, undefined);
  });
  it('names the additional metric that won', () =>
    assert.equal(afterAttempt(attempt([usable('2'), usable('1')], open)).decision?.metric, 'cpu'));
  it('keeps the last number of one that cannot be read, with its time', () => {
    const status = afterAttempt(attempt([absent, usable('2')], [lost, low]), settled);
    assert.deepEqual(status.metrics, [
      { name: 'cpu', value: '0.1', at: '2026-03-04T12:00:00Z' },
      { name: 'queue', value: '2', at: '2026-03-04T12:01:00Z' },
    ]);
    assert.deepEqual(status.guards, [
      { name: 'errors', value: '0.25', at: '2026-03-04T12:00:00Z' },
      { name: 'fresh', value: '-0.5', at: '2026-03-04T12:01:00Z' },
    ]);
  });
  it('has none of one that was never read, and forgets what the spec has no more of', () => {
    assert.equal(afterAttempt(attempt([absent, failed], [silent, lost])).metrics, undefined);
    const gone = afterAttempt(attemptOf(observe()), settled);
    assert.deepEqual([gone.metrics, gone.guards, told(gone, 'GuardsPassed')], [undefined, undefined, 'none']);
  });
  it('stays where nothing is asked', () => {
    const status = afterAttempt({ kind: 'Suspended' }, settled);
    assert.deepEqual(
      [status.metrics, status.guards, told(status, 'GuardsPassed')],
      [settled.metrics, settled.guards, told(settled, 'GuardsPassed')],
    );
  });
  it('moves nothing but times while nothing changes', () => {
    const again = afterAttempt(attempt(good, open), settled);
    const untimed = (status: RebalanceStatus) => JSON.stringify(status).replaceAll(/"2026-[^"]*"/g, '"time"');
    assert.equal(untimed(again), untimed(afterAttempt(attempt(good, open), again, { minutes: 2 })));
  });
  it('reads back as it was written, and drops what is unreadable', () => {
    const status = afterAttempt(attempt(good, open), settled);
    assert.deepEqual(readRebalanceStatus(JSON.parse(JSON.stringify(status))), status);
    const spoilt = { ...status, metrics: [{ name: 'cpu', value: '1', at: 'then' }], guards: 'x' };
    assert.deepEqual(readRebalanceStatus(spoilt).metrics, []);
    assert.equal(readRebalanceStatus(spoilt).guards, undefined);
  });

  const conditions: readonly {
    readonly name: string;
    readonly given: Attempt;
    readonly word: string;
    readonly metric: string;
    readonly guards: string;
    readonly ready: string;
  }[] = [
    {
      name: 'all is well',
      given: attempt(good, open),
      word: 'Healthy',
      metric: 'True Sampled: each query gave one finite number',
      guards: 'True AboveZero: every guard is above 0',
      ready: 'True Tracking',
    },
    {
      name: 'silence of one that counts as 0',
      given: attempt([{ ...usable('0'), kind: 'Usable', fromNoData: true } as Sample, usable('1')], open),
      word: 'Healthy',
      metric: 'True NoDataIsZero: a query gave no number, which noData: Zero counts as 0',
      guards: 'True AboveZero: every guard is above 0',
      ready: 'True Tracking',
    },
    {
      name: 'a metric without data holds what would fall',
      given: attempt([absent, usable('1')], open, usable('1000')),
      word: 'Unhealthy',
      metric: 'False NoSeries: metric "cpu": no series',
      guards: 'True AboveZero: every guard is above 0',
      ready: 'True HeldFromFall',
    },
    {
      name: 'a failure is an Error, and stands before silence; all are named',
      given: attempt([absent, failed], open),
      word: 'Error',
      metric: 'False MetricTimeout: metric "cpu": no series; metric "queue": too late',
      guards: 'True AboveZero: every guard is above 0',
      ready: 'False MetricTimeout',
    },
    {
      name: 'a closed guard that stops nothing',
      given: attempt(good, [low, high]),
      word: 'Healthy',
      metric: 'True Sampled: each query gave one finite number',
      guards: 'False NotAboveZero: guard "errors" is not above 0 and stops Increase',
      ready: 'True Tracking',
    },
    {
      name: 'a closed guard that stops a move',
      given: attempt(good, [low, usable('0')], usable('9000')),
      word: 'Unhealthy',
      metric: 'True Sampled: each query gave one finite number',
      guards:
        'False NotAboveZero: guard "errors" is not above 0 and stops Increase, guard "fresh" is not above 0 and stops Both',
      ready: 'True GuardStopped',
    },
    {
      name: 'a guard that gives no number',
      given: attempt(good, [silent, low]),
      word: 'Healthy',
      metric: 'True Sampled: each query gave one finite number',
      guards: 'False NotANumber: guard "errors": NaN',
      ready: 'True Tracking',
    },
    {
      name: 'a guard that fails is an Error, though no failure of onFailure',
      given: attempt(good, [silent, lost]),
      word: 'Error',
      metric: 'True Sampled: each query gave one finite number',
      guards: 'False MetricUnreachable: guard "errors": NaN; guard "fresh": refused',
      ready: 'False MetricUnreachable',
    },
  ];
  for (const { name, given, word, metric, guards, ready } of conditions) {
    it(`says: ${name}`, () => {
      const status = afterAttempt(given);
      assert.equal(status.condition, word);
      assert.equal(told(status, 'MetricAvailable'), metric);
      assert.equal(told(status, 'GuardsPassed'), guards);
      assert.equal(told(status, 'Ready').split(':')[0], ready);
      assert.equal(status.failures, 0);
    });
  }

  it('has the guards after the metrics, before the target', () =>
    assert.deepEqual(
      settled.conditions?.map(({ type }) => type),
      ['Ready', 'MetricAvailable', 'GuardsPassed', 'TargetSynced', 'SpecValid'],
    ));
});

describe('the Events of several metrics and guards', () => {
  const events = (previous: RebalanceStatus, given: Attempt): readonly string[] =>
    eventsOf(previous, afterAttempt(given, previous), given).map(
      ({ reason, message }) => `${reason}: ${message}`,
    );
  const partly = attempt([usable('0.1'), failed], open);
  const unguarded = attempt(good, [high, lost]);

  it('tell a failure beside metrics that are usable, once', () => {
    assert.deepEqual(events(settled, partly), ['MetricTimeout: metric "queue": too late']);
    assert.deepEqual(events(afterAttempt(partly, settled), partly), []);
  });
  it('tell it again when it becomes one of all', () => {
    const blind = attempt([failed, failed], open, failed);
    assert.deepEqual(events(afterAttempt(partly, settled), blind), [
      'MetricTimeout: metric "queue": too late',
    ]);
    assert.deepEqual(events(afterAttempt(blind, settled), blind), []);
  });
  it('tell a failure of a guard, once, and silence of one never', () => {
    assert.deepEqual(events(settled, unguarded), ['MetricUnreachable: guard "fresh": refused']);
    assert.deepEqual(events(afterAttempt(unguarded, settled), unguarded), []);
    assert.deepEqual(events(settled, attempt(good, [silent, high])), []);
  });
});

describe('the largest status that there is', () => {
  const named = (index: number) => `${index}${'x'.repeat(62)}`;
  const eight = [0, 1, 2, 3, 4, 5, 6, 7];
  const query = { address: 'http://prometheus:9090', query: 'q'.repeat(8192), window: '24h' };
  const full = specOf(
    { signal: 'load', baseValue: 64 },
    {
      metrics: { prometheus: query },
      additionalMetrics: eight.map((index) => ({ name: named(index), targetValue: 0.1, prometheus: query })),
      guards: eight.map((index) => ({
        name: named(index),
        stops: 'Both',
        prometheus: { address: query.address, query: query.query },
      })),
    },
  );
  const large = usable('1234567890.1234567890123456789');

  /** After forty evaluations in which the set changed each time, the last of which knows nothing or stops. */
  function fill(last: readonly Sample[]): RebalanceStatus {
    let status: RebalanceStatus = {};
    for (let minute = 0; minute <= 40; minute += 1) {
      const samples = minute < 40 ? eight.map(() => large) : last;
      const observation = observe({
        spec: full,
        status,
        set: setOf(minute % 2 === 0 ? 100 : 101, 64),
        sample: large,
        additionalSamples: samples,
        guardSamples: minute < 40 ? eight.map(() => large) : eight.map(() => silent),
        nowMs: NOON + minute * MINUTE,
      });
      status = nextStatus({
        previous: status,
        generation: 1,
        attempt: attemptOf(observation),
        notices: [],
        nowMs: observation.nowMs,
      });
    }
    return status;
  }

  it('satisfies the schema of the CRD, whatever is missing, and is a few tens of kilobytes', () => {
    for (const last of [eight.map(() => failed), eight.map(() => absent), eight.map(() => usable('0'))]) {
      const status: unknown = JSON.parse(JSON.stringify(fill(last)));
      assert.deepEqual(rebalanceStatusSchema.safeParse(status).error, undefined);
      assert.ok(JSON.stringify(status).length < 32_000, String(JSON.stringify(status).length));
    }
  });
});
