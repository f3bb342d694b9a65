import assert from 'node:assert/strict';
import { ok, err } from '../../../src/foundation/result.ts';
import type { MetricSource } from '../../../src/rebalance/metrics/port.ts';
import { readSamples } from '../../../src/rebalance/metrics/read-samples.ts';
import { toSample, type Reading } from '../../../src/rebalance/sample.ts';
import { callContext } from '../../support/call-context.ts';
import { specOf, usable } from '../../support/rebalance.ts';

describe('a sample', () => {
  const noData = { kind: 'NoData', reason: 'NoSeries', message: 'no series' } as const;

  it('is the number that Prometheus wrote', () => {
    assert.deepEqual(toSample(ok({ kind: 'Value', text: '1e+06' }), 'Hold'), usable('1e+06'));
  });

  it('is a failure where the text is no decimal: no weight rests on it', () => {
    for (const text of ['NaN', '+Inf', '', '0x10', '1,5', `0.${'1234567'.repeat(600_000)}`])
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

describe('the samples of a spec with several queries', () => {
  const query = (text: string, more = {}) => ({ address: 'http://prometheus:9090', query: text, ...more });
  const spec = specOf(
    {},
    {
      metrics: { prometheus: query('load', { noData: 'Zero' }) },
      additionalMetrics: [
        { name: 'cpu', targetValue: 1, prometheus: query('cpu', { noData: 'Fail' }) },
        { name: 'queue', targetValue: 1, prometheus: query('queue') },
      ],
      guards: [{ name: 'errors', stops: 'Both', prometheus: query('errors') }],
    },
  );
  const noData: Reading = ok({ kind: 'NoData', reason: 'NoSeries', message: 'no series' });

  it('come in the order of the spec; noData is each its own, and a message says whose it is', async () => {
    const source: MetricSource = { read: () => Promise.resolve(noData) };
    assert.deepEqual(await readSamples(spec, source, callContext()), {
      sample: { ...usable('0'), fromNoData: true },
      additionalSamples: [
        { kind: 'Failed', reason: 'NoSeries', message: 'metric "cpu": no series' },
        { kind: 'Absent', reason: 'NoSeries', message: 'metric "queue": no series' },
      ],
      guardSamples: [{ kind: 'Absent', reason: 'NoSeries', message: 'guard "errors": no series' }],
    });
  });

  it('are asked for all at once, each once', async () => {
    const asked: string[] = [];
    const answers: ((reading: Reading) => void)[] = [];
    const source: MetricSource = {
      read: ({ path }) =>
        new Promise((answer) => {
          asked.push(path);
          answers.push(answer);
          // Nobody is answered before all have been asked.
          if (answers.length === 4) for (const each of answers) each(noData);
        }),
    };
    await readSamples(spec, source, callContext());
    assert.deepEqual(asked, [
      'spec.metrics.prometheus',
      'spec.additionalMetrics[0].prometheus',
      'spec.additionalMetrics[1].prometheus',
      'spec.guards[0].prometheus',
    ]);
  });
});
