import { z } from 'zod';
import { defined } from '../foundation/defined.ts';
import type { HistoryStatus } from '../rebalance/load/history-status.ts';
import { FOLLOWED_ENOUGH } from '../rebalance/load/probe.ts';
import { STEERED_CHANGES } from '../rebalance/load/remember.ts';
import { MAX_SHARES } from '../rebalance/load/share-history.ts';
import { weight } from '../rebalance/weight.ts';
import { DNS_LABEL_MAX_LENGTH } from '../kubernetes/names.ts';
import { count, decimal, time, weightField } from './fields.ts';
import { read } from './read-field.ts';
import { MAX_QUERIES } from './rebalance-named-queries.ts';

const MAX_TTL_SECONDS = 2_147_483_647;

const shareSchema = z
  .object({
    at: time('Since when.'),
    share: decimal('Weight of the reference over the sum of the set, 0 to 1.'),
    ttlSeconds: z.int().min(0).max(MAX_TTL_SECONDS).meta({ description: 'TTL of the set.' }),
  })
  .meta({ description: 'A share of the reference record.' });

const referenceSchema = z
  .object({
    weight: weightField('Its weight as last read.'),
    changedAt: z
      .array(time('When it was changed.'))
      .max(STEERED_CHANGES)
      .meta({ description: 'When others changed its weight, within the last hour.' })
      .optional(),
    steeredGeneration: z
      .int()
      .min(0)
      .meta({ description: 'The generation under which somebody was found to steer it.' })
      .optional(),
  })
  .meta({ description: 'What is known of the reference record.' });

const filterSchema = z
  .object({
    fast: decimal('Demand, half-life one interval.'),
    slow: decimal('Demand, half-life six intervals.'),
    drift: decimal('How far samples have been above the slow one of late; negative: below.'),
    at: time('When a sample last moved them.'),
    catchingUp: z.boolean().meta({ description: 'The demand has jumped: the fast one is believed.' }),
    drifting: z
      .boolean()
      .meta({ description: 'The demand keeps going one way: the slow one and the drift are believed.' }),
  })
  .meta({ description: 'The demand estimate of signal load.' });

const probeSchema = z
  .object({
    metric: decimal('The metric to compare with.'),
    share: decimal('The share seen then.'),
    followed: z
      .int()
      .min(0)
      .max(FOLLOWED_ENOUGH)
      .meta({ description: 'Times in a row that the metric followed the share.' }),
  })
  .meta({ description: 'Whether a demand signal behaves like a load.' });

/** What is known of one metric. */
const signalFields = {
  query: z.string().max(64).meta({ description: 'Hash of what the filter and the probe are of.' }),
  filter: filterSchema.optional(),
  lowSamples: count('Suspiciously low samples in a row.').optional(),
  probe: probeSchema.optional(),
};

const namedSignalSchema = z
  .object({
    name: z.string().min(1).max(DNS_LABEL_MAX_LENGTH).meta({ description: 'Its name in the spec.' }),
    ...signalFields,
  })
  .meta({ description: 'What is known of an additional metric.' });

/** status.history on the wire. */
export const historySchema = z
  .object({
    target: z.string().max(64).meta({ description: 'Hash of what the shares are of.' }),
    ...signalFields,
    shares: z
      .array(shareSchema)
      .max(MAX_SHARES)
      .meta({ description: 'The shares that a metric may still show, oldest first.' }),
    reference: referenceSchema.optional(),
    metrics: z
      .array(namedSignalSchema)
      .max(MAX_QUERIES)
      .meta({ description: 'The same of the additional metrics; what stands beside it is of spec.metrics.' })
      .optional(),
  })
  .meta({ description: 'What was read of the set and made of the samples, for the next decision.' });

/** Reads a history as it came; one that is unreadable is absent as a whole, and starts anew. */
export function readHistoryStatus(raw: unknown): HistoryStatus | undefined {
  const history = read(historySchema, raw);
  if (history === undefined) return undefined;
  const { target, query, shares, reference, filter, lowSamples, probe, metrics } = history;
  const known =
    reference === undefined ? undefined : defined({ ...reference, weight: weight(reference.weight) });
  const named = metrics?.map((metric) => defined(metric));
  return defined({ target, query, shares, reference: known, filter, lowSamples, probe, metrics: named });
}
