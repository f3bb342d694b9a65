import { rational } from '../foundation/rational.ts';
import { adviceOf } from './advice.ts';
import { runBehavior, type Behaved } from './behavior/behavior.ts';
import { keptWeight } from './behavior/kept-weight.ts';
import { readMemory } from './behavior/memory-status.ts';
import type { Contest } from './contest-status.ts';
import { judgeContest } from './contest.ts';
import type { Decision, Effect, Fallback, NoWriteReason, WriteForbidden } from './decision.ts';
import { explain } from './explain.ts';
import { countSamples } from './failures.ts';
import { runGuards, type Guarded } from './guards.ts';
import { boundsAt, runLimits, runSet, type Bounds, type LimitFacts } from './limits.ts';
import { runPolicy, type PolicyFacts, type PolicyVerdict } from './policy.ts';
import { recall } from './recall.ts';
import type { RebalanceSpec } from './spec.ts';
import { changedWeights, splitWeight } from './split.ts';
import { note, type Trail } from './stages.ts';
import type { RecordWeight } from './targets/port.ts';
import { toWeight, type Weight } from './weight.ts';

/** Everything that a decision depends on: the same observation gives the same decision, byte for byte. */
export interface Observation extends PolicyFacts {
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
  const { spec, generation, status, set, intervalMs, writeForbidden } = observation;
  const { failures, fallback } = countSamples(status, spec.onFailure, observation);
  const recollection = recall(status, set, writeForbidden);
  const policy = runPolicy(observation, recollection);
  const course = runCourse(observation, policy, fallback, recollection.inForce);
  const desired = toWeight(course.limited.wanted);
  const split = splitOf(observation, course);
  const contest = contestOf(observation, policy, split);
  const stop = contest.isContested ? 'Contested' : writeForbidden;
  const effect = effectOf(desired, changedWeights(split, set.own), stop);
  const leaves = effect.kind === 'WriteWeight' ? effect.weight : set.own.total;
  const { stages, limitedBy } = note(course.limited, 'write', rational(leaves));
  return {
    generation,
    ...explain({ ...course, behaved: course.behaved.trail, limitedBy, desired }),
    stages,
    limitedBy,
    held: policy.kind === 'Held' ? policy.reason : undefined,
    metric: policy.kind === 'Held' ? undefined : policy.name,
    asks: policy.asks,
    policyWeight: policyWeightOf(spec, course, recollection.lastWanted),
    history: policy.history,
    behavior: course.behaved.memory,
    contest,
    advice: adviceOf({ spec, set, policy, intervalMs }),
    fallback,
    desired,
    split,
    effect,
    failures,
  };
}

/** A weight on its way from what the policy asks for to what is wanted: as each part of the way left it. */
interface Course {
  readonly policy: PolicyVerdict;
  readonly limits: LimitFacts;
  /** After fallback and bounds. */
  readonly bounded: Trail;
  /** After `behavior` too. */
  readonly behaved: Behaved;
  /** After the guards too. */
  readonly guarded: Guarded;
  /** After the rest of the set too: the end of the way. */
  readonly limited: Trail;
}

function runCourse(
  observation: Observation,
  policy: PolicyVerdict,
  fallback: Fallback | undefined,
  inForce: Weight,
): Course {
  const { spec, set, guardSamples: samples, nowMs } = observation;
  const bounds = boundsAt(spec.policy, nowMs);
  const limits = { onFailure: spec.onFailure, fallback, bounds, set };
  const isFallback = fallback?.active === true;
  const bounded = runLimits(limits, policy.trail);
  const behaved = behave(observation, { trail: bounded, policy, bounds, inForce, isFallback });
  const guarded = runGuards({ guards: spec.guards, samples, inForce, bounds, isFallback }, behaved.trail);
  return { policy, limits, bounded, behaved, guarded, limited: runSet(limits, guarded.trail) };
}

interface Unbehaved {
  readonly trail: Trail;
  readonly policy: PolicyVerdict;
  readonly bounds: Bounds;
  readonly inForce: Weight;
  readonly isFallback: boolean;
}

/** Slows the move down by `behavior`; without one nothing happens and nothing is remembered. */
function behave(
  { spec: { behavior }, status, nowMs, writeForbidden }: Observation,
  { trail, policy, ...facts }: Unbehaved,
): Behaved {
  if (behavior === undefined) return { trail, stabilised: undefined, memory: undefined };
  const { targetKey } = policy.history;
  const isDry = writeForbidden !== undefined;
  const previous = readMemory(status.behavior);
  return runBehavior({ ...facts, behavior, targetKey, isDry, nowMs, previous }, trail);
}

function policyWeightOf(
  spec: RebalanceSpec,
  { policy, limits, bounded, behaved, guarded }: Course,
  lastWanted: Weight,
): Weight {
  return keptWeight(spec.policy, {
    wanted: toWeight(policy.trail.wanted),
    lastWanted,
    bounded: toWeight(bounded.wanted),
    letThrough: guarded.stoppedBy.length > 0 ? toWeight(guarded.trail.wanted) : behaved.stabilised,
    lowest: limits.bounds.lowest,
  });
}

function contestOf(
  { status, generation, set, lastSent = [], writeForbidden }: Observation,
  { history: { targetKey } }: PolicyVerdict,
  wanted: readonly RecordWeight[],
): Contest {
  const isDry = writeForbidden !== undefined;
  return judgeContest({ status, generation, own: set.own, targetKey, isDry, lastSent, wanted });
}

/**
 * The last step: the weight over our records. They stay as they stand in DNS where their weight is kept from all zero, and
 * where it is held and nothing overruled that: nothing is undone without data.
 */
function splitOf(
  { spec, set: { own } }: Observation,
  { policy, guarded, limited: { wanted, limitedBy } }: Course,
): readonly RecordWeight[] {
  const isHeld = policy.kind === 'Held' || limitedBy.includes('hold') || guarded.stoppedBy.length > 0;
  return (isHeld && wanted.equals(own.total)) || limitedBy.includes('set')
    ? own.records.map(({ identifier, weight }) => ({ identifier, weight }))
    : splitWeight(toWeight(wanted), spec.target.records);
}

function effectOf(
  weight: Weight,
  records: readonly RecordWeight[],
  stop: Exclude<NoWriteReason, 'Unchanged'> | undefined,
): Effect {
  if (records.length === 0) return { kind: 'None', because: 'Unchanged' };
  if (stop !== undefined) return { kind: 'None', because: stop };
  return { kind: 'WriteWeight', weight, records };
}
