import assert from 'node:assert/strict';
import { decide } from '../../../src/rebalance/decide.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { itDecides, none, write } from '../../support/decisions.ts';
import { ABSENT, FAILED, NOON, observe, setOf, specOf, usable } from '../../support/rebalance.ts';

describe('decide within bounds', () => {
  itDecides([
    {
      name: 'caps a load of 1e9 at 255 (s7: the original wants 7,999,992)',
      given: { sample: usable('1e9') },
      expected: {
        desired: weight(255),
        reason: 'AtMaximum',
        because:
          'metric 1000000000 against target 1000 and base 8 asks for 7999992; the maximum lowers it to 255',
        limitedBy: ['bounds'],
        effect: write(255),
      },
    },
    {
      name: 'caps at maximum and keeps what the policy itself wants',
      given: { spec: specOf({ maximum: 10 }) },
      expected: { desired: weight(10), policyWeight: weight(16), reason: 'AtMaximum' },
    },
    {
      name: 'raises to minimum',
      given: { spec: specOf({ minimum: 5 }), sample: usable('900') },
      expected: {
        desired: weight(5),
        policyWeight: weight(0),
        reason: 'AtMinimum',
        because: 'metric 900 against target 1000 and base 8 asks for 0; the minimum raises it to 5',
      },
    },
    {
      name: 'raises to the highest active floor',
      given: {
        spec: specOf({
          minimum: 5,
          scheduled: [
            { startTime: '11:00', endTime: '13:00', value: 20 },
            { startTime: '12:00', endTime: '12:30', value: 30 },
            { startTime: '13:00', endTime: '14:00', value: 40 },
          ],
        }),
      },
      expected: {
        desired: weight(30),
        policyWeight: weight(16),
        reason: 'ScheduledFloor',
        because: 'metric 3000 against target 1000 and base 8 asks for 16; a scheduled floor raises it to 30',
        limitedBy: ['bounds'],
      },
    },
    {
      name: 'names the minimum when an active floor is lower',
      given: {
        spec: specOf({ minimum: 18, scheduled: [{ startTime: '11:00', endTime: '13:00', value: 17 }] }),
      },
      expected: { desired: weight(18), reason: 'AtMinimum' },
    },
    {
      name: 'names the minimum when an active floor is equal',
      given: {
        spec: specOf({ minimum: 18, scheduled: [{ startTime: '11:00', endTime: '13:00', value: 18 }] }),
      },
      expected: { desired: weight(18), reason: 'AtMinimum' },
    },
    {
      name: 'lets a floor move the weight without a sample, and says so',
      given: {
        spec: specOf({ scheduled: [{ startTime: '11:00', endTime: '13:00', value: 20 }] }),
        sample: ABSENT,
        set: setOf(4, 8),
      },
      expected: {
        desired: weight(20),
        policyWeight: weight(4),
        reason: 'ScheduledFloor',
        because:
          'the query gave no number (NoSeries): the policy stays at 4; a scheduled floor raises it to 20',
        limitedBy: ['bounds'],
        effect: write(20),
      },
    },
    {
      name: 'lets a maximum lower a held weight',
      given: { spec: specOf({ maximum: 3 }), sample: FAILED, set: setOf(4, 8) },
      expected: { desired: weight(3), reason: 'AtMaximum', held: 'HeldOnFailure', effect: write(3) },
    },
  ]);
});

describe('decide', () => {
  it('judges floors at the time of the attempt', () => {
    const spec = specOf({ scheduled: [{ startTime: '12:00', endTime: '12:01', value: 20 }] });
    const at = (nowMs: number) => decide(observe({ spec, nowMs })).desired;
    assert.deepEqual([at(NOON - 1), at(NOON), at(NOON + 59_999), at(NOON + 60_000)], [16, 20, 20, 16]);
  });
});

describe('decide where the set would become all zero', () => {
  itDecides([
    {
      name: 'keeps our weight when every other record has weight 0',
      given: { sample: usable('900'), set: setOf(7, 0, 0) },
      expected: {
        desired: weight(7),
        policyWeight: weight(0),
        reason: 'KeptFromAllZero',
        because:
          'metric 900 against target 1000 and base 8 asks for 0; every other record of the set has weight 0, so 7 is kept: all zero means an equal split',
        limitedBy: ['set'],
        effect: none('Unchanged'),
      },
    },
    {
      name: 'keeps our weight when there is no other record',
      given: { sample: usable('900'), set: setOf(7) },
      expected: { desired: weight(7), reason: 'KeptFromAllZero' },
    },
    {
      name: 'writes nothing when ours is 0 too, and says that this means an equal split',
      given: { sample: usable('900'), set: setOf(0, 0) },
      expected: {
        desired: weight(0),
        reason: 'SetAllZero',
        because:
          'metric 900 against target 1000 and base 8 asks for 0; every record of the set has weight 0: all zero means an equal split',
        limitedBy: [],
        effect: none('Unchanged'),
      },
    },
    {
      name: 'writes 0 when another record has a weight',
      given: { sample: usable('900'), set: setOf(7, 0, 1) },
      expected: { desired: weight(0), reason: 'Tracking', effect: write(0) },
    },
    {
      name: 'leaves an all-zero set when another weight is wanted',
      given: { set: setOf(0, 0) },
      expected: { desired: weight(16), effect: write(16) },
    },
    {
      name: 'a fallback weight of 0 is kept from it too',
      given: {
        spec: specOf({}, { onFailure: { threshold: 0, action: 'Weight', weight: 0 } }),
        sample: FAILED,
        set: setOf(7, 0),
      },
      expected: { desired: weight(7), reason: 'KeptFromAllZero', limitedBy: ['fallback', 'set'] },
    },
  ]);
});
