import { z } from 'zod';
import { isRecord } from '../foundation/record.ts';
import { ok, type Result } from '../foundation/result.ts';
import { withoutNulls } from '../foundation/without-nulls.ts';
import type { SpecProblem } from '../kubernetes/spec-problem.ts';
import type { OnFailure, RebalanceSpec } from '../rebalance/spec.ts';
import { MAX_WEIGHT, weight } from '../rebalance/weight.ts';
import { durationMs, goDurationWithin } from './go-duration.ts';
import { readBySchema } from './problems.ts';
import { behaviorSchema, toBehavior } from './rebalance-behavior.ts';
import {
  additionalMetricsSchema,
  guardsSchema,
  toAdditionalMetrics,
  toGuards,
} from './rebalance-named-queries.ts';
import { metricsSchema, toPrometheusMetric } from './rebalance-metrics.ts';
import { policySchema, toTargetTracking } from './rebalance-policy.ts';
import { targetSchema, toRoute53Target } from './rebalance-target.ts';
import { withRules } from './rules.ts';
import { unknownFields } from './unknown-fields.ts';

const DEFAULT_INTERVAL_MS = 60_000;
const MIN_INTERVAL_MS = 1_000;
const MAX_INTERVAL_MS = 86_400_000;
const DEFAULT_THRESHOLD = 3;

const intervalSchema = goDurationWithin(
  { minMs: MIN_INTERVAL_MS, maxMs: MAX_INTERVAL_MS, expected: 'expected a duration from 1s to 24h' },
  'How often the query is asked, a Go duration from 1s to 24h; shorter ones than --min-interval are raised to it.',
);

const onFailureObject = z.object({
  threshold: z
    .int()
    .min(0)
    .max(1000)
    .default(DEFAULT_THRESHOLD)
    .meta({ description: 'So many metric failures in a row change nothing; one more does.' }),
  action: z
    .enum(['Hold', 'Weight'])
    .default('Hold')
    .meta({ description: 'Hold keeps the weight; Weight takes the weight given.' }),
  weight: z
    .int()
    .min(0)
    .max(MAX_WEIGHT)
    .meta({
      description:
        'The fallback weight; bounds and floors still apply. Left after threshold + 1 good samples.',
    })
    .optional(),
});

const onFailureSchema = withRules(
  onFailureObject,
  [
    {
      cel: "(self.action == 'Weight') == has(self.weight)",
      message: 'weight is needed for action Weight, and for no other',
      holds: ({ action, weight: fallback }) => (action === 'Weight') === (fallback !== undefined),
    },
  ],
  {
    description: 'What more than threshold metric failures in a row lead to; Hold after 3 where absent.',
  },
);

const rebalanceSpecObject = z.object({
  suspend: z
    .boolean()
    .default(false)
    .meta({ description: 'Nothing is queried or written; status keeps its last values.' }),
  dryRun: z
    .boolean()
    .default(false)
    .meta({ description: 'Everything but the write; status shows what would be written.' }),
  interval: intervalSchema.default('1m'),
  policy: policySchema,
  behavior: behaviorSchema.optional(),
  onFailure: onFailureSchema.optional(),
  target: targetSchema,
  metrics: metricsSchema,
  additionalMetrics: additionalMetricsSchema.optional(),
  guards: guardsSchema.optional(),
});

/** spec of a Rebalance, as it stands in the CRD. */
export const rebalanceSpecSchema = withRules(
  rebalanceSpecObject,
  [
    {
      cel: "self.policy.targettracking.signal != 'load' || has(self.metrics.prometheus.window)",
      message: 'signal load needs metrics.prometheus.window: how far back the query looks',
      holds: ({ policy, metrics }) =>
        policy.targettracking.signal !== 'load' || metrics.prometheus.window !== undefined,
    },
    {
      cel: "self.policy.targettracking.signal != 'load' || self.metrics.prometheus.noData != 'Zero'",
      message: 'noData Zero is not for signal load: no data of a site is not a site without load',
      holds: ({ policy, metrics }) =>
        policy.targettracking.signal !== 'load' || metrics.prometheus.noData !== 'Zero',
    },
    {
      cel: "self.policy.targettracking.signal != 'load' || !has(self.additionalMetrics) || self.additionalMetrics.all(one, has(one.prometheus.window))",
      message:
        'signal load needs prometheus.window in each of additionalMetrics: how far back the query looks',
      holds: ({ policy, additionalMetrics = [] }) =>
        policy.targettracking.signal !== 'load' ||
        additionalMetrics.every(({ prometheus }) => prometheus.window !== undefined),
    },
    {
      cel: "self.policy.targettracking.signal != 'load' || !has(self.additionalMetrics) || self.additionalMetrics.all(one, one.prometheus.noData != 'Zero')",
      message:
        'noData Zero in additionalMetrics is not for signal load: no data of a site is not a site without load',
      holds: ({ policy, additionalMetrics = [] }) =>
        policy.targettracking.signal !== 'load' ||
        additionalMetrics.every(({ prometheus }) => prometheus.noData !== 'Zero'),
    },
  ],
  { description: 'Which weight follows which metric.' },
);

/**
 * Reads the spec of a Rebalance as it came, null meaning absent. Fails with every problem at once; fields that mean
 * nothing here are no problem, and are listed.
 */
export function parseRebalanceSpec(
  raw: unknown,
): Result<
  { readonly spec: RebalanceSpec; readonly unknownFields: readonly string[] },
  readonly SpecProblem[]
> {
  const present = withoutNulls(raw ?? undefined);
  const wire = readBySchema(rebalanceSpecSchema, present, 'spec');
  if (!wire.ok) return wire;
  return ok({
    spec: toRebalanceSpec(wire.value),
    unknownFields: unknownFields(rebalanceSpecSchema, present, 'spec'),
  });
}

/** The interval of a spec that may be unreadable otherwise; one minute where it is unreadable itself. */
export function readIntervalMs(raw: unknown): number {
  const interval = isRecord(raw) ? raw['interval'] : undefined;
  const parsed = intervalSchema.safeParse(interval);
  return parsed.success ? durationMs(parsed.data) : DEFAULT_INTERVAL_MS;
}

function toRebalanceSpec(wire: z.output<typeof rebalanceSpecObject>): RebalanceSpec {
  const {
    suspend,
    dryRun,
    interval,
    policy,
    behavior,
    onFailure,
    target,
    metrics,
    additionalMetrics,
    guards,
  } = wire;
  const route53 = toRoute53Target(target.route53);
  return {
    suspend,
    dryRun,
    intervalMs: durationMs(interval),
    policy: toTargetTracking(policy.targettracking),
    behavior: behavior === undefined ? undefined : toBehavior(behavior),
    onFailure: toOnFailure(onFailure),
    target: route53,
    metric: toPrometheusMetric(metrics.prometheus, 'spec.metrics.prometheus', route53.auth),
    additionalMetrics: toAdditionalMetrics(additionalMetrics, route53.auth),
    guards: toGuards(guards, route53.auth),
  };
}

function toOnFailure(wire: z.output<typeof onFailureObject> | undefined): OnFailure {
  const threshold = wire?.threshold ?? DEFAULT_THRESHOLD;
  return wire?.weight === undefined
    ? { kind: 'Hold', threshold }
    : { kind: 'Weight', threshold, weight: weight(wire.weight) };
}
