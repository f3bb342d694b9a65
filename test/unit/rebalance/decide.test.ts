import assert from 'node:assert/strict';
import { decide } from '../../../src/rebalance/decide.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { itDecides, left, none, stagesAt, write } from '../../support/decisions.ts';
import { NOON, observe, setOf, specOf, usable } from '../../support/rebalance.ts';

describe('decide', () => {
  it('gives 16 for the README example of the original, and all that there is to say about it', () => {
    assert.deepEqual(decide(observe()), {
      generation: 1,
      reason: 'Tracking',
      because: 'metric 3000 against target 1000 and base 8 asks for 16',
      stages: stagesAt('16'),
      limitedBy: [],
      held: undefined,
      metric: undefined,
      asks: [16],
      policyWeight: 16,
      history: {
        targetKey: '7a78d0e7cd79',
        shares: [{ atMs: NOON, share: 8 / 9, ttlMs: 60_000 }],
        reference: { weight: 8, changedAtMs: [], steeredGeneration: undefined },
        signals: [
          {
            name: undefined,
            queryKey: '652617b768f4',
            filter: undefined,
            lowSamples: 0,
            probe: { metric: 3000, share: 8 / 9, followed: 0 },
          },
        ],
      },
      behavior: undefined,
      contest: { isContested: false, status: undefined, edit: undefined },
      advice: [],
      fallback: undefined,
      desired: 16,
      split: [{ identifier: 'aws', weight: weight(16) }],
      effect: write(16),
      failures: 0,
    });
  });

  it('is a pure function: the same observation gives the same bytes', () => {
    const observation = observe({
      spec: specOf({ scheduled: [{ startTime: '11:00', endTime: '13:00', value: 20 }] }),
      status: left(1, 1, { policyWeight: 3 }),
    });
    assert.equal(JSON.stringify(decide(observation)), JSON.stringify(decide(observation)));
  });
});

describe('decide on a usable sample', () => {
  itDecides([
    {
      name: 'writes nothing when DNS holds what is wanted already',
      given: { set: setOf(16, 8) },
      expected: { desired: weight(16), effect: none('Unchanged'), reason: 'Tracking' },
    },
    {
      name: 'tells how a fraction was rounded',
      given: { sample: usable('1100') },
      expected: {
        desired: weight(1),
        because: 'metric 1100 against target 1000 and base 8 asks for 0.8, rounded to 1',
      },
    },
    {
      name: 'keeps the last weight within the tolerance, and says so',
      given: {
        spec: specOf({ tolerance: 0.05 }),
        status: left(16, 16, { policyWeight: 16 }),
        set: setOf(16, 8),
        sample: usable('3100'),
      },
      expected: {
        desired: weight(16),
        reason: 'WithinTolerance',
        because: 'metric 3100 is within tolerance 0.05 of what the weight balances: the policy stays at 16',
        limitedBy: ['tolerance'],
        effect: none('Unchanged'),
      },
    },
    {
      name: 'measures the tolerance from what DNS holds when somebody else changed it',
      given: {
        spec: specOf({ tolerance: 0.05 }),
        status: left(16, 16, { policyWeight: 16 }),
        set: setOf(30, 8),
        sample: usable('3100'),
      },
      expected: { desired: weight(17), reason: 'Tracking', limitedBy: [] },
    },
    {
      name: 'never lowers its own weight with disableScaleIn, and says so',
      given: {
        spec: specOf({ disableScaleIn: true }),
        status: left(16, 16, { policyWeight: 16 }),
        set: setOf(16, 8),
        sample: usable('1500'),
      },
      expected: {
        desired: weight(16),
        policyWeight: weight(16),
        reason: 'ScaleInDisabled',
        because:
          'metric 1500 against target 1000 and base 8 asks for 4; disableScaleIn is set: the policy stays at 16',
        limitedBy: ['scaleIn'],
      },
    },
    {
      name: 'disableScaleIn starts from DNS where the status knows no policy weight',
      given: { spec: specOf({ disableScaleIn: true }), set: setOf(40, 8), sample: usable('1500') },
      expected: { desired: weight(40), policyWeight: weight(40) },
    },
    {
      name: 'does not believe a policy weight that stands beside no actual value',
      given: {
        spec: specOf({ disableScaleIn: true }),
        status: { decision: { policyWeight: weight(200) } },
        set: setOf(40, 8),
        sample: usable('1500'),
      },
      expected: { desired: weight(40), policyWeight: weight(40) },
    },
    {
      name: 'keeps the policy weight as 255 where the law asks for more',
      given: { sample: usable('1e18') },
      expected: { policyWeight: weight(255), desired: weight(255), limitedBy: ['bounds'] },
    },
  ]);
});
