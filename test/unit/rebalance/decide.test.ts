import assert from 'node:assert/strict';
import { decide } from '../../../src/rebalance/decide.ts';
import { observe, statusAfter } from '../../support/rebalance.ts';

describe('decide', () => {
  it('gives 16 for the README example of the original: target 1000, base 8, metric 3000', () => {
    assert.deepEqual(decide(observe()), {
      generation: 1,
      reason: 'Tracking',
      because: 'metric 3000 against target 1000 and base 8 asks for 16',
      stages: {
        raw: '16',
        tolerance: '16',
        round: '16',
        scaleIn: '16',
        bounds: '16',
        set: '16',
        write: '16',
      },
      limitedBy: [],
      held: undefined,
      policyWeight: 16,
      fallback: undefined,
      desired: 16,
      effect: { kind: 'WriteWeight', weight: 16 },
      failures: 0,
    });
    assert.deepEqual(statusAfter(observe()), {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'Tracking',
          message: 'metric 3000 against target 1000 and base 8 asks for 16',
          lastTransitionTime: '2026-03-04T12:00:00Z',
          observedGeneration: 1,
        },
        {
          type: 'MetricAvailable',
          status: 'True',
          reason: 'Sampled',
          message: 'the query gave one finite number',
          lastTransitionTime: '2026-03-04T12:00:00Z',
          observedGeneration: 1,
        },
        {
          type: 'TargetSynced',
          status: 'True',
          reason: 'InSync',
          message: 'DNS holds weight 16',
          lastTransitionTime: '2026-03-04T12:00:00Z',
          observedGeneration: 1,
        },
        {
          type: 'SpecValid',
          status: 'True',
          reason: 'Valid',
          message: 'the spec was understood',
          lastTransitionTime: '2026-03-04T12:00:00Z',
          observedGeneration: 1,
        },
      ],
      condition: 'Healthy',
      actualValue: 16,
      desiredValue: 16,
      lastUpdateAt: '2026-03-04T12:00:00Z',
      lastAttemptAt: '2026-03-04T12:00:00Z',
      lastEvaluatedAt: '2026-03-04T12:00:00Z',
      failures: 0,
      metric: { value: '3000', at: '2026-03-04T12:00:00Z', query: 'scalar(load)' },
      decision: {
        generation: 1,
        reason: 'Tracking',
        because: 'metric 3000 against target 1000 and base 8 asks for 16',
        stages: {
          raw: '16',
          tolerance: '16',
          round: '16',
          scaleIn: '16',
          bounds: '16',
          set: '16',
          write: '16',
        },
        limitedBy: [],
        policyWeight: 16,
      },
      change: {
        id: 'C1',
        status: 'INSYNC',
        submittedAt: '2026-03-04T12:00:00Z',
        polledAt: '2026-03-04T12:00:00Z',
      },
    });
  });
});
