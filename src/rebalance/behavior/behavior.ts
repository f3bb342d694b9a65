import { rational } from '../../foundation/rational.ts';
import type { Stage } from '../decision.ts';
import { withinBounds, type Bounds } from '../limits.ts';
import { runStages, type StageRule, type Trail } from '../stages.ts';
import { toWeight, type Weight } from '../weight.ts';
import { rememberRecommendation, type BehaviorMemory, type MemoryFacts } from './memory.ts';
import { stabilise } from './stabilise.ts';
import { limitStep } from './step-limits.ts';

/** What a move is held against. */
export interface BehaviorFacts extends MemoryFacts {
  readonly previous: BehaviorMemory | undefined;
  readonly bounds: Bounds;
  /** The fallback weight is in force: it is never slowed down, only the way back from it is. */
  readonly isFallback: boolean;
}

/** A weight after `behavior`, and what the next decision is to remember. */
export interface Behaved {
  readonly trail: Trail;
  /** After the windows; undefined: they did not run. */
  readonly stabilised: Weight | undefined;
  /** undefined: there is no `behavior`. */
  readonly memory: BehaviorMemory | undefined;
}

/**
 * Stabilises what is wanted within bounds, then limits the step to it. What moves a weight back into bounds is never slowed
 * down, so both stages end within them.
 */
export function runBehavior(facts: BehaviorFacts, trail: Trail): Behaved {
  const { previous, inForce, bounds } = facts;
  const memory = rememberRecommendation(previous, toWeight(trail.wanted), facts);
  if (facts.isFallback) return { trail, stabilised: undefined, memory };
  const step = { ...facts, weights: memory.weights };
  const stabilising = stageWithin(bounds, 'stabilise', (wanted) => stabilise(wanted, inForce, memory));
  const limiting = stageWithin(bounds, 'stepLimit', (wanted) => limitStep(wanted, step));
  const stabilised = runStages([stabilising], undefined, trail);
  return {
    trail: runStages([limiting], undefined, stabilised),
    stabilised: toWeight(stabilised.wanted),
    memory,
  };
}

function stageWithin(bounds: Bounds, stage: Stage, move: (wanted: Weight) => Weight): StageRule<undefined> {
  return { stage, apply: (wanted) => withinBounds(rational(move(toWeight(wanted))), bounds) };
}
