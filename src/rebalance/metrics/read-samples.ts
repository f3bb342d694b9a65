import { toSamples, type Reading, type Samples } from '../sample.ts';
import type { CallContext } from '../secrets.ts';
import type { PrometheusQuery, RebalanceSpec } from '../spec.ts';
import type { MetricSource } from './port.ts';

/** Asks all queries of a spec at once, within one deadline. */
export async function readSamples(
  spec: RebalanceSpec,
  source: MetricSource,
  context: CallContext,
): Promise<Samples> {
  const readAll = (queries: readonly PrometheusQuery[]): Promise<readonly Reading[]> =>
    Promise.all(queries.map((query) => source.read(query, context)));
  const [reading, additionalReadings, guardReadings] = await Promise.all([
    source.read(spec.metric, context),
    readAll(spec.additionalMetrics.map(({ metric }) => metric)),
    readAll(spec.guards.map(({ query }) => query)),
  ]);
  return toSamples(spec, { reading, additionalReadings, guardReadings });
}
