import { z } from 'zod';
import { defined } from '../foundation/defined.ts';
import { isRecord } from '../foundation/record.ts';
import { DNS_LABEL_MAX_LENGTH } from '../kubernetes/names.ts';
import { STAGES, type Stage } from '../rebalance/decision.ts';
import { DECISION_REASONS, type DecisionReason } from '../rebalance/reasons/decisions.ts';
import type { DecisionStatus } from '../rebalance/status.ts';
import { asWeight } from '../rebalance/weight.ts';
import { count, decimal, weightField } from './fields.ts';
import { fieldsOf, read } from './read-field.ts';

const generation = z
  .int()
  .min(0)
  .meta({ description: "The spec's metadata.generation of the last attempt, however it ended." });

const STAGE_DESCRIPTIONS = {
  demand: 'The total demand that the load of the reference site says; signal load only.',
  raw: 'The law, before rounding.',
  tolerance: 'The weight of before where the load is within the tolerance of it.',
  round: 'Rounded to a whole weight: up for signal demand, to the nearest for load.',
  scaleIn: 'Not less than before where disableScaleIn is set.',
  hold: 'Not less than before while a metric cannot be used; only then.',
  fallback: 'The fallback weight while it is active.',
  bounds: 'Within minimum, active floors and maximum.',
  stabilise: 'After the stabilization windows of spec.behavior.',
  stepLimit: 'After the policies of spec.behavior.',
  guards: 'Not moved the way that a closed guard stops; only where the spec has guards.',
  set: 'Kept where the whole set would become 0.',
  write: 'What DNS is to hold after the attempt.',
} as const satisfies Record<Stage, string>;

const stagesSchema = z
  .object(
    Object.fromEntries(STAGES.map((name) => [name, decimal(STAGE_DESCRIPTIONS[name]).optional()])) as Record<
      Stage,
      z.ZodOptional<z.ZodString>
    >,
  )
  .meta({ description: 'The weight after each stage that ran, rounded to 6 decimals for display.' });

const fallbackSchema = z
  .object({
    active: z.boolean().meta({ description: 'The fallback weight is in force.' }),
    successes: count('Usable samples in a row since it became active.'),
  })
  .meta({ description: 'State of onFailure.action Weight.' });

const stage = z.enum(STAGES).meta({ description: 'A stage.' });

/** status.decision on the wire. */
export const decisionSchema = z
  .object({
    generation: generation.optional(),
    reason: z
      .string()
      .max(64)
      .meta({ description: 'Why the weight wanted is what it is, in one CamelCase word.' })
      .optional(),
    because: z.string().max(2048).meta({ description: 'Why, in one sentence.' }).optional(),
    metric: z
      .string()
      .max(DNS_LABEL_MAX_LENGTH)
      .meta({ description: 'The additional metric that asked for the most; where absent, spec.metrics did.' })
      .optional(),
    stages: stagesSchema.optional(),
    limitedBy: z
      .array(stage)
      .max(STAGES.length)
      .meta({ description: 'The stages that changed the outcome.' })
      .optional(),
    policyWeight: weightField('What the policy itself wants, before fallback, floors and bounds.').optional(),
    fallback: fallbackSchema.optional(),
  })
  .meta({ description: 'The last decision, stage by stage.' });

/** Reads a decision as it came, field by field: what is missing or unreadable is absent. */
export function readDecision(raw: unknown): DecisionStatus | undefined {
  if (!isRecord(raw)) return undefined;
  const stages = fieldsOf(raw['stages']);
  return defined({
    generation: read(generation, raw['generation']),
    reason: readReason(raw['reason']),
    because: read(decisionSchema.shape.because, raw['because']),
    metric: read(decisionSchema.shape.metric, raw['metric']),
    stages: isRecord(raw['stages'])
      ? defined(
          Object.fromEntries(STAGES.map((name) => [name, read(stagesSchema.shape[name], stages[name])])),
        )
      : undefined,
    limitedBy: read(decisionSchema.shape.limitedBy, raw['limitedBy']),
    policyWeight: asWeight(raw['policyWeight']),
    fallback: read(fallbackSchema, raw['fallback']),
  });
}

function readReason(raw: unknown): DecisionReason | undefined {
  return typeof raw === 'string' && Object.hasOwn(DECISION_REASONS, raw)
    ? (raw as DecisionReason)
    : undefined;
}
