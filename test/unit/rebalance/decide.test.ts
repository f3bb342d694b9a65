import assert from 'node:assert/strict';
import { decide, writeForbiddenBy, type Observation } from '../../../src/rebalance/decide.ts';
import type { Decision } from '../../../src/rebalance/decision.ts';
import type { RebalanceStatus } from '../../../src/rebalance/status.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { ABSENT, FAILED, NOON, observe, setOf, specOf, usable } from '../../support/rebalance.ts';

interface Row {
  readonly name: string;
  readonly given: Partial<Observation>;
  readonly expected: Partial<Decision>;
}

/** A status as the last attempt left it: DNS at `actual`, `desired` wanted, p at `policyWeight`. */
function left(
  actual: number,
  desired: number,
  decision: Readonly<{ policyWeight?: number }> &
    Omit<NonNullable<RebalanceStatus['decision']>, 'policyWeight'>,
  failures = 0,
): RebalanceStatus {
  const { policyWeight, ...rest } = decision;
  return {
    actualValue: weight(actual),
    desiredValue: weight(desired),
    failures,
    decision: { ...rest, ...(policyWeight === undefined ? {} : { policyWeight: weight(policyWeight) }) },
  };
}

function rowsOf(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    for (const { name, given, expected } of rows) {
      it(name, () => {
        const decision = decide(observe(given));
        const picked = Object.fromEntries(
          Object.keys(expected).map((key) => [key, decision[key as keyof Decision]]),
        );
        assert.deepEqual(picked, expected);
      });
    }
  });
}

const write = (value: number) =>
  ({
    kind: 'WriteWeight',
    weight: weight(value),
    records: [{ identifier: 'aws', weight: weight(value) }],
  }) as const;
const none = (because: 'Unchanged' | 'DryRun' | 'ObserveOnly') => ({ kind: 'None', because }) as const;

describe('decide', () => {
  it('gives 16 for the README example of the original, and all that there is to say about it', () => {
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
      metric: undefined,
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

  rowsOf('on a usable sample', [
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

  rowsOf('within bounds', [
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

  rowsOf('without a usable sample', [
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

  const fallback = { onFailure: { threshold: 2, action: 'Weight', weight: 50 } };
  const active = (successes: number, failures: number): RebalanceStatus =>
    left(
      50,
      50,
      { policyWeight: 7, limitedBy: ['fallback'], fallback: { active: true, successes } },
      failures,
    );

  rowsOf('onFailure', [
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

  rowsOf('without baseValue', [
    {
      name: 'takes the weight of the only other record as the base',
      given: { spec: specOf({ baseValue: undefined }), set: setOf(1, 10) },
      expected: {
        desired: weight(20),
        because: 'metric 3000 against target 1000 and base 10 asks for 20',
      },
    },
    {
      name: 'takes the record that reference names out of many',
      given: { spec: withReference('other2'), set: setOf(1, 10, 20, 30) },
      expected: { desired: weight(40) },
    },
    {
      name: 'holds when the named record is not in the set',
      given: { spec: withReference('gone'), set: setOf(7, 10, 20) },
      expected: {
        desired: weight(7),
        held: 'ReferenceNotFound',
        reason: 'ReferenceNotFound',
        because: 'the set has no reference record "gone": the policy stays at 7',
        effect: none('Unchanged'),
        failures: 0,
      },
    },
    {
      name: 'holds when there is no other record',
      given: { spec: specOf({ baseValue: undefined }), set: setOf(7) },
      expected: {
        desired: weight(7),
        reason: 'ReferenceAmbiguous',
        because:
          'the set has 0 other records, and neither reference nor baseValue says which counts: the policy stays at 7',
      },
    },
    {
      name: 'holds when there are several and none is named',
      given: { spec: specOf({ baseValue: undefined }), set: setOf(7, 10, 20) },
      expected: { desired: weight(7), held: 'ReferenceAmbiguous' },
    },
    {
      name: 'holds when the reference has weight 0',
      given: { spec: specOf({ baseValue: undefined }), set: setOf(7, 0) },
      expected: {
        desired: weight(7),
        reason: 'ReferenceDrained',
        because: 'the reference record "onprem" has weight 0: the policy stays at 7',
      },
    },
    {
      name: 'never looks at the reference where baseValue is given',
      given: { set: setOf(7, 0, 0, 3) },
      expected: { desired: weight(16), reason: 'Tracking' },
    },
    {
      name: 'still honours a floor while it holds',
      given: { spec: specOf({ baseValue: undefined, minimum: 9 }), set: setOf(7, 0) },
      expected: { desired: weight(9), held: 'ReferenceDrained', reason: 'AtMinimum' },
    },
  ]);

  rowsOf('where the set would become all zero', [
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

  rowsOf('in a dry run', [
    {
      name: 'says what would be written, and writes nothing',
      given: { writeForbidden: 'DryRun' },
      expected: {
        desired: weight(16),
        effect: none('DryRun'),
        stages: {
          raw: '16',
          tolerance: '16',
          round: '16',
          scaleIn: '16',
          bounds: '16',
          set: '16',
          write: '1',
        },
      },
    },
    {
      name: 'names --observe-only where that forbids it',
      given: { writeForbidden: 'ObserveOnly' },
      expected: { desired: weight(16), effect: none('ObserveOnly') },
    },
    {
      name: 'that wants what DNS holds is unchanged, not dry',
      given: { writeForbidden: 'DryRun', set: setOf(16, 8) },
      expected: { effect: none('Unchanged') },
    },
    {
      name: 'holds the weight that it would have written, not the one in DNS',
      given: {
        writeForbidden: 'DryRun',
        sample: ABSENT,
        status: left(1, 16, { policyWeight: 16, stages: { write: '1' } }),
      },
      expected: { desired: weight(16), policyWeight: weight(16) },
    },
    {
      name: 'holds what DNS holds where it has wanted nothing yet',
      given: { writeForbidden: 'DryRun', sample: ABSENT },
      expected: { desired: weight(1), policyWeight: weight(1) },
    },
    {
      name: 'keeps what it held when somebody else changes DNS and there is no sample',
      given: {
        writeForbidden: 'DryRun',
        sample: ABSENT,
        set: setOf(40, 8),
        status: left(1, 16, { policyWeight: 3, limitedBy: ['bounds'], stages: { write: '1' } }),
      },
      expected: { desired: weight(16), policyWeight: weight(16) },
    },
    {
      name: 'that is switched off starts from DNS',
      given: {
        spec: specOf({ disableScaleIn: true }),
        sample: usable('1500'),
        status: left(1, 100, { policyWeight: 100, stages: { write: '1' } }),
      },
      expected: { desired: weight(4), policyWeight: weight(4), effect: write(4) },
    },
    {
      name: 'that wanted what DNS held may be trusted when it is switched off',
      given: {
        spec: specOf({ disableScaleIn: true }),
        sample: usable('1500'),
        set: setOf(20, 8),
        status: left(20, 20, { policyWeight: 20, stages: { write: '20' } }),
      },
      expected: { desired: weight(20), policyWeight: weight(20) },
    },
  ]);

  it('is forbidden to write by dryRun first, then by --observe-only', () => {
    assert.equal(writeForbiddenBy({ dryRun: true }, true), 'DryRun');
    assert.equal(writeForbiddenBy({ dryRun: false }, true), 'ObserveOnly');
    assert.equal(writeForbiddenBy({ dryRun: false }, false), undefined);
  });

  it('judges floors at the time of the attempt', () => {
    const spec = specOf({ scheduled: [{ startTime: '12:00', endTime: '12:01', value: 20 }] });
    const at = (nowMs: number) => decide(observe({ spec, nowMs })).desired;
    assert.deepEqual([at(NOON - 1), at(NOON), at(NOON + 59_999), at(NOON + 60_000)], [16, 20, 20, 16]);
  });
});

function withReference(reference: string) {
  const base = specOf({ baseValue: undefined });
  return { ...base, target: { ...base.target, reference } };
}

describe('decide with signal load', () => {
  const metrics = { prometheus: { address: 'http://p', query: 'load', window: '1m' } };
  const loaded = (parts: Partial<Observation> = {}): Decision =>
    decide(
      observe({
        spec: specOf({ signal: 'load' }, { metrics }),
        set: setOf(64, 64),
        sample: usable('1500'),
        ...parts,
      }),
    );

  it('acts on the demand that the load was a share of, and tells both', () => {
    const decision = loaded();
    assert.equal(
      decision.because,
      'demand 3000 (metric 1500 at a share of 50%) against target 1000 and base 64 asks for 128',
    );
    assert.equal(decision.stages.demand, '3000');
    assert.equal(decision.desired, 128);
  });
  it('takes the weight of the reference as read, not baseValue, where there is but one other record', () => {
    const spec = specOf({ signal: 'load', baseValue: 8 }, { metrics });
    assert.equal(loaded({ spec }).desired, 128);
  });
  it('takes baseValue, its part of the reference, in a set of several steered records', () => {
    const target = {
      route53: {
        hostedZoneID: 'Z1',
        resource: { name: 'example.com', type: 'A', identifier: 'aws' },
        reference: 'onprem',
      },
    };
    const spec = specOf({ signal: 'load', baseValue: 32 }, { metrics, target });
    assert.equal(loaded({ spec, set: setOf(32, 64, 32) }).desired, 64);
  });
  it('rounds to the nearest weight: an estimate is not on the safe side of anything', () =>
    assert.equal(loaded({ sample: usable('1503'), set: setOf(64, 64) }).desired, 128));
  it('keeps the weight within half a step, however small the tolerance', () => {
    const spec = specOf({ signal: 'load', tolerance: 0 }, { metrics });
    const decision = loaded({ spec, set: setOf(128, 64), sample: usable('1002') });
    assert.equal(decision.reason, 'WithinTolerance');
    assert.equal(
      decision.because,
      'demand 3006 (metric 1002 at a share of 33.3%) is within tolerance 0.002604 of what the weight balances: the policy stays at 128',
    );
  });
  it('keeps the weight within the default tolerance of 5%', () =>
    assert.equal(loaded({ set: setOf(128, 64), sample: usable('1040') }).reason, 'WithinTolerance'));
  it('holds on silence, which may be an outage', () => {
    const decision = loaded({ sample: usable('0') });
    assert.deepEqual([decision.reason, decision.desired], ['ReferenceSilent', 64]);
  });
});
