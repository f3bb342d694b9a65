import assert from 'node:assert/strict';
import { err, ok } from '../../../src/foundation/result.ts';
import type { Outcome } from '../../../src/rebalance/decision.ts';
import { statusAfterPoll } from '../../../src/rebalance/next-status.ts';
import type { RebalanceStatus } from '../../../src/rebalance/status.ts';
import type { TargetFailure } from '../../../src/rebalance/targets/port.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { conditionOf } from '../../support/conditions.ts';
import { NOON, observe, setOf, statusAfter, usable } from '../../support/rebalance.ts';

const THROTTLED: TargetFailure = {
  reason: 'Throttled',
  message: 'Route 53 limits the requests of the account',
  outcomeUnknown: false,
};

describe('the status after a poll', () => {
  const outcome: Outcome = {
    kind: 'Accepted',
    weight: weight(16),
    records: [{ identifier: 'aws', weight: weight(16) }],
    change: { id: 'C1', status: 'PENDING' },
  };
  const pending = statusAfter(observe(), outcome);
  const laterMs = NOON + 10_000;
  const changed = { submittedAt: '2026-03-04T12:00:00Z', polledAt: '2026-03-04T12:00:10Z' };

  it('of a change that is everywhere is in sync, and nothing else moves', () => {
    const status = statusAfterPoll(pending, ok({ id: 'C1', status: 'INSYNC' }), laterMs);
    assert.deepEqual(status.change, { id: 'C1', status: 'INSYNC', ...changed });
    assert.deepEqual(conditionOf(status, 'TargetSynced'), {
      type: 'TargetSynced',
      status: 'True',
      reason: 'InSync',
      message: 'DNS holds weight 16',
      lastTransitionTime: '2026-03-04T12:00:10Z',
      observedGeneration: 1,
    });
    const others = (of: RebalanceStatus) => ({
      ...of,
      change: undefined,
      conditions: of.conditions?.filter(({ type }) => type !== 'TargetSynced'),
    });
    assert.deepEqual(others(status), others(pending));
    assert.deepEqual(Object.keys(status), Object.keys(pending));
  });

  it('of a change that is still on its way is pending, and was asked about now', () => {
    assert.equal(
      conditionOf(pending, 'TargetSynced').message,
      'Route 53 accepted weight 16; not every name server has it yet',
    );
    const status = statusAfterPoll(pending, ok({ id: 'C1', status: 'PENDING' }), laterMs);
    assert.deepEqual(status.change, { id: 'C1', status: 'PENDING', ...changed });
    assert.deepEqual(conditionOf(status, 'TargetSynced'), conditionOf(pending, 'TargetSynced'));
  });

  it('that failed asks again later, and says that nobody knows', () => {
    const status = statusAfterPoll(pending, err(THROTTLED), laterMs);
    assert.deepEqual(status.change, { id: 'C1', status: 'PENDING', ...changed });
    assert.equal(conditionOf(status, 'TargetSynced').status, 'Unknown');
    assert.equal(conditionOf(status, 'TargetSynced').reason, 'Throttled');
  });

  it('that comes through after one that failed is in sync', () => {
    const failed = statusAfterPoll(pending, err(THROTTLED), laterMs);
    const status = statusAfterPoll(failed, ok({ id: 'C1', status: 'INSYNC' }), laterMs + 10_000);
    assert.equal(conditionOf(status, 'TargetSynced').reason, 'InSync');
  });

  it('that got no turn knows nothing new, and is due again in its time', () => {
    const noTurn: TargetFailure = { reason: 'RateBudget', message: 'no turn', outcomeUnknown: false };
    const status = statusAfterPoll(pending, err(noTurn), laterMs);
    assert.equal(conditionOf(status, 'TargetSynced').reason, conditionOf(pending, 'TargetSynced').reason);
    assert.deepEqual(status.change, { id: 'C1', status: 'PENDING', ...changed });
  });

  it('of a change that Route 53 has forgotten has nothing left to ask', () => {
    const forgotten: TargetFailure = { reason: 'ChangeNotFound', message: 'gone', outcomeUnknown: false };
    const status = statusAfterPoll(pending, err(forgotten), laterMs);
    assert.equal('change' in status, false);
    assert.equal(conditionOf(status, 'TargetSynced').reason, 'ChangeNotFound');
  });

  it('does not call in sync what is not wanted any more', () => {
    const dry = statusAfter(
      observe({ status: pending, set: setOf(16, 8), sample: usable('5000'), writeForbidden: 'DryRun' }),
    );
    const status = statusAfterPoll(dry, ok({ id: 'C1', status: 'INSYNC' }), laterMs);
    assert.equal(conditionOf(status, 'TargetSynced').reason, 'DryRun');
    assert.equal(status.change?.status, 'INSYNC');
  });

  it('of a status without change or weights stays without', () => {
    assert.deepEqual(statusAfterPoll({}, ok({ id: 'C1', status: 'INSYNC' }), laterMs), { conditions: [] });
  });
});
