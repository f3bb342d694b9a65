import assert from 'node:assert/strict';
import type { RebalanceSpec } from '../../../src/rebalance/spec.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { itDecides, stagesAt, type DecisionRow } from '../../support/decisions.ts';
import { ABSENT, FAILED, NOON, setOf, specOf, usable } from '../../support/rebalance.ts';
import { takeAll, type Step } from '../../support/rebalance-fold.ts';

type Wire = Readonly<Record<string, unknown>>;

const guard = (name: string, stops: string) => ({
  name,
  stops,
  prometheus: { address: 'http://prometheus:9090', query: name },
});

/** The README example with guards. */
function guarded(policy: Wire, ...guards: readonly Wire[]): RebalanceSpec {
  return specOf(policy, { guards });
}

const increase = guarded({}, guard('errors', 'Increase'));
const decrease = guarded({}, guard('calm', 'Decrease'));
const both = guarded({}, guard('fresh', 'Both'));

const rows: readonly DecisionRow[] = [
  {
    name: 'above 0 lets the weight move',
    given: { spec: both, guardSamples: [usable('0.0001')] },
    expected: { desired: weight(16), reason: 'Tracking', limitedBy: [] },
  },
  {
    name: 'at 0 stops the increase; the policy keeps what it wants',
    given: { spec: increase, guardSamples: [usable('0')] },
    expected: {
      desired: weight(1),
      reason: 'GuardStopped',
      because:
        'metric 3000 against target 1000 and base 8 asks for 16; guard "errors" is not above 0: the weight goes no further than 1',
      stages: { ...stagesAt('16'), guards: '1', set: '1', write: '1' },
      limitedBy: ['guards'],
      policyWeight: weight(16),
      effect: { kind: 'None', because: 'Unchanged' },
    },
  },
  {
    name: 'of Increase lets the weight fall',
    given: { spec: increase, set: setOf(24, 8), guardSamples: [usable('-5')] },
    expected: { desired: weight(16), reason: 'Tracking' },
  },
  {
    name: 'of Decrease stops a fall',
    given: { spec: decrease, set: setOf(24, 8), guardSamples: [usable('-5')] },
    expected: { desired: weight(24), reason: 'GuardStopped', policyWeight: weight(16) },
  },
  {
    name: 'of Decrease lets the weight rise',
    given: { spec: decrease, guardSamples: [usable('-5')] },
    expected: { desired: weight(16), reason: 'Tracking' },
  },
  {
    name: 'of Both stops a fall as well',
    given: { spec: both, set: setOf(24, 8), guardSamples: [usable('-5')] },
    expected: { desired: weight(24), reason: 'GuardStopped' },
  },
  {
    name: 'that gives no number stops, and is no failure',
    given: { spec: both, guardSamples: [ABSENT] },
    expected: {
      desired: weight(1),
      reason: 'GuardStopped',
      because:
        'metric 3000 against target 1000 and base 8 asks for 16; guard "fresh" cannot be read (NoSeries): the weight goes no further than 1',
      failures: 0,
    },
  },
  {
    name: 'that fails stops, and counts towards no fallback',
    given: { spec: both, guardSamples: [FAILED], status: { failures: 2 } },
    expected: { desired: weight(1), reason: 'GuardStopped', failures: 0 },
  },
  {
    name: 'stops nothing where nothing moves',
    given: { spec: both, set: setOf(16, 8), guardSamples: [usable('0')] },
    expected: { desired: weight(16), reason: 'Tracking', limitedBy: [] },
  },
  {
    name: 'is named beside the others that stop the same way, and only those',
    given: {
      spec: guarded({}, guard('errors', 'Increase'), guard('calm', 'Decrease'), guard('fresh', 'Both')),
      guardSamples: [usable('0'), usable('0'), FAILED],
    },
    expected: {
      desired: weight(1),
      because:
        'metric 3000 against target 1000 and base 8 asks for 16; guard "errors" is not above 0, guard "fresh" cannot be read (MetricTimeout): the weight goes no further than 1',
    },
  },
  {
    name: 'does not stop the way up to the minimum, but further',
    given: { spec: guarded({ minimum: 5 }, guard('errors', 'Both')), guardSamples: [usable('0')] },
    expected: { desired: weight(5), reason: 'GuardStopped', policyWeight: weight(16) },
  },
  {
    name: 'does not stop the way down to the maximum, but further',
    given: {
      spec: guarded({ maximum: 20 }, guard('calm', 'Both')),
      set: setOf(30, 8),
      guardSamples: [usable('0')],
    },
    expected: { desired: weight(20), reason: 'GuardStopped', limitedBy: ['guards'] },
  },
  {
    name: 'does not stop a scheduled floor',
    given: {
      spec: guarded(
        { scheduled: [{ startTime: '11:00', endTime: '13:00', value: 30 }] },
        guard('errors', 'Both'),
      ),
      guardSamples: [FAILED],
    },
    expected: { desired: weight(30), reason: 'ScheduledFloor' },
  },
  {
    name: 'does not stop the fallback',
    given: {
      spec: specOf(
        {},
        { guards: [guard('fresh', 'Both')], onFailure: { threshold: 0, action: 'Weight', weight: 40 } },
      ),
      sample: FAILED,
      guardSamples: [FAILED],
    },
    expected: { desired: weight(40), reason: 'FallbackActive' },
  },
  {
    name: 'in a dry run stops the weight that is wanted',
    given: {
      spec: increase,
      status: { actualValue: weight(1), desiredValue: weight(12), decision: { policyWeight: weight(12) } },
      guardSamples: [usable('0')],
      writeForbidden: 'DryRun',
    },
    expected: { desired: weight(12), reason: 'GuardStopped' },
  },
  {
    name: 'does not take a set to zero that would be all zero',
    given: { spec: increase, set: setOf(1, 0), sample: usable('0'), guardSamples: [usable('0')] },
    expected: { desired: weight(1), reason: 'KeptFromAllZero' },
  },
];

describe('a guard', () => {
  itDecides(rows);

  const open = [usable('1')];
  const closed = [usable('0')];

  it('that opens lets a weight go on at the next sample, not without one', () => {
    const step = { spec: both, sample: usable('3000'), guardSamples: closed };
    const blind = { ...step, sample: ABSENT, guardSamples: open };
    const taken = takeAll([step, blind, { ...step, guardSamples: open }]);
    assert.deepEqual(
      taken.map(({ after, decision }) => [after.own, decision?.policyWeight]),
      [
        [1, 16],
        [1, 1],
        [16, 16],
      ],
    );
  });

  it('stops the way back from the fallback, for as long as it is closed, and then lets it go without a sample', () => {
    const spec = specOf(
      {},
      { guards: [guard('fresh', 'Both')], onFailure: { threshold: 0, action: 'Weight', weight: 40 } },
    );
    const step = (sample: Step['sample'], guardSamples: Step['guardSamples']): Step => ({
      spec,
      sample,
      guardSamples: guardSamples ?? [],
    });
    const taken = takeAll([
      step(usable('3000'), open),
      step(FAILED, closed),
      step(usable('3000'), closed),
      step(usable('3000'), open),
    ]);
    assert.deepEqual(
      taken.map(({ after, decision }) => [after.own, decision?.reason]),
      [
        [16, 'Tracking'],
        [40, 'FallbackActive'],
        [40, 'GuardStopped'],
        [16, 'Tracking'],
      ],
    );
  });

  it('lets the way back from a floor go on without a sample, as it began', () => {
    const spec = guarded(
      { scheduled: [{ startTime: '11:00', endTime: '12:02', value: 40 }] },
      guard('calm', 'Decrease'),
    );
    const step = (sample: Step['sample'], guardSamples: readonly Step['sample'][]): Step => ({
      spec,
      sample,
      guardSamples,
    });
    const taken = takeAll([
      step(usable('3000'), open),
      step(ABSENT, closed),
      step(ABSENT, closed),
      step(ABSENT, open),
    ]);
    assert.deepEqual(
      taken.map(({ after }) => after.own),
      [40, 40, 40, 16],
    );
  });

  it('keeps disableScaleIn from keeping a peak that it did not let through', () => {
    const spec = guarded({ disableScaleIn: true }, guard('errors', 'Increase'));
    const peak: Step = { spec, sample: usable('20000'), guardSamples: closed };
    const taken = takeAll(
      [
        { ...peak, sample: usable('2000'), guardSamples: open },
        peak,
        { ...peak, sample: usable('2500'), guardSamples: open },
      ],
      { own: 1, others: [8], status: {}, nowMs: NOON },
    );
    assert.deepEqual(
      taken.map(({ after, decision }) => [after.own, decision?.policyWeight]),
      [
        [8, 8],
        [8, 8],
        [12, 12],
      ],
    );
  });
});
