import assert from 'node:assert/strict';
import { ok, err } from '../../../src/foundation/result.ts';
import { toSample } from '../../../src/rebalance/sample.ts';
import { usable } from '../../support/rebalance.ts';

describe('a sample', () => {
  const noData = { kind: 'NoData', reason: 'NoSeries', message: 'no series' } as const;

  it('is the number that Prometheus wrote', () => {
    assert.deepEqual(toSample(ok({ kind: 'Value', text: '1e+06' }), 'Hold'), usable('1e+06'));
  });

  it('is a failure where the text is no decimal: no weight rests on it', () => {
    for (const text of ['NaN', '+Inf', '', '0x10', '1,5'])
      assert.deepEqual(toSample(ok({ kind: 'Value', text }), 'Zero'), {
        kind: 'Failed',
        reason: 'NotPrometheus',
        message: "the metric's value is not a decimal number",
      });
  });

  it('is what noData says where there is none', () => {
    assert.deepEqual(toSample(ok(noData), 'Hold'), { ...noData, kind: 'Absent' });
    assert.deepEqual(toSample(ok(noData), 'Fail'), { ...noData, kind: 'Failed' });
    assert.deepEqual(toSample(ok(noData), 'Zero'), { ...usable('0'), fromNoData: true });
  });

  it('is a failure where the source failed, whatever noData says', () => {
    const failure = { reason: 'SeveralSeries', message: '2 series' } as const;
    assert.deepEqual(toSample(err(failure), 'Zero'), { kind: 'Failed', ...failure });
  });
});
