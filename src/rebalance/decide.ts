import { rational } from '../foundation/rational.ts';
import { adviceOf } from './advice.ts';
import { runBehavior, type Behaved } from './behavior/behavior.ts';
import { keptWeight } from './behavior/kept-weight.ts';
import { readMemory } from './behavior/memory-status.ts';
import { judgeContest } from './contest.ts';
import type { Decision, Effect, WriteForbidden } from './decision.ts';
import { explain } from './explain.ts';
import { countSamples } from './failures.ts';
import { runGuards, type Guarded } from './guards.ts';
import { boundsAt, runLimits, runSet, type LimitFacts } from './limits.ts';
import { runPolicy, type PolicyVerdict } from './policy.ts';
import { recall } from './recall.ts';
import type { Samples } from './sample.ts';
import type { RebalanceSpec } from './spec.ts';
import { changedWeights, splitWeight } from './split.ts';
import { note, type Trail } from './stages.ts';
import type { RebalanceStatus } from './status.ts';
import type { RecordWeight, WeightedSet } from './targets/port.ts';
import { toWeight, type Weight } from './weight.ts';

/** Everything that a decision depends on: the same observation gives the same decision, byte for byte. */
export interface Observation extends Samples {
  readonly spec: RebalanceSpec;
  /** metadata.generation of that spec. */
  readonly generation: number;
  /** The live object's, as the lenient reader gave it: what is missing or unreadable counts as absent. */
  readonly status: RebalanceStatus;
  /** The records as read for this attempt. */
  readonly set: WeightedSet;
  /** The interval in use, raised to --min-interval. */
  readonly intervalMs: number;
  readonly nowMs: number;
  /** undefined: the shell may write. */
  readonly writeForbidden: WriteForbidden | undefined;
  /** What this process last sent for our records; nothing where it is not known, as after a restart. */
  readonly lastSent?: readonly RecordWeight[];
}

/** Who forbids a write, if anybody: the object's own dryRun, or --observe-only, which makes every object a dry run. */
export function writeForbiddenBy(
  { dryRun }: Pick<RebalanceSpec, 'dryRun'>,
  observeOnly: boolean,
): WriteForbidden | undefined {
  if (dryRun) return 'DryRun';
  return observeOnly ? 'ObserveOnly' : undefined;
}

/**
 * Decides the weight: the policy's law on a usable sample (else the weight is held), then fallback, bounds and the rest
 * of the set, which may overrule it without a sample too. Nothing is written here; `effect` says what is to be.
 */
export function decide(observation: Observation): Decision {
  const { spec, generation, status, set, intervalMs, nowMs, writeForbidden } = observation;
  const { failures, fallback } = countSamples(status, spec.onFailure, observation);
  const recollection = recall(status, set, writeForbidden);
  const policy = runPolicy(observation, recollection);
  const limits = { onFailure: spec.onFailure, fallback, bounds: boundsAt(spec.policy, nowMs), set };
  const bounded = runLimits(limits, policy.trail);
  const { inForce } = recollection;
  const behaved = behave(observation, { bounded, limits, policy, inForce });
  const guarded = guard(observation, { limits, inForce }, behaved.trail);
  const limited = runSet(limits, guarded.trail);

  const desired = toWeight(limited.wanted);
  const isHeld = policy.kind === 'Held' || limited.limitedBy.includes('hold') || guarded.stoppedBy.length > 0;
  const split = splitOf(observation, isHeld, limited);
  const contest = judgeContest({
    status,
    generation,
    own: set.own,
    targetKey: policy.history.targetKey,
    isDry: writeForbidden !== undefined,
    lastSent: observation.lastSent ?? [],
    wanted: split,
  });
  const stop = contest.isContested ? 'Contested' : writeForbidden;
  const effect = effectOf(desired, changedWeights(split, set.own), stop);
  const leaves = effect.kind === 'WriteWeight' ? effect.weight : set.own.total;
  const { stages, limitedBy } = note(limited, 'write', rational(leaves));
  return {
    generation,
    ...explain({
      policy,
      limits,
      bounded,
      behaved: behaved.trail,
      guarded,
      limitedBy,
      desired,
    }),
    stages,
    limitedBy,
    held: policy.kind === 'Held' ? policy.reason : undefined,
    metric: policy.kind === 'Held' ? undefined : policy.name,
    policyWeight: keptWeight(spec.policy, {
      wanted: toWeight(policy.trail.wanted),
      lastWanted: recollection.lastWanted,
      bounded: toWeight(bounded.wanted),
      letThrough: guarded.stoppedBy.length > 0 ? toWeight(guarded.trail.wanted) : behaved.stabilised,
      lowest: limits.bounds.lowest,
    }),
    history: policy.history,
    behavior: behaved.memory,
    contest,
    advice: adviceOf({ spec, set, policy, intervalMs }),
    fallback,
    desired,
    split,
    effect,
    failures,
  };
}

interface Unbehaved {
  readonly bounded: Trail;
  readonly limits: LimitFacts;
  readonly policy: PolicyVerdict;
  readonly inForce: Weight;
}

/** Slows the move down by `behavior`; without one nothing happens and nothing is remembered. */
function behave(
  { spec, status, nowMs, writeForbidden }: Observation,
  { bounded, limits, policy, inForce }: Unbehaved,
): Behaved {
  const { behavior } = spec;
  if (behavior === undefined) return { trail: bounded, stabilised: undefined, memory: undefined };
  const { targetKey } = policy.history;
  const isDry = writeForbidden !== undefined;
  const isFallback = limits.fallback?.active === true;
  const previous = readMemory(status.behavior);
  const { bounds } = limits;
  return runBehavior({ behavior, targetKey, isDry, inForce, nowMs, previous, bounds, isFallback }, bounded);
}

/** Lets the guards stop a move. */
function guard(
  { spec, guardSamples: samples }: Observation,
  { limits, inForce }: Pick<Unbehaved, 'limits' | 'inForce'>,
  trail: Trail,
): Guarded {
  const isFallback = limits.fallback?.active === true;
  return runGuards({ guards: spec.guards, samples, inForce, bounds: limits.bounds, isFallback }, trail);
}

/**
 * The last step: the weight over our records. They stay as they stand in DNS where their weight is kept from all zero, and
 * where it is held and nothing overruled that: nothing is undone without data.
 */
function splitOf(
  { spec, set: { own } }: Observation,
  isHeld: boolean,
  { wanted, limitedBy }: Trail,
): readonly RecordWeight[] {
  const stays = isHeld && wanted.equals(own.total);
  return stays || limitedBy.includes('set')
    ? own.records.map(({ identifier, weight }) => ({ identifier, weight }))
    : splitWeight(toWeight(wanted), spec.target.records);
}

function effectOf(
  weight: Weight,
  records: readonly RecordWeight[],
  stop: WriteForbidden | 'Contested' | undefined,
): Effect {
  if (records.length === 0) return { kind: 'None', because: 'Unchanged' };
  if (stop !== undefined) return { kind: 'None', because: stop };
  return { kind: 'WriteWeight', weight, records };
}
