import { rational } from '../foundation/rational.ts';
import { adviceOf } from './advice.ts';
import type { Decision, Effect, WriteForbidden } from './decision.ts';
import { explain } from './explain.ts';
import { countSample } from './failures.ts';
import { boundsAt, runLimits } from './limits.ts';
import { runPolicy } from './policy.ts';
import { recall } from './recall.ts';
import type { Sample } from './sample.ts';
import type { RebalanceSpec } from './spec.ts';
import { note, type Trail } from './stages.ts';
import type { RebalanceStatus } from './status.ts';
import type { WeightedSet } from './targets/port.ts';
import { MAX_WEIGHT, weight, type Weight } from './weight.ts';

/** Everything that a decision depends on: the same observation gives the same decision, byte for byte. */
export interface Observation {
  readonly spec: RebalanceSpec;
  /** metadata.generation of that spec. */
  readonly generation: number;
  /** The live object's, as the lenient reader gave it: what is missing or unreadable counts as absent. */
  readonly status: RebalanceStatus;
  /** The records as read for this attempt. */
  readonly set: WeightedSet;
  readonly sample: Sample;
  /** The interval in use, raised to --min-interval. */
  readonly intervalMs: number;
  readonly nowMs: number;
  /** undefined: the shell may write. */
  readonly writeForbidden: WriteForbidden | undefined;
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
  const { spec, generation, status, set, sample, intervalMs, nowMs, writeForbidden } = observation;
  const { failures, fallback } = countSample(status, spec.onFailure, sample);
  const policy = runPolicy(observation, recall(status, set, writeForbidden));
  const limits = { onFailure: spec.onFailure, fallback, bounds: boundsAt(spec.policy, nowMs), set };
  const limited = runLimits(limits, policy.trail);

  const desired = toWeight(limited);
  const effect = effectOf(desired, set.own.weight, writeForbidden);
  const leaves = effect.kind === 'WriteWeight' ? effect.weight : set.own.weight;
  const { stages, limitedBy } = note(limited, 'write', rational(leaves));
  return {
    generation,
    ...explain({ tracking: spec.policy, policy, limits, limitedBy, desired }),
    stages,
    limitedBy,
    held: policy.kind === 'Held' ? policy.reason : undefined,
    policyWeight: toWeight(policy.trail),
    history: policy.history,
    advice: adviceOf({ spec, set, policy, intervalMs }),
    fallback,
    desired,
    effect,
    failures,
  };
}

/** The whole number that a trail ended at; what the policy wants beyond 255 is kept as 255. */
function toWeight({ wanted }: Trail): Weight {
  return weight(wanted.gt(MAX_WEIGHT) ? MAX_WEIGHT : Number(wanted.n));
}

function effectOf(desired: Weight, own: Weight, writeForbidden: WriteForbidden | undefined): Effect {
  if (desired === own) return { kind: 'None', because: 'Unchanged' };
  if (writeForbidden !== undefined) return { kind: 'None', because: writeForbidden };
  return { kind: 'WriteWeight', weight: desired };
}
