import { rational, type Rational } from '../foundation/rational.ts';
import { runLaw } from './law.ts';
import type { Recollection } from './recall.ts';
import type { HoldReason } from './reasons.ts';
import { baseOf } from './reference.ts';
import type { Sample } from './sample.ts';
import type { RebalanceSpec } from './spec.ts';
import { startTrail, type Trail } from './stages.ts';
import type { WeightedSet } from './targets/port.ts';

/** What the policy made of a sample. */
export type PolicyVerdict =
  | { readonly kind: 'Tracked'; readonly trail: Trail; readonly load: Rational; readonly base: number }
  /** It had nothing to decide on and stays where it is; `why` is a clause of the decision's because. */
  | { readonly kind: 'Held'; readonly trail: Trail; readonly reason: HoldReason; readonly why: string };

/** Runs the law on a usable sample; without one, or without a base, holds what the recollection says. */
export function runPolicy(
  spec: RebalanceSpec,
  set: WeightedSet,
  sample: Sample,
  memory: Recollection,
): PolicyVerdict {
  const hold = (reason: HoldReason, why: string): PolicyVerdict => ({
    kind: 'Held',
    trail: startTrail(rational(memory.withoutSample)),
    reason,
    why,
  });
  if (sample.kind === 'Absent') return hold('HeldWithoutData', `the query gave no number (${sample.reason})`);
  if (sample.kind === 'Failed') return hold('HeldOnFailure', `the metric failed (${sample.reason})`);
  const base = baseOf(spec, set);
  if (!base.ok) return hold(base.error.reason, base.error.why);
  const { policy } = spec;
  const facts = { load: sample.value, base: base.value, policy, lastWanted: memory.lastWanted };
  return { kind: 'Tracked', trail: runLaw(facts), load: sample.value, base: base.value };
}
