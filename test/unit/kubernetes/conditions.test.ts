import assert from 'node:assert/strict';
import { nextConditions, readConditions, type Condition } from '../../../src/kubernetes/conditions.ts';

const EARLIER = '2026-11-30T12:00:00Z';
const NOW_MS = Date.parse('2026-11-30T15:00:00Z');
const ready: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'InSync',
  message: 'weight is 16',
  lastTransitionTime: EARLIER,
};

describe('the next conditions', () => {
  it('keep the time of the last transition while the status stays, though reason and message change', () => {
    const claim = { type: 'Ready', status: 'True', reason: 'DryRun', message: 'weight would be 17' } as const;
    assert.deepEqual(nextConditions([ready], [claim], NOW_MS), [{ ...claim, lastTransitionTime: EARLIER }]);
  });
  it('take the time of now when the status changes', () => {
    const claim = { type: 'Ready', status: 'False', reason: 'Throttled', message: 'held' } as const;
    assert.deepEqual(nextConditions([ready], [claim], NOW_MS), [
      { ...claim, lastTransitionTime: '2026-11-30T15:00:00Z' },
    ]);
  });
  it('stand in the order claimed, carry their generation, and drop what is not claimed again', () => {
    const first = {
      type: 'SpecValid',
      status: 'True',
      reason: 'Valid',
      message: 'ok',
      observedGeneration: 3,
    } as const;
    const next = nextConditions([ready], [first], NOW_MS);
    assert.deepEqual(next, [{ ...first, lastTransitionTime: '2026-11-30T15:00:00Z' }]);
  });
});

describe('conditions as observed', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['no list', { type: 'Ready' }],
    ['nothing', undefined],
    ['a text', ['Ready']],
    ['one without a type', [{ ...ready, type: 1 }]],
    ['one whose status is no status', [{ ...ready, status: 'true' }]],
    ['one without a reason', [{ ...ready, reason: undefined }]],
    ['one without a message', [{ ...ready, message: null }]],
    ['one without a time', [{ ...ready, lastTransitionTime: 5 }]],
    ['one whose time is none', [{ ...ready, lastTransitionTime: '2026-13-45T00:00:00Z' }]],
  ];
  for (const [name, raw] of rows) {
    it(`leave out ${name}`, () => {
      assert.deepEqual(readConditions(raw), []);
    });
  }
  it('keep every status that there is', () => {
    const all = (['True', 'False', 'Unknown'] as const).map((status) => ({ ...ready, status }));
    assert.deepEqual(readConditions(all), all);
  });
});
