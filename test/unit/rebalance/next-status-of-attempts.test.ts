import assert from 'node:assert/strict';
import type { Attempt } from '../../../src/rebalance/decision.ts';
import type { RebalanceStatus } from '../../../src/rebalance/status.ts';
import type { TargetFailure } from '../../../src/rebalance/targets/port.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { conditionOf, conditionsOf } from '../../support/conditions.ts';
import { fieldsLike } from '../../support/decisions.ts';
import {
  ABSENT,
  afterAttempt,
  attemptOf,
  FAILED,
  observe,
  only,
  setOf,
  specOf,
  statusAfter,
  usable,
} from '../../support/rebalance.ts';

const THROTTLED: TargetFailure = {
  reason: 'Throttled',
  message: 'Route 53 limits the requests of the account',
  outcomeUnknown: false,
};
const ABORTED: TargetFailure = {
  reason: 'TargetTimeout',
  message: 'Route 53 did not answer in time',
  outcomeUnknown: true,
};
const INVALID: Attempt = {
  kind: 'InvalidSpec',
  problems: [{ path: 'spec.interval', message: 'expected a duration from 1s to 24h' }],
};

const settled = statusAfter(observe());

interface Row {
  readonly name: string;
  readonly attempt: Attempt;
  readonly previous?: RebalanceStatus;
  readonly word: string;
  readonly conditions: readonly string[];
  /** Fields of the status that the row is about. */
  readonly fields?: Partial<RebalanceStatus>;
  readonly ready?: string;
}

const rows: readonly Row[] = [
  {
    name: 'an accepted change that is everywhere is Healthy',
    attempt: attemptOf(observe()),
    word: 'Healthy',
    conditions: [
      'Ready=True Tracking',
      'MetricAvailable=True Sampled',
      'TargetSynced=True InSync',
      'SpecValid=True SpecAccepted',
    ],
    fields: {
      actualValue: weight(16),
      desiredValue: weight(16),
      lastUpdateAt: '2026-03-04T12:01:00Z',
      lastAttemptAt: '2026-03-04T12:01:00Z',
      lastEvaluatedAt: '2026-03-04T12:01:00Z',
      change: {
        id: 'C1',
        status: 'INSYNC',
        submittedAt: '2026-03-04T12:01:00Z',
        polledAt: '2026-03-04T12:01:00Z',
      },
    },
  },
  {
    name: 'an accepted change that is pending is Unhealthy, and the new weight is the actual one',
    attempt: attemptOf(observe(), {
      kind: 'Accepted',
      weight: weight(16),
      records: [{ identifier: 'aws', weight: weight(16) }],
      change: { id: 'C7', status: 'PENDING' },
    }),
    word: 'Unhealthy',
    conditions: [
      'Ready=True Tracking',
      'MetricAvailable=True Sampled',
      'TargetSynced=False ChangePending',
      'SpecValid=True SpecAccepted',
    ],
    fields: {
      actualValue: weight(16),
      change: { id: 'C7', status: 'PENDING', submittedAt: '2026-03-04T12:01:00Z' },
    },
  },
  {
    name: 'a change still pending at the next attempt stays Unhealthy',
    attempt: attemptOf(observe({ set: setOf(16, 8) })),
    previous: { change: { id: 'C7', status: 'PENDING', submittedAt: '2026-03-04T12:00:30Z' } },
    word: 'Unhealthy',
    conditions: [
      'Ready=True Tracking',
      'MetricAvailable=True Sampled',
      'TargetSynced=False ChangePending',
      'SpecValid=True SpecAccepted',
    ],
    fields: { change: { id: 'C7', status: 'PENDING', submittedAt: '2026-03-04T12:00:30Z' } },
  },
  {
    name: 'a refused write leaves the weight that was read, and what was wanted (s9: the original stays "Healty")',
    attempt: attemptOf(observe(), { kind: 'Refused', failure: THROTTLED }),
    word: 'Error',
    conditions: [
      'Ready=False Throttled',
      'MetricAvailable=True Sampled',
      'TargetSynced=False Throttled',
      'SpecValid=True SpecAccepted',
    ],
    fields: { actualValue: weight(1), desiredValue: weight(16) },
    ready: 'Route 53 limits the requests of the account',
  },
  {
    name: 'an aborted write leaves it unknown what DNS holds',
    attempt: attemptOf(observe(), { kind: 'Refused', failure: ABORTED }),
    word: 'Error',
    conditions: [
      'Ready=False TargetTimeout',
      'MetricAvailable=True Sampled',
      'TargetSynced=Unknown TargetTimeout',
      'SpecValid=True SpecAccepted',
    ],
    fields: { actualValue: weight(1) },
  },
  {
    name: 'a second look after a write of 0 that failed is an Error, though the write was accepted',
    attempt: attemptOf(observe({ sample: usable('0') }), {
      kind: 'Accepted',
      weight: weight(0),
      records: [{ identifier: 'aws', weight: weight(0) }],
      change: { id: 'C1', status: 'INSYNC' },
      recheckFailure: THROTTLED,
    }),
    word: 'Error',
    conditions: [
      'Ready=False Throttled',
      'MetricAvailable=True Sampled',
      'TargetSynced=False Throttled',
      'SpecValid=True SpecAccepted',
    ],
    fields: { actualValue: weight(0), desiredValue: weight(0), lastUpdateAt: '2026-03-04T12:01:00Z' },
  },
  {
    name: 'a set rescued from all zero leaves 1 where 0 was wanted',
    attempt: attemptOf(observe({ sample: usable('0') }), {
      kind: 'Accepted',
      weight: weight(1),
      records: [{ identifier: 'aws', weight: weight(1) }],
      change: { id: 'C2', status: 'INSYNC' },
    }),
    word: 'Healthy',
    conditions: [
      'Ready=True Tracking',
      'MetricAvailable=True Sampled',
      'TargetSynced=True InSync',
      'SpecValid=True SpecAccepted',
    ],
    fields: { actualValue: weight(1), desiredValue: weight(0) },
  },
  {
    name: 'a dry run is Healthy (s12: the original calls it Unhealthy)',
    attempt: attemptOf(observe({ writeForbidden: 'DryRun' })),
    word: 'Healthy',
    conditions: [
      'Ready=True DryRun',
      'MetricAvailable=True Sampled',
      'TargetSynced=False DryRun',
      'SpecValid=True SpecAccepted',
    ],
    fields: { actualValue: weight(1), desiredValue: weight(16) },
    ready:
      'weight 16 is wanted and not written (spec.dryRun); DNS holds 1: metric 3000 against target 1000 and base 8 asks for 16',
  },
  {
    name: 'a dry run by --observe-only says whose it is',
    attempt: attemptOf(observe({ writeForbidden: 'ObserveOnly' })),
    word: 'Healthy',
    conditions: [
      'Ready=True ObserveOnly',
      'MetricAvailable=True Sampled',
      'TargetSynced=False ObserveOnly',
      'SpecValid=True SpecAccepted',
    ],
    ready:
      'weight 16 is wanted and not written (--observe-only); DNS holds 1: metric 3000 against target 1000 and base 8 asks for 16',
  },
  {
    name: 'an empty result with noData Hold is Healthy, and says that the metric is missing',
    attempt: attemptOf(observe({ sample: ABSENT, status: { failures: 2 } })),
    previous: { metric: { value: '3000', at: '2026-03-04T11:00:00Z', query: 'old' }, failures: 2 },
    word: 'Healthy',
    conditions: [
      'Ready=True HeldWithoutData',
      'MetricAvailable=False NoSeries',
      'TargetSynced=True InSync',
      'SpecValid=True SpecAccepted',
    ],
    fields: { failures: 2, metric: { value: '3000', at: '2026-03-04T11:00:00Z', query: 'old' } },
  },
  {
    name: 'an empty result with noData Zero is a 0',
    attempt: attemptOf(
      observe({ sample: { ...usable('0'), fromNoData: true } as ReturnType<typeof usable> }),
    ),
    word: 'Healthy',
    conditions: [
      'Ready=True Tracking',
      'MetricAvailable=True NoDataIsZero',
      'TargetSynced=True InSync',
      'SpecValid=True SpecAccepted',
    ],
    fields: { metric: { value: '0', at: '2026-03-04T12:01:00Z', query: 'scalar(load)' } },
  },
  {
    name: 'a metric that failed is an Error, and the weight stays (s9: the original keeps its last word)',
    attempt: attemptOf(observe({ sample: FAILED })),
    word: 'Error',
    conditions: [
      'Ready=False MetricTimeout',
      'MetricAvailable=False MetricTimeout',
      'TargetSynced=True InSync',
      'SpecValid=True SpecAccepted',
    ],
    fields: { failures: 1, actualValue: weight(1), desiredValue: weight(1) },
    ready: 'Prometheus did not answer in time; the metric failed (MetricTimeout): the policy stays at 1',
  },
  {
    name: 'a metric that fails while the fallback stands in is still an Error',
    attempt: attemptOf(
      observe({
        sample: FAILED,
        spec: specOf({}, { onFailure: { threshold: 0, action: 'Weight', weight: 50 } }),
      }),
    ),
    word: 'Error',
    conditions: [
      'Ready=False MetricTimeout',
      'MetricAvailable=False MetricTimeout',
      'TargetSynced=True InSync',
      'SpecValid=True SpecAccepted',
    ],
    fields: { actualValue: weight(50) },
  },
  {
    name: 'a weight at its maximum is limited, so Unhealthy',
    attempt: attemptOf(observe({ sample: usable('1e18') })),
    word: 'Unhealthy',
    conditions: [
      'Ready=True AtMaximum',
      'MetricAvailable=True Sampled',
      'TargetSynced=True InSync',
      'SpecValid=True SpecAccepted',
      'ConfigurationAdvice=True TargetOutOfReach',
    ],
    fields: { metric: { value: '1000000000000000000', at: '2026-03-04T12:01:00Z', query: 'scalar(load)' } },
  },
  {
    name: 'a limited dry run is Unhealthy because it is limited',
    attempt: attemptOf(observe({ sample: usable('1e18'), writeForbidden: 'DryRun' })),
    word: 'Unhealthy',
    conditions: [
      'Ready=True DryRun',
      'MetricAvailable=True Sampled',
      'TargetSynced=False DryRun',
      'SpecValid=True SpecAccepted',
      'ConfigurationAdvice=True TargetOutOfReach',
    ],
  },
  {
    name: 'a reference that is nowhere is an Error',
    attempt: attemptOf(observe({ spec: specOf({ baseValue: undefined }), set: setOf(7) })),
    word: 'Error',
    conditions: [
      'Ready=False ReferenceAmbiguous',
      'MetricAvailable=True Sampled',
      'TargetSynced=True InSync',
      'SpecValid=True SpecAccepted',
    ],
  },
  {
    name: 'a drained reference is Unhealthy, also when a floor has the last word',
    attempt: attemptOf(observe({ spec: specOf({ baseValue: undefined, minimum: 9 }), set: setOf(7, 0) })),
    word: 'Unhealthy',
    conditions: [
      'Ready=True AtMinimum',
      'MetricAvailable=True Sampled',
      'TargetSynced=True InSync',
      'SpecValid=True SpecAccepted',
    ],
  },
  {
    name: 'a set that cannot be read decides nothing: weights, stages and policy weight stay',
    attempt: { kind: 'TargetUnread', spec: specOf(), ...only(usable('5000')), failure: THROTTLED },
    previous: settled,
    word: 'Error',
    conditions: [
      'Ready=False Throttled',
      'MetricAvailable=True Sampled',
      'TargetSynced=Unknown Throttled',
      'SpecValid=True SpecAccepted',
    ],
    fields: {
      actualValue: weight(16),
      desiredValue: weight(16),
      lastUpdateAt: '2026-03-04T12:00:00Z',
      lastEvaluatedAt: '2026-03-04T12:00:00Z',
      lastAttemptAt: '2026-03-04T12:01:00Z',
      metric: { value: '5000', at: '2026-03-04T12:01:00Z', query: 'scalar(load)' },
      decision: { ...settled.decision, generation: 2 },
    },
  },
  {
    name: 'a failed metric counts even where the set cannot be read, and ends a row of successes',
    attempt: { kind: 'TargetUnread', spec: specOf(), ...only(FAILED), failure: THROTTLED },
    previous: { failures: 1, decision: { fallback: { active: true, successes: 2 } } },
    word: 'Error',
    conditions: [
      'Ready=False Throttled',
      'MetricAvailable=False MetricTimeout',
      'TargetSynced=Unknown Throttled',
      'SpecValid=True SpecAccepted',
    ],
    fields: { failures: 2, decision: { generation: 2, fallback: { active: true, successes: 0 } } },
  },
  {
    name: 'a Route 53 error alone is no metric failure',
    attempt: { kind: 'TargetUnread', spec: specOf(), ...only(ABSENT), failure: THROTTLED },
    previous: { failures: 2, decision: { fallback: { active: true, successes: 2 } } },
    word: 'Error',
    conditions: [
      'Ready=False Throttled',
      'MetricAvailable=False NoSeries',
      'TargetSynced=Unknown Throttled',
      'SpecValid=True SpecAccepted',
    ],
    fields: { failures: 2, decision: { generation: 2, fallback: { active: true, successes: 2 } } },
  },
  {
    name: 'a bad spec is an attempt, names the field, and leaves the other values',
    attempt: INVALID,
    previous: settled,
    word: 'Error',
    conditions: [
      'Ready=False SpecInvalid',
      'MetricAvailable=True Sampled',
      'TargetSynced=True InSync',
      'SpecValid=False InvalidField',
    ],
    fields: {
      actualValue: weight(16),
      desiredValue: weight(16),
      lastAttemptAt: '2026-03-04T12:01:00Z',
      lastEvaluatedAt: '2026-03-04T12:00:00Z',
      decision: { ...settled.decision, generation: 2 },
    },
    ready: 'spec.interval: expected a duration from 1s to 24h',
  },
  {
    name: 'a bad spec from the start knows nothing else yet (s16: the original crashes, with its neighbours)',
    attempt: INVALID,
    word: 'Error',
    conditions: [
      'Ready=False SpecInvalid',
      'MetricAvailable=Unknown NotEvaluated',
      'TargetSynced=Unknown NotEvaluated',
      'SpecValid=False InvalidField',
    ],
    fields: { failures: 0, decision: { generation: 2 } },
  },
  {
    name: 'a suspended object keeps its last values and word, and Ready says so',
    attempt: { kind: 'Suspended' },
    previous: { ...settled, condition: 'Unhealthy', failures: 2 },
    word: 'Unhealthy',
    conditions: [
      'Ready=False Suspended',
      'MetricAvailable=True Sampled',
      'TargetSynced=True InSync',
      'SpecValid=True SpecAccepted',
    ],
    fields: {
      failures: 2,
      lastAttemptAt: '2026-03-04T12:01:00Z',
      decision: { ...settled.decision, generation: 2 },
    },
  },
  {
    name: 'an object that was suspended from the start is Healthy: it did what was wanted',
    attempt: { kind: 'Suspended' },
    word: 'Healthy',
    conditions: [
      'Ready=False Suspended',
      'MetricAvailable=Unknown NotEvaluated',
      'TargetSynced=Unknown NotEvaluated',
      'SpecValid=True SpecAccepted',
    ],
    ready: 'spec.suspend is true: nothing is queried or written, and status keeps its last values',
  },
];

describe('the next status', () => {
  for (const { name, attempt, previous, word, conditions, fields = {}, ready } of rows) {
    it(name, () => {
      const status = afterAttempt(attempt, previous, { generation: 2 });
      assert.equal(status.condition, word);
      assert.deepEqual(conditionsOf(status), conditions);
      assert.deepEqual(fieldsLike(status, fields), fields);
      if (ready !== undefined) assert.equal(conditionOf(status, 'Ready').message, ready);
    });
  }
});
