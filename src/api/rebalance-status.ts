import { z } from 'zod';
import { defined } from '../foundation/defined.ts';
import { holdsAtMost } from '../foundation/record.ts';
import type { Condition } from '../kubernetes/conditions.ts';
import { DNS_LABEL_MAX_LENGTH } from '../kubernetes/names.ts';
import { CONDITION_WORDS } from '../rebalance/reasons/conditions.ts';
import { CONTESTED_EDITS, WATCHED_EVALUATIONS, type ContestStatus } from '../rebalance/contest-status.ts';
import type {
  ChangeStatus,
  MetricStatus,
  NamedValue,
  RebalanceStatus,
  ResourceStatus,
} from '../rebalance/status.ts';
import { asTotal, asWeight, MAX_RECORDS, MAX_TOTAL, weight } from '../rebalance/weight.ts';
import { conditionListSchema } from './condition-list.ts';
import { count, decimal, time, weightField } from './fields.ts';
import { MAX_VALUES } from './problems.ts';
import { fieldsOf, read, readTime } from './read-field.ts';
import { behaviorStatusSchema, readBehaviorStatus } from './rebalance-behavior-status.ts';
import { decisionSchema, readDecision } from './rebalance-decision-status.ts';
import { historySchema, readHistoryStatus } from './rebalance-history-status.ts';
import { MAX_QUERIES } from './rebalance-named-queries.ts';

const metricSchema = z
  .object({
    value: decimal('The number, as a decimal.'),
    at: time('When it was read.'),
    query: z.string().max(8192).meta({ description: 'The query that gave it.' }),
  })
  .meta({ description: 'The last usable sample.' });

function namedValues(description: string) {
  return z
    .array(
      z
        .object({
          name: z.string().min(1).max(DNS_LABEL_MAX_LENGTH).meta({ description: 'Its name in the spec.' }),
          value: decimal('The number, as a decimal.'),
          at: time('When it was read.'),
        })
        .meta({ description: 'A number that a query gave.' }),
    )
    .max(MAX_QUERIES)
    .meta({ description });
}

const metricsSchema = namedValues('The last usable samples of the additional metrics.');
const guardsSchema = namedValues('The last numbers of the guards.');

const word = z.enum(CONDITION_WORDS);

const failures = count('Metric failures in a row; stops at onFailure.threshold + 1.');

const resourcesSchema = z
  .array(
    z
      .object({
        identifier: z.string().min(1).max(128).meta({ description: 'Set identifier of the record.' }),
        actualValue: weightField('Its weight in DNS as the last attempt left it.'),
        desiredValue: weightField('Its part of the weight wanted.'),
      })
      .meta({ description: 'A record that is steered.' }),
  )
  .max(MAX_RECORDS)
  .meta({
    description: 'How the two are split, where several records are steered; in the order of the spec.',
  });

const changeSchema = z
  .object({
    id: z.string().min(1).max(64).meta({ description: "Route 53's id of the change." }),
    status: z
      .enum(['PENDING', 'INSYNC'])
      .meta({ description: 'PENDING until every name server has it, then INSYNC.' }),
    submittedAt: time('When Route 53 accepted it.').optional(),
    polledAt: time('When Route 53 was last asked about it.').optional(),
  })
  .meta({ description: 'The last accepted change of the weight.' });

const contestSchema = z
  .object({
    editsAgo: z
      .array(
        z
          .int()
          .min(0)
          .max(WATCHED_EVALUATIONS - 1)
          .meta({ description: 'So many evaluations ago.' }),
      )
      .max(CONTESTED_EDITS - 1)
      .meta({ description: 'How many evaluations ago others changed our weight.' })
      .optional(),
    contestedGeneration: z
      .int()
      .min(0)
      .meta({ description: 'The generation under which others were found to steer our weight too.' })
      .optional(),
  })
  .meta({ description: 'What others did to our weight of late; absent where they did nothing.' });

/** status of a Rebalance, as it stands in the CRD; observedGeneration is stamped by Metacontroller. */
export const rebalanceStatusSchema = z
  .object({
    observedGeneration: z
      .int()
      .min(0)
      .meta({ description: 'metadata.generation that was last answered, whatever the hook did.' })
      .optional(),
    conditions: conditionListSchema.optional(),
    // No enum: objects that the original wrote say Healty until their first sync here.
    condition: z
      .string()
      .max(32)
      .meta({
        description:
          'Healthy: the last evaluation did what it wanted, dry run and hold included. Unhealthy: limited or pending. Error: failing.',
      })
      .optional(),
    actualValue: z
      .int()
      .min(0)
      .max(MAX_TOTAL)
      .meta({ description: 'The weight in DNS as the last attempt left it; of several records their sum.' })
      .optional(),
    desiredValue: weightField('The weight wanted.').optional(),
    resources: resourcesSchema.optional(),
    lastUpdateAt: time('When a change of the weight was last accepted.').optional(),
    lastAttemptAt: time('When an attempt was last made, however it ended.').optional(),
    lastEvaluatedAt: time('When a weight was last decided.').optional(),
    failures: failures.optional(),
    metric: metricSchema.optional(),
    metrics: metricsSchema.optional(),
    guards: guardsSchema.optional(),
    decision: decisionSchema.optional(),
    change: changeSchema.optional(),
    history: historySchema.optional(),
    contest: contestSchema.optional(),
    behavior: behaviorStatusSchema.optional(),
  })
  .meta({ description: 'What the weight is and why.' });

/**
 * Reads a status as it came, field by field: one that is missing or unreadable is absent, and never makes a body
 * refused. What is left satisfies the CRD's schema, so that carrying it on is never refused either.
 */
export function readRebalanceStatus(raw: unknown): RebalanceStatus {
  const status = holdsAtMost(MAX_VALUES, raw) ? fieldsOf(raw) : {};
  return defined({
    conditions: readConditions(status['conditions']),
    condition: read(word, status['condition']),
    actualValue: asTotal(status['actualValue']),
    desiredValue: asWeight(status['desiredValue']),
    resources: readResources(status['resources']),
    lastUpdateAt: readTime(status['lastUpdateAt']),
    lastAttemptAt: readTime(status['lastAttemptAt']),
    lastEvaluatedAt: readTime(status['lastEvaluatedAt']),
    failures: read(failures, status['failures']),
    metric: readMetric(status['metric']),
    metrics: readValues(metricsSchema, status['metrics']),
    guards: readValues(guardsSchema, status['guards']),
    decision: readDecision(status['decision']),
    change: readChange(status['change']),
    history: readHistoryStatus(status['history']),
    contest: readContest(status['contest']),
    behavior: readBehaviorStatus(status['behavior']),
  });
}

function readConditions(raw: unknown): readonly Condition[] | undefined {
  if (!Array.isArray(raw)) return undefined;
  return raw.flatMap((item: unknown) => {
    const condition = read(conditionListSchema.element, item);
    return condition !== undefined && readTime(condition.lastTransitionTime) !== undefined
      ? [defined(condition)]
      : [];
  });
}

function readResources(raw: unknown): readonly ResourceStatus[] | undefined {
  return read(resourcesSchema, raw)?.map(({ identifier, actualValue, desiredValue }) => ({
    identifier,
    actualValue: weight(actualValue),
    desiredValue: weight(desiredValue),
  }));
}

function readContest(raw: unknown): ContestStatus | undefined {
  const contest = read(contestSchema, raw);
  return contest === undefined ? undefined : defined(contest);
}

function readMetric(raw: unknown): MetricStatus | undefined {
  const metric = read(metricSchema, raw);
  return metric === undefined || readTime(metric.at) === undefined ? undefined : metric;
}

function readValues(schema: typeof metricsSchema, raw: unknown): readonly NamedValue[] | undefined {
  return read(schema, raw)?.filter(({ at }) => readTime(at) !== undefined);
}

function readChange(raw: unknown): ChangeStatus | undefined {
  const { submittedAt, polledAt, ...rest } = fieldsOf(raw);
  const change = read(changeSchema, rest);
  if (change === undefined) return undefined;
  const { id, status } = change;
  return defined({ id, status, submittedAt: readTime(submittedAt), polledAt: readTime(polledAt) });
}
