import assert from 'node:assert/strict';
import {
  apiError,
  hang,
  html,
  reset,
  startPrometheusStandIn,
  type PrometheusAnswer,
  type PrometheusStandIn,
} from '../support/prometheus-stand-in.ts';
import { weightedRecord } from '../support/weighted-record.ts';
import { conditionOf, rebalance, sync, type SyncAnswer } from './rebalance.ts';
import { theWorld } from './world.ts';
import { createZone, type Zone } from './zone.ts';

interface Row {
  readonly given: string;
  readonly reason: string;
  /** What the message must carry: Prometheus' own words where it gave any. */
  readonly words: RegExp;
}

const ASKED_OF_PROMETHEUS: readonly (Row & { readonly query: string })[] = [
  { given: 'no series', query: 'nobody_exports_this', reason: 'NoSeries', words: /no series/ },
  { given: 'NaN', query: 'broken{kind="nan"}', reason: 'NotANumber', words: /NaN/ },
  { given: 'infinity', query: 'broken{kind="infinite"}', reason: 'InfiniteValue', words: /\+Inf/ },
  { given: 'minus infinity', query: '-broken{kind="infinite"}', reason: 'InfiniteValue', words: /-Inf/ },
  { given: 'two series', query: 'broken > 0', reason: 'SeveralSeries', words: /has 2 series/ },
  {
    given: 'a number with a warning',
    query: 'broken{kind="fine"} or histogram_quantile(0.9, broken{kind="fine"})',
    reason: 'PartialData',
    words: /PromQL warning: /,
  },
  {
    given: '400 for a query that it cannot parse',
    query: 'sum(',
    reason: 'QueryRejected',
    words: /parse error/,
  },
  {
    given: '422 for a query that it cannot execute',
    query: 'broken + on() broken',
    reason: 'QueryRejected',
    words: /found duplicate series for the match group/,
  },
];

const ANSWERED_BY_A_STAND_IN: readonly (Row & { readonly answer: PrometheusAnswer })[] = [
  {
    given: '503 with an error text',
    answer: apiError(503, 'timeout', 'query timed out in expression evaluation'),
    reason: 'QueryRejected',
    words: /query timed out in expression evaluation/,
  },
  { given: 'a page of HTML', answer: html(), reason: 'NotPrometheus', words: /Prometheus/ },
  { given: '502 with a page of HTML', answer: html(502), reason: 'QueryRejected', words: /HTTP 502/ },
  { given: 'nothing within the timeout', answer: hang, reason: 'MetricTimeout', words: /within 1s/ },
  { given: 'a reset connection', answer: reset, reason: 'MetricUnreachable', words: /reset/i },
];

describe('A metric that is no number never moves a weight', () => {
  let zone: Zone;
  let standIn: PrometheusStandIn;

  before(async () => {
    const { moto, exporter, prometheus } = theWorld();
    zone = await createZone(moto.url, 'no-data.example');
    await zone.put(
      weightedRecord('www.no-data.example.', 'own', 5),
      weightedRecord('www.no-data.example.', 'reference', 8),
    );
    standIn = await startPrometheusStandIn();
    exporter.show(
      { name: 'broken', labels: { kind: 'nan' }, value: 'NaN' },
      { name: 'broken', labels: { kind: 'infinite' }, value: '+Inf' },
      { name: 'broken', labels: { kind: 'fine' }, value: '3000' },
    );
    await prometheus.waitFor('count(broken)', '3');
  });
  after(() => standIn.stop());

  const evaluate = (address: string, query: string): Promise<SyncAnswer> =>
    sync(
      theWorld().service,
      rebalance({
        name: 'no-data',
        targettracking: { baseValue: 8, targetValue: 1000 },
        prometheus: { address, query, timeout: 1 },
        zoneId: zone.id,
        record: { name: 'www.no-data.example', type: 'A', identifier: 'own' },
      }),
    );

  const assertHeld = async (answered: Promise<SyncAnswer>, { reason, words }: Row): Promise<void> => {
    const before = await zone.records();
    const { status } = await answered;
    const { status: isAvailable, reason: found, message } = conditionOf(status, 'MetricAvailable');
    assert.deepEqual({ isAvailable, reason: found }, { isAvailable: 'False', reason }, message);
    assert.match(message, words);
    assert.equal(status.actualValue, 5);
    assert.deepEqual(await zone.records(), before);
  };

  for (const row of ASKED_OF_PROMETHEUS) {
    it(`Given a Prometheus that answers ${row.given}, When synced, Then 200, the weight stays and ${row.reason} says why`, async () => {
      await assertHeld(evaluate(theWorld().prometheus.url, row.query), row);
    });
  }

  for (const row of ANSWERED_BY_A_STAND_IN) {
    it(`Given an address that answers ${row.given}, When synced, Then 200, the weight stays and ${row.reason} says why`, async () => {
      standIn.setDefault(row.answer);
      await assertHeld(evaluate(standIn.url, 'load'), row);
    });
  }

  it('Given nothing that listens, When synced, Then 200, the weight stays and MetricUnreachable says why', async () => {
    const gone = await startPrometheusStandIn();
    await gone.stop();
    await assertHeld(evaluate(gone.url, 'load'), {
      given: '',
      reason: 'MetricUnreachable',
      words: /refused/,
    });
  });

  it('Given a number again, When synced, Then the weight follows it', async () => {
    const { status } = await evaluate(theWorld().prometheus.url, 'broken{kind="fine"}');
    assert.equal(conditionOf(status, 'MetricAvailable').status, 'True');
    assert.equal(await zone.weightOf('own'), 16);
  });
});
