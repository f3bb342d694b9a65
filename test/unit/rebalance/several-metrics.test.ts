import assert from 'node:assert/strict';
import { decide } from '../../../src/rebalance/decide.ts';
import type { RebalanceSpec } from '../../../src/rebalance/spec.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { itDecides, type DecisionRow } from '../../support/decisions.ts';
import {
  ABSENT,
  attemptOf,
  FAILED,
  MINUTE,
  NOON,
  observe,
  setOf,
  specOf,
  statusAfter,
  usable,
} from '../../support/rebalance.ts';
import { takeAll, type Step } from '../../support/rebalance-fold.ts';

type Wire = Readonly<Record<string, unknown>>;

const query = (text: string, more: Wire = {}) => ({
  address: 'http://prometheus:9090',
  query: text,
  ...more,
});
const QUEUE = { name: 'queue', targetValue: 100, prometheus: query('queue') };
const CPU = { name: 'cpu', targetValue: 0.5, prometheus: query('cpu') };

/** The README example with two more metrics: a queue whose target is 100, and a CPU whose target is a half. */
function several(policy: Wire = {}, rest: Wire = {}): RebalanceSpec {
  return specOf(policy, { additionalMetrics: [QUEUE, CPU], ...rest });
}

const spec = several();
/** A status that says that we left 16, and wanted it. */
const at16 = {
  actualValue: weight(16),
  desiredValue: weight(16),
  decision: { policyWeight: weight(16), limitedBy: [] },
};

function rowsOf(title: string, rows: readonly DecisionRow[]): void {
  describe(title, () => itDecides(rows, { spec }));
}

describe('several metrics', () => {
  rowsOf('each with its own target', [
    {
      name: 'the one that asks for the largest weight counts, and is named',
      given: { additionalSamples: [usable('500'), usable('0.75')] },
      expected: {
        desired: weight(32),
        metric: 'queue',
        reason: 'Tracking',
        because:
          'metric "queue" 500 against target 100 and base 8 asks for 32; no other of 3 metrics asks for more',
        asks: [16, 32, 4],
        policyWeight: weight(32),
        limitedBy: [],
      },
    },
    {
      name: 'each says what it asks for before any bound, and nothing where it cannot be used',
      given: { additionalSamples: [usable('50000'), FAILED] },
      expected: { desired: weight(255), asks: [16, 3_992, undefined] },
    },
    {
      name: 'that of spec.metrics has no name',
      given: { additionalSamples: [usable('100'), usable('0.1')] },
      expected: {
        desired: weight(16),
        metric: undefined,
        because:
          'metric 3000 against target 1000 and base 8 asks for 16; no other of 3 metrics asks for more',
      },
    },
    {
      name: 'of two that end at the same weight the one whose law asks for more is named',
      given: { additionalSamples: [usable('290'), usable('1.495')] },
      expected: { desired: weight(16), metric: undefined },
    },
    {
      name: 'and where nothing tells them apart the first',
      given: { sample: usable('1000'), additionalSamples: [usable('300'), usable('1.5')] },
      expected: { desired: weight(16), metric: 'queue' },
    },
    {
      name: 'each is held against the tolerance by itself: what one keeps another may not lower',
      given: {
        spec: several({ tolerance: 0.05 }),
        set: setOf(16, 8),
        status: at16,
        sample: usable('3100'),
        additionalSamples: [usable('100'), usable('0.5')],
      },
      expected: {
        desired: weight(16),
        reason: 'WithinTolerance',
        metric: undefined,
        because:
          'metric 3100 is within tolerance 0.05 of what the weight balances: the policy stays at 16; no other of 3 metrics asks for more',
      },
    },
    {
      name: 'disableScaleIn keeps the largest',
      given: {
        spec: several({ disableScaleIn: true }),
        set: setOf(16, 8),
        status: at16,
        sample: usable('1000'),
        additionalSamples: [usable('200'), usable('0.1')],
      },
      expected: { desired: weight(16), reason: 'ScaleInDisabled', metric: 'queue' },
    },
  ]);

  rowsOf('one of which cannot be used', [
    {
      name: 'may rise all the same',
      given: { set: setOf(8, 8), additionalSamples: [FAILED, usable('0.1')] },
      expected: {
        desired: weight(16),
        reason: 'Tracking',
        held: undefined,
        because:
          'metric 3000 against target 1000 and base 8 asks for 16; no other of 2 metrics asks for more; metric "queue" cannot be used, as the metric failed (MetricTimeout)',
        limitedBy: [],
        failures: 0,
      },
    },
    {
      name: 'may not fall: the weight in force stays, by a stage of its own',
      given: { set: setOf(24, 8), additionalSamples: [usable('100'), ABSENT] },
      expected: {
        desired: weight(24),
        reason: 'HeldFromFall',
        held: undefined,
        because:
          'metric 3000 against target 1000 and base 8 asks for 16; no other of 2 metrics asks for more; metric "cpu" cannot be used, as the query gave no number (NoSeries); so the weight may not fall, and the policy stays at 24',
        stages: {
          raw: '16',
          tolerance: '16',
          round: '16',
          scaleIn: '16',
          hold: '24',
          bounds: '24',
          set: '24',
          write: '24',
        },
        limitedBy: ['hold'],
        policyWeight: weight(24),
      },
    },
    {
      name: 'may not fall from where it is on its way to what the tolerance keeps',
      given: {
        spec: several({ tolerance: 0.05 }),
        set: setOf(24, 8),
        status: { ...at16, actualValue: weight(24), desiredValue: weight(24) },
        sample: usable('3100'),
        additionalSamples: [usable('100'), ABSENT],
      },
      expected: {
        desired: weight(24),
        because:
          'metric 3100 is within tolerance 0.05 of what the weight balances: the policy stays at 16; no other of 2 metrics asks for more; metric "cpu" cannot be used, as the query gave no number (NoSeries); so the weight may not fall, and the policy stays at 24',
      },
    },
    {
      name: 'follows the others where it is that of spec.metrics',
      given: { sample: FAILED, additionalSamples: [usable('500'), usable('0.5')] },
      expected: {
        desired: weight(32),
        metric: 'queue',
        because:
          'metric "queue" 500 against target 100 and base 8 asks for 32; no other of 2 metrics asks for more; spec.metrics cannot be used, as the metric failed (MetricTimeout)',
        failures: 0,
      },
    },
    {
      name: 'says nothing of others where it alone is left',
      given: { sample: ABSENT, additionalSamples: [ABSENT, usable('1.5')] },
      expected: {
        desired: weight(16),
        metric: 'cpu',
        because:
          'metric "cpu" 1.5 against target 0.5 and base 8 asks for 16; spec.metrics cannot be used, as the query gave no number (NoSeries); metric "queue" cannot be used, as the query gave no number (NoSeries)',
      },
    },
    {
      name: 'lets a maximum lower the weight: bounds take no data',
      given: { spec: several({ maximum: 20 }), set: setOf(24, 8), additionalSamples: [FAILED, FAILED] },
      expected: { desired: weight(20), reason: 'AtMaximum', policyWeight: weight(24) },
    },
    {
      name: 'lets a dry run fall no further than the weight wanted before',
      given: {
        set: setOf(8, 8),
        status: { ...at16, actualValue: weight(8) },
        sample: usable('1000'),
        additionalSamples: [usable('200'), FAILED],
        writeForbidden: 'DryRun',
      },
      expected: { desired: weight(16), reason: 'HeldFromFall' },
    },
  ]);

  rowsOf('none of which can be used', [
    {
      name: 'hold the weight for the reason of the first',
      given: { set: setOf(24, 8), sample: ABSENT, additionalSamples: [FAILED, FAILED] },
      expected: {
        desired: weight(24),
        held: 'HeldWithoutData',
        metric: undefined,
        because: 'the query gave no number (NoSeries): the policy stays at 24',
        failures: 1,
      },
    },
    {
      name: 'count no failure where none failed',
      given: { sample: ABSENT, additionalSamples: [ABSENT, ABSENT], status: { failures: 2 } },
      expected: { held: 'HeldWithoutData', failures: 2 },
    },
    {
      name: 'for want of a base are held like one',
      given: {
        spec: several({ baseValue: undefined }),
        set: setOf(24, 8, 8),
        additionalSamples: [usable('1'), usable('1')],
      },
      expected: { desired: weight(24), held: 'ReferenceAmbiguous' },
    },
  ]);

  it('reach the fallback only when none can be used, and leave it when one can', () => {
    const onFailure = { threshold: 1, action: 'Weight', weight: 40 };
    const step = (sample: Step['sample'], ...additionalSamples: readonly Step['sample'][]): Step => ({
      spec: several({}, { onFailure }),
      sample,
      additionalSamples,
    });
    const blind = step(FAILED, FAILED, ABSENT);
    const partly = step(FAILED, usable('200'), FAILED);
    const taken = takeAll([partly, partly, partly, blind, blind, partly, partly]);
    assert.deepEqual(
      taken.map(({ after, decision }) => [after.own, decision?.failures, decision?.fallback?.active]),
      [
        [8, 0, false],
        [8, 0, false],
        [8, 0, false],
        [8, 1, false],
        [40, 2, true],
        [40, 0, true],
        // The way back takes no data: 8 is what the policy wanted before.
        [8, 0, false],
      ],
    );
  });

  it('do not lower a weight step by step that was on its way down when one was lost', () => {
    const slow = { decrease: { policies: [{ type: 'Weight', value: 4, periodSeconds: 60 }] } };
    const all: Step = {
      spec: several({}, { behavior: slow }),
      sample: usable('1000'),
      additionalSamples: [usable('100'), usable('0.5')],
    };
    const lost: Step = { ...all, additionalSamples: [usable('100'), ABSENT] };
    const taken = takeAll([all, lost, lost, all], { own: 32, others: [8], status: {}, nowMs: NOON });
    assert.deepEqual(
      taken.map(({ after }) => after.own),
      [28, 28, 28, 24],
    );
  });

  it('go back from a floor that ended, which takes no data, as far as the policy wanted, step by step', () => {
    const given: Step = {
      spec: several(
        { scheduled: [{ startTime: '11:00', endTime: '12:02', value: 40 }] },
        { behavior: { decrease: { policies: [{ type: 'Weight', value: 8, periodSeconds: 60 }] } } },
      ),
      sample: usable('3000'),
      additionalSamples: [usable('100'), usable('0.5')],
    };
    const lost: Step = { ...given, sample: usable('1000'), additionalSamples: [usable('100'), FAILED] };
    const taken = takeAll([given, lost, lost, lost, lost]);
    assert.deepEqual(
      taken.map(({ after, decision }) => [after.own, decision?.policyWeight]),
      [
        [40, 16],
        [32, 16],
        [24, 16],
        [16, 16],
        [16, 16],
      ],
    );
  });

  describe('that measure loads', () => {
    const loads = specOf(
      { signal: 'load', baseValue: 64 },
      {
        metrics: { prometheus: query('load', { window: '1m' }) },
        additionalMetrics: [{ ...QUEUE, prometheus: query('queue', { window: '5m' }) }],
      },
    );
    const given = { spec: loads, set: setOf(64, 64), sample: usable('1000') };

    it('are each estimated by their own window and remember their own filter', () => {
      const decision = decide(observe({ ...given, additionalSamples: [usable('150')] }));
      assert.deepEqual(
        decision.history.signals.map(({ name, filter }) => [name, filter?.slow]),
        [
          [undefined, 2000],
          ['queue', 300],
        ],
      );
      assert.equal(decision.metric, 'queue');
      assert.equal(
        decision.because,
        'demand 300 (metric "queue" 150 at a share of 50%) against target 100 and base 64 asks for 128; no other of 2 metrics asks for more',
      );
    });

    it('are held one by one: silence of one is no low load, and the other may raise the weight', () => {
      const first = observe({ ...given, sample: usable('500'), additionalSamples: [usable('150')] });
      const next = observe({
        ...given,
        status: statusAfter(first),
        set: setOf(128, 64),
        sample: usable('400'),
        additionalSamples: [usable('0')],
        nowMs: NOON + MINUTE,
      });
      const { reason, because, desired } = decide(next);
      assert.equal(desired, 128);
      assert.equal(reason, 'HeldFromFall');
      assert.match(because, /metric "queue" cannot be used, as the reference site shows next to no load/);
    });

    it('advise about a demand signal that follows the share, whichever it is', () => {
      const { history } = attemptOf(
        observe({ spec, additionalSamples: [usable('1'), usable('1')] }),
      ).decision;
      assert.deepEqual(
        history.signals.map(({ name, probe }) => [name, probe?.metric]),
        [
          [undefined, 3000],
          ['queue', 1],
          ['cpu', 1],
        ],
      );
    });
  });
});
