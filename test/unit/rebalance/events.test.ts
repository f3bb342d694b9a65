import assert from 'node:assert/strict';
import type { Attempt } from '../../../src/rebalance/decision.ts';
import { eventsOf } from '../../../src/rebalance/events.ts';
import type { RebalanceStatus } from '../../../src/rebalance/status.ts';
import type { TargetFailure } from '../../../src/rebalance/targets/port.ts';
import { weight } from '../../../src/rebalance/weight.ts';
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

const DENIED: TargetFailure = {
  reason: 'AccessDenied',
  message: 'not authorized to perform route53:ChangeResourceRecordSets',
  outcomeUnknown: false,
};
const UNREAD = {
  kind: 'TargetUnread' as const,
  spec: specOf(),
  ...only(usable('3000')),
  failure: DENIED,
} satisfies Attempt;
const INVALID: Attempt = {
  kind: 'InvalidSpec',
  problems: [{ path: 'spec.interval', message: 'expected a duration from 1s to 24h' }],
};
const settled = statusAfter(observe());
const failing = statusAfter(observe({ set: setOf(16, 8), status: settled, sample: FAILED }));

const withFallback = specOf({}, { onFailure: { threshold: 0, action: 'Weight', weight: 50 } });
const inFallback = statusAfter(observe({ spec: withFallback, sample: FAILED }));

interface Row {
  readonly name: string;
  readonly previous?: RebalanceStatus;
  readonly attempt: Attempt;
  readonly events: readonly string[];
}

const rows: readonly Row[] = [
  {
    name: 'a weight that was changed is told with its because',
    attempt: attemptOf(observe()),
    events: ['Normal WeightChanged: weight 1 -> 16: metric 3000 against target 1000 and base 8 asks for 16'],
  },
  {
    name: 'a weight that was rescued from all zero is told as it is',
    attempt: attemptOf(observe({ sample: usable('0'), set: setOf(4, 8) }), {
      kind: 'Accepted',
      weight: weight(1),
      records: [{ identifier: 'aws', weight: weight(1) }],
      change: { id: 'C1', status: 'INSYNC' },
    }),
    events: ['Normal WeightChanged: weight 4 -> 1: metric 0 against target 1000 and base 8 asks for 0'],
  },
  {
    name: 'a steady state is silent',
    previous: settled,
    attempt: attemptOf(observe({ set: setOf(16, 8), status: settled })),
    events: [],
  },
  {
    name: 'a dry run is silent',
    attempt: attemptOf(observe({ writeForbidden: 'DryRun' })),
    events: [],
  },
  {
    name: 'a hold without data is silent',
    previous: settled,
    attempt: attemptOf(observe({ set: setOf(16, 8), status: settled, sample: ABSENT })),
    events: [],
  },
  {
    name: 'a metric failure is told when it begins (s9: the original tells nobody)',
    previous: settled,
    attempt: attemptOf(observe({ set: setOf(16, 8), status: settled, sample: FAILED })),
    events: ['Warning MetricTimeout: Prometheus did not answer in time'],
  },
  {
    name: 'and not again while it lasts',
    previous: failing,
    attempt: attemptOf(observe({ set: setOf(16, 8), status: failing, sample: FAILED })),
    events: [],
  },
  {
    name: 'but again when its reason changes',
    previous: failing,
    attempt: attemptOf(
      observe({
        set: setOf(16, 8),
        status: failing,
        sample: { kind: 'Failed', reason: 'QueryRejected', message: 'bad_data: parse error' },
      }),
    ),
    events: ['Warning QueryRejected: bad_data: parse error'],
  },
  {
    name: 'an empty result that has become a failure is told, though its reason was there before',
    previous: statusAfter(observe({ sample: ABSENT })),
    attempt: attemptOf(observe({ sample: { ...FAILED, reason: 'NoSeries' } as typeof FAILED })),
    events: ['Warning NoSeries: Prometheus did not answer in time'],
  },
  {
    name: 'a failure is told where the status has lost count of it',
    previous: { conditions: failing.conditions ?? [] },
    attempt: attemptOf(observe({ set: setOf(16, 8), sample: FAILED })),
    events: ['Warning MetricTimeout: Prometheus did not answer in time'],
  },
  {
    name: 'recovery is told',
    previous: failing,
    attempt: attemptOf(observe({ set: setOf(16, 8), status: failing })),
    events: ['Normal Recovered: metric 3000 against target 1000 and base 8 asks for 16'],
  },
  {
    name: 'a set that cannot be read is told when it begins',
    previous: settled,
    attempt: UNREAD,
    events: ['Warning AccessDenied: not authorized to perform route53:ChangeResourceRecordSets'],
  },
  {
    name: 'and not again while it lasts',
    previous: afterAttempt(UNREAD, settled, { minutes: 0 }),
    attempt: UNREAD,
    events: [],
  },
  {
    name: 'a refused write is told',
    previous: settled,
    attempt: attemptOf(observe({ sample: usable('5000') }), { kind: 'Refused', failure: DENIED }),
    events: ['Warning AccessDenied: not authorized to perform route53:ChangeResourceRecordSets'],
  },
  {
    name: 'metric and target failing at once are two',
    previous: settled,
    attempt: { ...UNREAD, sample: FAILED },
    events: [
      'Warning MetricTimeout: Prometheus did not answer in time',
      'Warning AccessDenied: not authorized to perform route53:ChangeResourceRecordSets',
    ],
  },
  {
    name: 'a bad spec is told with its field',
    previous: settled,
    attempt: INVALID,
    events: ['Warning InvalidField: spec.interval: expected a duration from 1s to 24h'],
  },
  {
    name: 'and not again while it lasts',
    previous: afterAttempt(INVALID, {}, { minutes: 0 }),
    attempt: INVALID,
    events: [],
  },
  { name: 'suspending is silent', previous: settled, attempt: { kind: 'Suspended' }, events: [] },
  {
    name: 'a reference that is nowhere is told',
    attempt: attemptOf(observe({ spec: specOf({ baseValue: undefined }), set: setOf(7) })),
    events: [
      'Warning ReferenceAmbiguous: the set has 0 other records, and neither reference nor baseValue says which counts: the policy stays at 7',
    ],
  },
  {
    name: 'the way into the fallback is told',
    attempt: attemptOf(observe({ spec: withFallback, sample: FAILED })),
    events: [
      'Normal WeightChanged: weight 1 -> 50: the metric failed (MetricTimeout): the policy stays at 1; the fallback weight 50 stands in for it',
      'Warning MetricTimeout: Prometheus did not answer in time',
      'Warning FallbackEntered: the metric failed (MetricTimeout): the policy stays at 1; the fallback weight 50 stands in for it',
    ],
  },
  {
    name: 'and the way out',
    previous: inFallback,
    attempt: attemptOf(observe({ spec: withFallback, set: setOf(50, 8), status: inFallback })),
    events: [
      'Normal WeightChanged: weight 50 -> 16: metric 3000 against target 1000 and base 8 asks for 16',
      'Normal FallbackLeft: metric 3000 against target 1000 and base 8 asks for 16',
      'Normal Recovered: metric 3000 against target 1000 and base 8 asks for 16',
    ],
  },
];

describe('the Events of an attempt', () => {
  for (const { name, previous = {}, attempt, events } of rows) {
    it(name, () => {
      const found = eventsOf(previous, afterAttempt(attempt, previous, { minutes: 0 }), attempt);
      assert.deepEqual(
        found.map(({ type, reason, message }) => `${type} ${reason}: ${message}`),
        events,
      );
    });
  }
});
