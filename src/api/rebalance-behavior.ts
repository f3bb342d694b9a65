import { z } from 'zod';
import type { Behavior, MoveRules } from '../rebalance/spec.ts';
import { withRules } from './rules.ts';

const MAX_WINDOW_SECONDS = 3600;
const MAX_PERIOD_SECONDS = 1800;
const MAX_POLICIES = 8;
/** Percent that take 1 beyond the largest weight. */
const MAX_VALUE = 25_500;

const stepPolicySchema = z
  .object({
    type: z.enum(['Weight', 'Percent']).meta({
      description:
        'Weight: value is a number of steps. Percent: of the weight when the period began, rounded away from it, and up by at least 1.',
    }),
    value: z
      .int()
      .min(1)
      .max(MAX_VALUE)
      .meta({ description: 'How far the weight may move within the period.' }),
    periodSeconds: z
      .int()
      .min(1)
      .max(MAX_PERIOD_SECONDS)
      .meta({ description: 'The period in seconds, which all steps within it share.' }),
  })
  .meta({ description: 'How far the weight may move within a period.' });

const moveRulesObject = z.object({
  stabilizationWindowSeconds: z.int().min(0).max(MAX_WINDOW_SECONDS).default(0).meta({
    description:
      'The weight moves only as far as every recommendation of the last so many seconds asks for; 0 moves at once.',
  }),
  policies: z
    .array(stepPolicySchema)
    .min(1)
    .max(MAX_POLICIES)
    .meta({ description: 'Step limits; none where absent.' })
    .optional(),
  selectPolicy: z
    .enum(['Max', 'Min', 'Disabled'])
    .meta({
      description:
        'Which policy counts: Max (the default) the one that allows the most, Min the least; Disabled allows no move this way.',
    })
    .optional(),
});

type WireMoveRules = z.output<typeof moveRulesObject>;

function moveRules(description: string) {
  return withRules(
    moveRulesObject,
    [
      {
        cel: "!has(self.selectPolicy) || self.selectPolicy == 'Disabled' || has(self.policies)",
        message: 'selectPolicy Max or Min needs policies to select from',
        holds: ({ selectPolicy, policies }: WireMoveRules) =>
          selectPolicy === undefined || selectPolicy === 'Disabled' || policies !== undefined,
      },
    ],
    { description },
  );
}

/** spec.behavior on the wire. */
export const behaviorSchema = z
  .object({
    increase: moveRules('How the weight may rise; without limit where absent.').optional(),
    decrease: moveRules('How the weight may fall; without limit where absent.').optional(),
  })
  .meta({
    description:
      "How fast the weight moves, in HorizontalPodAutoscaler v2's words: it is stabilised, then its step limited. Floors, bounds and the fallback are never slowed down; the way back from them is.",
  });

/** Wire to domain: seconds to milliseconds, an absent half as one without limits. */
export function toBehavior({ increase, decrease }: z.output<typeof behaviorSchema>): Behavior {
  return { increase: toMoveRules(increase), decrease: toMoveRules(decrease) };
}

function toMoveRules(wire: WireMoveRules | undefined): MoveRules {
  return {
    stabilisationMs: (wire?.stabilizationWindowSeconds ?? 0) * 1000,
    policies: (wire?.policies ?? []).map(({ type, value, periodSeconds }) => ({
      kind: type,
      value,
      periodMs: periodSeconds * 1000,
    })),
    select: wire?.selectPolicy ?? 'Max',
  };
}
