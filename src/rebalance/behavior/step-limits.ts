import type { Behavior, MoveRules, StepPolicy } from '../spec.ts';
import { MAX_WEIGHT, weight, type Weight } from '../weight.ts';
import type { WeightAt } from './memory.ts';

/** What a step is measured against. */
export interface StepFacts {
  readonly behavior: Behavior;
  readonly inForce: Weight;
  /** Weights in force since their times, oldest first. */
  readonly weights: readonly WeightAt[];
  readonly nowMs: number;
}

/**
 * Horizontal Pod Autoscaler v2's scaling policies (Kubernetes documentation, "Scaling policies"): each allows a change
 * from the weight that was in force when its period began, so a period's steps share one allowance. Max takes the policy
 * that allows the most, Min the least, Disabled none.
 */
export function limitStep(wanted: Weight, facts: StepFacts): Weight {
  const { behavior, inForce } = facts;
  if (wanted > inForce)
    return weight(Math.min(wanted, Math.max(inForce, riseLimit(behavior.increase, facts))));
  return weight(Math.max(wanted, Math.min(inForce, fallLimit(behavior.decrease, facts))));
}

function riseLimit({ select, policies }: MoveRules, facts: StepFacts): number {
  if (select === 'Disabled') return facts.inForce;
  if (policies.length === 0) return MAX_WEIGHT;
  const limits = policies.map((policy) => raised(startOf(policy, facts), policy));
  return select === 'Max' ? Math.max(...limits) : Math.min(...limits);
}

function fallLimit({ select, policies }: MoveRules, facts: StepFacts): number {
  if (select === 'Disabled') return facts.inForce;
  if (policies.length === 0) return 0;
  const limits = policies.map((policy) => lowered(startOf(policy, facts), policy));
  return select === 'Max' ? Math.min(...limits) : Math.max(...limits);
}

/** The weight in force when the period of a policy began; the first one known where nothing reaches back so far. */
function startOf({ periodMs }: StepPolicy, { weights, inForce, nowMs }: StepFacts): Weight {
  const start = weights.findLast(({ atMs }) => atMs <= nowMs - periodMs) ?? weights[0];
  return start?.weight ?? inForce;
}

/** At least one more: a percentage of 0 would never leave 0. */
function raised(start: Weight, { kind, value }: StepPolicy): number {
  return kind === 'Weight' ? start + value : Math.max(start + 1, Math.ceil((start * (100 + value)) / 100));
}

function lowered(start: Weight, { kind, value }: StepPolicy): number {
  return kind === 'Weight' ? start - value : Math.floor((start * (100 - value)) / 100);
}
