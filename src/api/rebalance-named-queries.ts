import { z } from 'zod';
import { rational } from '../foundation/rational.ts';
import { DNS_LABEL_MAX_LENGTH, DNS_LABEL_PATTERN } from '../kubernetes/names.ts';
import type { AwsAuth, AdditionalMetric, Guard } from '../rebalance/spec.ts';
import {
  prometheusGuardSchema,
  prometheusSchema,
  toPrometheusMetric,
  toPrometheusQuery,
} from './rebalance-metrics.ts';
import { targetValue } from './rebalance-policy.ts';
import { withRules } from './rules.ts';

/** All are asked at each evaluation, at once. */
export const MAX_QUERIES = 8;

function name(description: string) {
  return z
    .string()
    .min(1)
    .max(DNS_LABEL_MAX_LENGTH)
    .regex(new RegExp(DNS_LABEL_PATTERN), 'expected a name of lower case letters, digits and "-"')
    .meta({ description });
}

/** A list whose entries have a name each. */
function uniquelyNamed<S extends z.ZodType<{ readonly name: string }>>(entry: S, description: string) {
  return withRules(
    z.array(entry).max(MAX_QUERIES),
    [
      {
        cel: 'self.all(one, self.exists_one(other, other.name == one.name))',
        message: 'expected each name once',
        holds: (entries) => new Set(entries.map((one) => one.name)).size === entries.length,
      },
    ],
    { description },
  );
}

/** spec.additionalMetrics on the wire. */
export const additionalMetricsSchema = uniquelyNamed(
  z
    .object({
      name: name('What the status and the backtest call it.'),
      targetValue: targetValue("What the reference record's site should show, in the query's unit."),
      prometheus: prometheusSchema,
    })
    .meta({ description: 'A metric with a target of its own.' }),
  "More metrics of the policy's signal, each with its own target: the one that asks for the largest weight counts. While any metric cannot be used the weight may rise but not fall.",
);

/** spec.guards on the wire. */
export const guardsSchema = uniquelyNamed(
  z
    .object({
      name: name('What the status and the backtest call it.'),
      prometheus: prometheusGuardSchema,
      stops: z.enum(['Increase', 'Decrease', 'Both']).meta({
        description: 'Which moves of the weight it stops while its query is not above 0 or cannot be read.',
      }),
    })
    .meta({ description: 'A query whose value must be above 0.' }),
  'Queries that must be above 0 for the weight to move, such as 0.01 - error_rate or 120 - (time() - timestamp(x)). One that gives no number, NaN or an error stops as well. Floors, bounds and the fallback are never stopped; the way back from them is.',
);

/** Wire to domain, each query knowing where it stands; none where the field is absent. */
export function toAdditionalMetrics(
  wire: z.output<typeof additionalMetricsSchema> | undefined,
  targetAuth: AwsAuth,
): readonly AdditionalMetric[] {
  return (wire ?? []).map((entry, index) => ({
    name: entry.name,
    targetValue: rational(entry.targetValue),
    metric: toPrometheusMetric(entry.prometheus, `spec.additionalMetrics[${index}].prometheus`, targetAuth),
  }));
}

/** Wire to domain, each query knowing where it stands; none where the field is absent. */
export function toGuards(
  wire: z.output<typeof guardsSchema> | undefined,
  targetAuth: AwsAuth,
): readonly Guard[] {
  return (wire ?? []).map(({ prometheus, ...guard }, index) => ({
    ...guard,
    query: toPrometheusQuery(prometheus, `spec.guards[${index}].prometheus`, targetAuth),
  }));
}
