import assert from 'node:assert/strict';
import { describeAdvice } from '../../../src/rebalance/advice.ts';
import { decide, type Observation } from '../../../src/rebalance/decide.ts';
import { writeHistory } from '../../../src/rebalance/load/history-status.ts';
import { ADVICE_REASONS, type AdviceReason } from '../../../src/rebalance/reasons/advice.ts';
import type { RebalanceStatus } from '../../../src/rebalance/status.ts';
import type { WeightedRecord, WeightedSet } from '../../../src/rebalance/targets/port.ts';
import { conditionOf } from '../../support/conditions.ts';
import { FAILED, MINUTE, observe, setOf, specOf, statusAfter, usable } from '../../support/rebalance.ts';

const metrics = { prometheus: { address: 'http://p', query: 'load', window: '1m' } };
const load = (policy: Readonly<Record<string, unknown>> = {}) =>
  specOf({ signal: 'load', baseValue: 64, ...policy }, { metrics });

/** A set whose other records carry these fields. */
function othersWith(set: WeightedSet, fields: Partial<WeightedRecord>): WeightedSet {
  return { ...set, others: set.others.map((each) => ({ ...each, ...fields })) };
}

/** A demand signal that has followed the share three times: what a status remembers of it. */
function followed(): RebalanceStatus {
  const { history } = decide(observe());
  const probe = { metric: 3000, share: 8 / 9, followed: 3 };
  return {
    history: writeHistory({ ...history, signals: history.signals.map((signal) => ({ ...signal, probe })) }),
  };
}

const rows: readonly {
  readonly name: string;
  readonly given: Partial<Observation>;
  readonly advice: readonly AdviceReason[];
}[] = [
  { name: 'nothing of the README example', given: {}, advice: [] },
  {
    name: 'a demand signal that follows the share of the reference',
    given: { status: followed() },
    advice: ['SignalLooksLikeLoad'],
  },
  {
    name: 'a baseValue that is not the weight of the reference',
    given: { set: setOf(1, 16) },
    advice: ['BaseValueDiffers'],
  },
  {
    name: 'nothing of a baseValue in a set of several steered records, where each has a part',
    given: { set: setOf(1, 16, 4) },
    advice: [],
  },
  {
    name: 'a target that the maximum cannot reach',
    given: { spec: specOf({ maximum: 10 }) },
    advice: ['TargetOutOfReach'],
  },
  {
    name: 'an interval below half the TTL of a load that reacts',
    given: {
      spec: load(),
      set: othersWith(setOf(64, 64), { ttlSeconds: 300 }),
      sample: usable('1500'),
      intervalMs: MINUTE,
    },
    advice: ['IntervalBelowTtl'],
  },
  {
    name: 'nothing of the interval of a demand, which no weight changes',
    given: { set: othersWith(setOf(1, 8), { ttlSeconds: 300 }) },
    advice: [],
  },
  {
    name: 'a step of the weight that is coarser than the tolerance',
    given: { spec: load({ tolerance: 0.001 }), set: setOf(64, 64), sample: usable('1500') },
    advice: ['StepCoarserThanTolerance'],
  },
  {
    name: 'disableScaleIn without an increase window',
    given: {
      spec: specOf({ disableScaleIn: true }, { behavior: { decrease: { stabilizationWindowSeconds: 300 } } }),
    },
    advice: ['DisableScaleInWithoutWindow'],
  },
  {
    name: 'nothing of disableScaleIn with one',
    given: {
      spec: specOf({ disableScaleIn: true }, { behavior: { increase: { stabilizationWindowSeconds: 300 } } }),
    },
    advice: [],
  },
  {
    name: 'alias records among plain ones',
    given: { set: othersWith(setOf(1, 8), { ttlSeconds: undefined }) },
    advice: ['AliasMixed'],
  },
  {
    name: 'siblings with health checks',
    given: { set: othersWith(setOf(1, 8), { healthChecked: true }) },
    advice: ['SiblingsHealthChecked'],
  },
  {
    name: 'several things at once, the most telling first',
    given: { set: othersWith(setOf(1, 16), { healthChecked: true }), spec: specOf({ maximum: 1 }) },
    advice: ['BaseValueDiffers', 'TargetOutOfReach', 'SiblingsHealthChecked'],
  },
];

describe('number 10: advice on a configuration', () => {
  for (const { name, given, advice } of rows) {
    it(`names ${name}`, () => assert.deepEqual(decide(observe(given)).advice, advice));
  }

  it('stands in ConfigurationAdvice with each reason and what to do', () => {
    const status = statusAfter(observe({ set: othersWith(setOf(1, 16), { healthChecked: true }) }));
    const condition = conditionOf(status, 'ConfigurationAdvice');
    assert.equal(condition.status, 'True');
    assert.equal(condition.reason, 'BaseValueDiffers');
    assert.equal(
      condition.message,
      `BaseValueDiffers: ${ADVICE_REASONS.BaseValueDiffers}; SiblingsHealthChecked: ${ADVICE_REASONS.SiblingsHealthChecked}`,
    );
  });
  it('is gone with its cause', () => {
    const { conditions = [] } = statusAfter(observe({ status: statusAfter(observe({ set: setOf(1, 16) })) }));
    assert.equal(
      conditions.find(({ type }) => type === 'ConfigurationAdvice'),
      undefined,
    );
  });
  it('says nothing of nothing', () => assert.equal(describeAdvice([]), ''));
  it('needs no sample', () =>
    assert.deepEqual(decide(observe({ set: setOf(1, 16), sample: FAILED })).advice, ['BaseValueDiffers']));
});
