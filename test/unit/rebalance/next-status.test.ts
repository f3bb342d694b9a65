import assert from 'node:assert/strict';
import { nextStatus } from '../../../src/rebalance/next-status.ts';
import { conditionOf, conditionsOf } from '../../support/conditions.ts';
import { stagesAt } from '../../support/decisions.ts';
import {
  afterAttempt,
  attemptOf,
  FAILED,
  NOON,
  observe,
  setOf,
  statusAfter,
  usable,
} from '../../support/rebalance.ts';

const settled = statusAfter(observe());

describe('the next status', () => {
  it('is the whole status of the README example, in a fixed order of fields', () => {
    assert.deepEqual(Object.keys(settled), [
      'conditions',
      'condition',
      'actualValue',
      'desiredValue',
      'lastUpdateAt',
      'lastAttemptAt',
      'lastEvaluatedAt',
      'failures',
      'metric',
      'decision',
      'change',
      'history',
    ]);
    assert.deepEqual(settled.decision, {
      generation: 1,
      reason: 'Tracking',
      because: 'metric 3000 against target 1000 and base 8 asks for 16',
      stages: stagesAt('16'),
      limitedBy: [],
      policyWeight: 16,
    });
  });

  it('is byte-equal for the same input at the same time', () => {
    const once = JSON.stringify(afterAttempt(attemptOf(observe()), settled));
    assert.equal(once, JSON.stringify(afterAttempt(attemptOf(observe()), settled)));
    assert.doesNotMatch(once, /NaN|Infinity|null/);
  });

  it('moves lastTransitionTime only with the status of a condition', () => {
    const first = afterAttempt(attemptOf(observe({ set: setOf(16, 8) })), settled);
    assert.equal(conditionOf(first, 'Ready').lastTransitionTime, '2026-03-04T12:00:00Z');
    const failed = afterAttempt(attemptOf(observe({ sample: FAILED })), first, { minutes: 2 });
    assert.equal(conditionOf(failed, 'Ready').lastTransitionTime, '2026-03-04T12:02:00Z');
    assert.equal(conditionOf(failed, 'SpecValid').lastTransitionTime, '2026-03-04T12:00:00Z');
  });

  it('lets each condition say which generation it is about', () => {
    const suspended = afterAttempt({ kind: 'Suspended' }, settled, { generation: 2 });
    assert.deepEqual(
      suspended.conditions?.map(({ type, observedGeneration }) => `${type} ${observedGeneration ?? '-'}`),
      ['Ready 2', 'MetricAvailable 1', 'TargetSynced 1', 'SpecValid 2'],
    );
  });

  it('carries notices after the other conditions, and drops them when they are no longer true', () => {
    const notice = {
      type: 'IntervalRaised',
      status: 'True',
      reason: 'BelowMinInterval',
      message: 'raised',
    } as const;
    const noticed = nextStatus({
      previous: {},
      generation: 1,
      attempt: attemptOf(observe()),
      notices: [notice],
      nowMs: NOON,
    });
    assert.deepEqual(noticed.conditions?.at(-1), {
      ...notice,
      lastTransitionTime: '2026-03-04T12:00:00Z',
      observedGeneration: 1,
    });
    assert.doesNotMatch(
      conditionsOf(afterAttempt(attemptOf(observe()), noticed)).join(' '),
      /IntervalRaised/,
    );
  });

  it('shows the first problems of a spec and counts the rest', () => {
    const problems = [1, 2, 3, 4, 5, 6, 7].map((n) => ({ path: `spec.f${n}`, message: 'is required' }));
    assert.equal(
      conditionOf(afterAttempt({ kind: 'InvalidSpec', problems }), 'SpecValid').message,
      'spec.f1: is required; spec.f2: is required; spec.f3: is required; spec.f4: is required; spec.f5: is required and 2 more',
    );
  });

  it('keeps the number of a sample in its shortest form, never as NaN or an infinity', () => {
    const valueOf = (text: string) =>
      afterAttempt(attemptOf(observe({ sample: usable(text) }))).metric?.value;
    assert.deepEqual(
      ['3000', '3000.0', '1e+06', '0.10', '1e-7', '-0', '1.7976931348623157e+308', '1e999'].map(valueOf),
      ['3000', '3000', '1000000', '0.1', '1e-7', '0', '1.7976931348623157e+308', '1e+999'],
    );
  });
});
