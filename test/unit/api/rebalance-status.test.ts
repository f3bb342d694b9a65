import assert from 'node:assert/strict';
import { readRebalanceStatus } from '../../../src/api/rebalance-status.ts';
import type { RebalanceStatus } from '../../../src/rebalance/status.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { FAILED, observe, severalOf, severalSpec, specOf, statusAfter } from '../../support/rebalance.ts';

interface Row {
  readonly name: string;
  readonly raw: unknown;
  readonly expected: RebalanceStatus;
}

const rows: readonly Row[] = [
  { name: 'no status', raw: undefined, expected: {} },
  { name: 'null', raw: null, expected: {} },
  { name: 'a list', raw: [1], expected: {} },
  {
    name: "the original's status: its word is unreadable, its numbers are not",
    raw: {
      condition: 'Healty',
      actualValue: 16,
      desiredValue: 16,
      lastUpdateAt: '2022-12-20T10:00:00+09:00',
    },
    expected: {
      actualValue: weight(16),
      desiredValue: weight(16),
      lastUpdateAt: '2022-12-20T10:00:00+09:00',
    },
  },
  {
    name: "the original's weight that no record can have",
    raw: { desiredValue: 7_999_992, actualValue: 1.5 },
    expected: {},
  },
  {
    name: 'a total of several records, and one that no set can have',
    raw: { actualValue: 25_500, desiredValue: 25_500 },
    expected: { actualValue: 25_500 },
  },
  {
    name: 'a split of which one record cannot be read',
    raw: {
      resources: [
        { identifier: 'blue', actualValue: 10, desiredValue: 8 },
        { identifier: 'green', actualValue: 300, desiredValue: 8 },
      ],
    },
    expected: {},
  },
  {
    name: 'counts and times of other kinds',
    raw: { failures: -1, lastAttemptAt: 'yesterday', lastEvaluatedAt: 1234, condition: 'Error' },
    expected: { condition: 'Error' },
  },
  { name: 'a count beyond any', raw: { failures: 1e12 }, expected: {} },
  {
    name: 'a decision of which only some can be read',
    raw: {
      decision: {
        generation: 'x',
        reason: 'constructor',
        because: 7,
        stages: { raw: '16', round: 16, unknown: '1' },
        limitedBy: ['bounds', 'magic'],
        policyWeight: 300,
        fallback: { active: true },
      },
    },
    expected: { decision: { stages: { raw: '16' } } },
  },
  { name: 'a decision that is none', raw: { decision: 'Tracking' }, expected: {} },
  { name: 'stages that are none', raw: { decision: { stages: '16' } }, expected: { decision: {} } },
  {
    name: 'a metric without a time',
    raw: { metric: { value: '1', at: 'now', query: 'load' } },
    expected: {},
  },
  {
    name: 'a change whose times cannot be read',
    raw: { change: { id: 'C1', status: 'PENDING', submittedAt: 5, polledAt: 'then' } },
    expected: { change: { id: 'C1', status: 'PENDING' } },
  },
  { name: 'a change without an id', raw: { change: { status: 'PENDING' } }, expected: {} },
  {
    name: 'conditions of which one is sound',
    raw: {
      conditions: [
        null,
        {
          type: 'Ready',
          status: 'Maybe',
          reason: 'R',
          message: 'm',
          lastTransitionTime: '2026-03-04T12:00:00Z',
        },
        { type: 'Ready', status: 'True', reason: 'R', message: 'm', lastTransitionTime: 'then' },
        {
          type: 'Ready',
          status: 'True',
          reason: 'R',
          message: 'm',
          lastTransitionTime: '2026-03-04T12:00:00Z',
        },
      ],
    },
    expected: {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'R',
          message: 'm',
          lastTransitionTime: '2026-03-04T12:00:00Z',
        },
      ],
    },
  },
];

describe('readRebalanceStatus', () => {
  for (const { name, raw, expected } of rows)
    it(`of ${name}`, () => assert.deepEqual(readRebalanceStatus(raw), expected));

  it('is none where it has more values than any status: each item of a list would be looked at', () => {
    const conditions = Array.from({ length: 2_000_000 }, () => ({}));
    assert.deepEqual(readRebalanceStatus({ actualValue: 8, conditions }), {});
  });

  it('reads back every field that an attempt wrote', () => {
    const spec = specOf({}, { onFailure: { threshold: 0, action: 'Weight', weight: 50 } });
    const several = observe({ spec: severalSpec(), set: severalOf([3, 0], 8) });
    const all = [observe(), observe({ spec, sample: FAILED }), several];
    for (const written of all.map((observation) => statusAfter(observation))) {
      const wire: unknown = JSON.parse(JSON.stringify(written));
      assert.deepEqual(readRebalanceStatus(wire), written);
      assert.equal(JSON.stringify(readRebalanceStatus(wire)), JSON.stringify(written));
    }
  });
});
