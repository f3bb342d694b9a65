import assert from 'node:assert/strict';
import { parseRebalanceSpec } from '../../../src/api/rebalance.ts';
import { displayRational } from '../../../src/foundation/rational.ts';
import { readSpec, wireSpec } from '../../support/rebalance.ts';
import { additional, guard, loadSpec, query } from '../../support/rebalance-wire.ts';

describe('additional metrics and guards', () => {
  it('have names, targets and queries that know where they stand', () => {
    const { additionalMetrics, guards } = readSpec({
      ...loadSpec,
      additionalMetrics: [
        additional('cpu', { window: '0s' }),
        { ...additional('queue', { window: '1m' }), targetValue: 0.5 },
      ],
      guards: [guard('errors')],
    });
    assert.deepEqual(
      additionalMetrics.map(({ name, targetValue, metric }) => [
        name,
        displayRational(targetValue),
        metric.path,
        metric.windowMs,
      ]),
      [
        ['cpu', '10', 'spec.additionalMetrics[0].prometheus', 0],
        ['queue', '0.5', 'spec.additionalMetrics[1].prometheus', 60_000],
      ],
    );
    assert.deepEqual(
      guards.map(({ name, stops, query: { path } }) => [name, stops, path]),
      [['errors', 'Both', 'spec.guards[0].prometheus']],
    );
  });

  it('of a guard: noData and window mean nothing there, and are listed as unknown', () => {
    const parsed = parseRebalanceSpec({
      ...wireSpec(),
      guards: [{ ...guard('errors'), prometheus: query({ noData: 'Zero', window: '1m' }) }],
    });
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.value.unknownFields, [
      'spec.guards[0].prometheus.noData',
      'spec.guards[0].prometheus.window',
    ]);
  });
});
