import type { RebalanceStatus } from '../../../src/rebalance/status.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { itDecides, left, none, write } from '../../support/decisions.ts';
import { ABSENT, FAILED, setOf, specOf } from '../../support/rebalance.ts';

describe('decide without a usable sample', () => {
  itDecides([
    {
      name: 'holds what DNS holds at the first attempt (s15: the original writes 0 for NaN or no series)',
      given: { sample: ABSENT, set: setOf(7, 8) },
      expected: {
        desired: weight(7),
        policyWeight: weight(7),
        held: 'HeldWithoutData',
        reason: 'HeldWithoutData',
        because: 'the query gave no number (NoSeries): the policy stays at 7',
        stages: { bounds: '7', set: '7', write: '7' },
        effect: none('Unchanged'),
        failures: 0,
      },
    },
    {
      name: 'holds on a failure, which it counts',
      given: { sample: FAILED, set: setOf(7, 8), status: left(7, 7, { policyWeight: 7 }, 1) },
      expected: {
        desired: weight(7),
        reason: 'HeldOnFailure',
        because: 'the metric failed (MetricTimeout): the policy stays at 7',
        failures: 2,
      },
    },
    {
      name: 'takes over what somebody else wrote instead of undoing it',
      given: { sample: ABSENT, set: setOf(30, 8), status: left(16, 16, { policyWeight: 16 }) },
      expected: { desired: weight(30), policyWeight: weight(30), effect: none('Unchanged') },
    },
    {
      name: 'remembers what the policy wanted below a floor, and goes back to it when the floor ends',
      given: {
        sample: ABSENT,
        set: setOf(20, 8),
        status: left(20, 20, { policyWeight: 3, limitedBy: ['bounds'], stages: { write: '20' } }),
      },
      expected: { desired: weight(3), policyWeight: weight(3), effect: write(3) },
    },
    {
      name: 'remembers it when the tolerance had bound too',
      given: {
        sample: ABSENT,
        set: setOf(20, 8),
        status: left(20, 20, { policyWeight: 3, limitedBy: ['tolerance', 'bounds'] }),
      },
      expected: { desired: weight(3), policyWeight: weight(3) },
    },
    {
      name: 'forgets it when the weight in force is not the one that was wanted',
      given: {
        sample: ABSENT,
        set: setOf(5, 8),
        status: left(5, 20, { policyWeight: 3, limitedBy: ['bounds'], stages: { write: '20' } }),
      },
      expected: { desired: weight(5), policyWeight: weight(5), effect: none('Unchanged') },
    },
    {
      name: 'forgets it when something else than bounds or fallback had limited it',
      given: {
        sample: ABSENT,
        set: setOf(20, 8),
        status: left(20, 20, { policyWeight: 3, limitedBy: ['set', 'tolerance', 'scaleIn'] }),
      },
      expected: { desired: weight(20), policyWeight: weight(20) },
    },
    {
      name: 'counts a limit that the status cannot tell as none',
      given: { sample: ABSENT, set: setOf(20, 8), status: left(20, 20, { policyWeight: 3 }) },
      expected: { desired: weight(20), policyWeight: weight(20) },
    },
  ]);
});

describe('decide onFailure', () => {
  const fallback = { onFailure: { threshold: 2, action: 'Weight', weight: 50 } };
  const active = (successes: number, failures: number): RebalanceStatus =>
    left(
      50,
      50,
      { policyWeight: 7, limitedBy: ['fallback'], fallback: { active: true, successes } },
      failures,
    );

  itDecides([
    {
      name: 'with action Hold never replaces anything, however many failures',
      given: { sample: FAILED, set: setOf(7, 8), status: left(7, 7, { policyWeight: 7 }, 900) },
      expected: { desired: weight(7), fallback: undefined, failures: 4 },
    },
    {
      name: 'holds as long as failures do not exceed the threshold',
      given: {
        spec: specOf({}, fallback),
        sample: FAILED,
        set: setOf(7, 8),
        status: left(7, 7, { policyWeight: 7 }, 1),
      },
      expected: {
        desired: weight(7),
        failures: 2,
        fallback: { active: false, successes: 0 },
        stages: { fallback: '7', bounds: '7', set: '7', write: '7' },
      },
    },
    {
      name: 'takes the fallback weight with the failure that exceeds the threshold',
      given: {
        spec: specOf({}, fallback),
        sample: FAILED,
        set: setOf(7, 8),
        status: left(7, 7, { policyWeight: 7, fallback: { active: false, successes: 0 } }, 2),
      },
      expected: {
        desired: weight(50),
        policyWeight: weight(7),
        reason: 'FallbackActive',
        because:
          'the metric failed (MetricTimeout): the policy stays at 7; the fallback weight 50 stands in for it',
        limitedBy: ['fallback'],
        fallback: { active: true, successes: 0 },
        failures: 3,
        effect: write(50),
      },
    },
    {
      name: 'stops counting at threshold + 1',
      given: { spec: specOf({}, fallback), sample: FAILED, set: setOf(50, 8), status: active(0, 3) },
      expected: { failures: 3, desired: weight(50), policyWeight: weight(7), effect: none('Unchanged') },
    },
    {
      name: 'keeps the fallback through one usable sample, so that a flapping metric is one write',
      given: { spec: specOf({}, fallback), set: setOf(50, 8), status: active(0, 3) },
      expected: {
        desired: weight(50),
        policyWeight: weight(16),
        reason: 'FallbackActive',
        fallback: { active: true, successes: 1 },
        failures: 0,
        effect: none('Unchanged'),
      },
    },
    {
      name: 'starts the row of usable samples anew after a failure',
      given: { spec: specOf({}, fallback), sample: FAILED, set: setOf(50, 8), status: active(2, 0) },
      expected: { desired: weight(50), fallback: { active: true, successes: 0 }, failures: 1 },
    },
    {
      name: 'is not moved by an absent sample, neither in nor out',
      given: { spec: specOf({}, fallback), sample: ABSENT, set: setOf(50, 8), status: active(2, 1) },
      expected: { desired: weight(50), fallback: { active: true, successes: 2 }, failures: 1 },
    },
    {
      name: 'leaves the fallback with the last of threshold + 1 usable samples',
      given: { spec: specOf({}, fallback), set: setOf(50, 8), status: active(2, 0) },
      expected: {
        desired: weight(16),
        reason: 'Tracking',
        fallback: { active: false, successes: 0 },
        limitedBy: [],
        effect: write(16),
      },
    },
    {
      name: 'with threshold 0 one failure is enough, and so is one usable sample',
      given: {
        spec: specOf({}, { onFailure: { threshold: 0, action: 'Weight', weight: 50 } }),
        sample: FAILED,
        set: setOf(7, 8),
      },
      expected: { desired: weight(50), failures: 1, fallback: { active: true, successes: 0 } },
    },
    {
      name: 'a fallback weight above the maximum is capped',
      given: {
        spec: specOf({ maximum: 40 }, fallback),
        sample: FAILED,
        set: setOf(7, 8),
        status: left(7, 7, { policyWeight: 7 }, 2),
      },
      expected: {
        desired: weight(40),
        reason: 'AtMaximum',
        because:
          'the metric failed (MetricTimeout): the policy stays at 7; the fallback weight 50 stands in for it; the maximum lowers it to 40',
        limitedBy: ['fallback', 'bounds'],
      },
    },
    {
      name: 'a fallback weight below a floor is raised',
      given: {
        spec: specOf({ minimum: 60, maximum: 90 }, fallback),
        sample: FAILED,
        set: setOf(99, 8),
        status: left(99, 99, { policyWeight: 99 }, 2),
      },
      expected: { desired: weight(60), reason: 'AtMinimum', limitedBy: ['fallback', 'bounds'] },
    },
    {
      name: 'a fallback that is switched off is gone at once',
      given: { sample: FAILED, set: setOf(50, 8), status: active(0, 3) },
      expected: { desired: weight(7), fallback: undefined, effect: write(7) },
    },
  ]);
});
