import { toSample, type Sample, type Samples } from '../sample.ts';
import type { CallContext } from '../secrets.ts';
import type { PrometheusMetric, RebalanceSpec } from '../spec.ts';
import type { MetricSource } from './port.ts';

/** Asks all queries of a spec at once, within one deadline. No number from a guard is no failure, and stops as well. */
export async function readSamples(
  { metric, additionalMetrics, guards }: RebalanceSpec,
  source: MetricSource,
  context: CallContext,
): Promise<Samples> {
  const read = async (asked: PrometheusMetric): Promise<Sample> =>
    toSample(await source.read(asked, context), asked.noData);
  const [sample, additionalSamples, guardSamples] = await Promise.all([
    read(metric),
    Promise.all(additionalMetrics.map((additional) => read(additional.metric))),
    Promise.all(guards.map(async ({ query }) => toSample(await source.read(query, context), 'Hold'))),
  ]);
  return { sample, additionalSamples, guardSamples };
}
