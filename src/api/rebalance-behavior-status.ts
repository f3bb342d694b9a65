import { z } from 'zod';
import { defined } from '../foundation/defined.ts';
import type { BehaviorStatus } from '../rebalance/behavior/memory-status.ts';
import { MAX_RECOMMENDATIONS, MAX_WEIGHTS } from '../rebalance/behavior/memory.ts';
import { weight } from '../rebalance/weight.ts';
import { time, weightField } from './fields.ts';
import { read } from './read-field.ts';

function entries(maximum: number, at: string, description: string) {
  const entry = z
    .object({
      at: time(at),
      weight: weightField('The weight.'),
    })
    .meta({ description: 'A weight and its time.' });
  return z.array(entry).max(maximum).meta({ description });
}

/** status.behavior on the wire. */
export const behaviorStatusSchema = z
  .object({
    target: z.string().max(64).meta({ description: 'Hash of the record that it is of.' }),
    dryRun: z
      .boolean()
      .meta({ description: 'The weights are those of a dry run, which were never in DNS.' })
      .optional(),
    lows: entries(
      MAX_RECOMMENDATIONS,
      'When it was last recommended.',
      'The lowest recommendations of the increase window that may still count, oldest first.',
    ),
    highs: entries(
      MAX_RECOMMENDATIONS,
      'When it was last recommended.',
      'The highest recommendations of the decrease window that may still count, oldest first.',
    ),
    weights: entries(
      MAX_WEIGHTS,
      'Since when it was in force.',
      'The weights in force within the longest period of a policy, oldest first.',
    ),
  })
  .meta({ description: 'What spec.behavior looks back on.' });

/** Reads it as it came; one that is unreadable is absent as a whole, and starts anew. */
export function readBehaviorStatus(raw: unknown): BehaviorStatus | undefined {
  const behavior = read(behaviorStatusSchema, raw);
  if (behavior === undefined) return undefined;
  const { target, dryRun, lows, highs, weights } = behavior;
  const toEntries = (list: typeof lows) =>
    list.map(({ at, weight: value }) => ({ at, weight: weight(value) }));
  return defined({
    target,
    dryRun,
    lows: toEntries(lows),
    highs: toEntries(highs),
    weights: toEntries(weights),
  });
}
