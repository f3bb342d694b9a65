import assert from 'node:assert/strict';
import { usedTimeoutMs } from '../../../src/rebalance/budget.ts';
import { noticesOf, usedIntervalMs } from '../../../src/rebalance/notices.ts';
import { specOf } from '../../support/rebalance.ts';

const grants = { minIntervalMs: 10_000, hookBudgetMs: 8_000 };
const prometheus = (timeout: number) => ({
  metrics: { prometheus: { address: 'http://prometheus:9090', query: 'load', timeout } },
});

describe('what of a spec is not used as written', () => {
  it('is nothing where all is', () => {
    assert.deepEqual(noticesOf(specOf({}, prometheus(5)), [], grants), []);
  });

  it('is an interval shorter than --min-interval', () => {
    assert.deepEqual(noticesOf(specOf({}, { ...prometheus(5), interval: '1500ms' }), [], grants), [
      {
        type: 'IntervalRaised',
        status: 'True',
        reason: 'BelowMinInterval',
        message: 'spec.interval is shorter than --min-interval: 10s is used',
      },
    ]);
    assert.equal(usedIntervalMs(1_500, grants), 10_000);
    assert.equal(usedIntervalMs(60_000, grants), 60_000);
  });

  it('is an interval that the rate of Route 53 does not allow, whatever --min-interval is', () => {
    for (const interval of ['1500ms', '1m']) {
      const budget = { ...grants, shortestIntervalMs: 300_000 };
      assert.deepEqual(noticesOf(specOf({}, { ...prometheus(5), interval }), [], budget), [
        {
          type: 'IntervalRaised',
          status: 'True',
          reason: 'Route53Budget',
          message:
            '--route53-rate does not allow spec.interval for all Rebalances of this AWS account: 300s is used',
        },
      ]);
    }
  });

  it('is a timeout longer than the budget less 3 s for Route 53', () => {
    assert.deepEqual(noticesOf(specOf({}, prometheus(30)), [], { ...grants, hookBudgetMs: 8_500 }), [
      {
        type: 'TimeoutShortened',
        status: 'True',
        reason: 'HookBudget',
        message:
          'spec.metrics.prometheus.timeout is more than --hook-budget leaves beside Route 53: 5.5s is used',
      },
    ]);
    assert.deepEqual(
      [usedTimeoutMs(6_000, 8_000), usedTimeoutMs(2_000, 8_000), usedTimeoutMs(2_000, 2_500)],
      [5_000, 2_000, 0],
    );
  });

  it('is the timeout of any query', () => {
    const query = (timeout: number) => ({ address: 'http://prometheus:9090', query: 'load', timeout });
    const spec = specOf(
      {},
      {
        metrics: { prometheus: query(5) },
        additionalMetrics: [{ name: 'cpu', targetValue: 1, prometheus: query(30) }],
        guards: [
          { name: 'errors', stops: 'Both', prometheus: query(5) },
          { name: 'fresh', stops: 'Both', prometheus: query(20) },
        ],
      },
    );
    assert.equal(
      noticesOf(spec, [], grants)[0]?.message,
      'spec.additionalMetrics[0].prometheus.timeout, spec.guards[1].prometheus.timeout is more than --hook-budget leaves beside Route 53: 5s is used',
    );
  });

  it('is not the default timeout, of which every object would be told', () =>
    assert.deepEqual(noticesOf(specOf({}, prometheus(10)), [], grants), []));

  it('is a field that is not known, and so many of them', () => {
    const spec = specOf({}, prometheus(5));
    const messageOf = (fields: readonly string[]) => noticesOf(spec, fields, grants)[0]?.message;
    assert.equal(
      messageOf(['spec.policy.targettracking.Scheduled']),
      'unknown fields are ignored: spec.policy.targettracking.Scheduled',
    );
    const many = Array.from({ length: 12 }, (_, index) => `spec.f${index}`);
    assert.equal(
      messageOf(many),
      'unknown fields are ignored: spec.f0, spec.f1, spec.f2, spec.f3, spec.f4 and 7 more',
    );
  });
});
