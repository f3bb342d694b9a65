import { readRebalanceStatus } from '../../api/rebalance-status.ts';
import { decide } from '../../rebalance/decide.ts';
import type { Attempt, Decision, Outcome } from '../../rebalance/decision.ts';
import { due } from '../../rebalance/due.ts';
import { nextStatus } from '../../rebalance/next-status.ts';
import type { Notice } from '../../rebalance/notices.ts';
import type { Samples } from '../../rebalance/sample.ts';
import type { RebalanceSpec } from '../../rebalance/spec.ts';
import { splitWeight, withWeights } from '../../rebalance/split.ts';
import type { WeightedSet } from '../../rebalance/targets/port.ts';
import type { Weight } from '../../rebalance/weight.ts';

/** One object as it runs, for the whole of a replay. */
export interface ReplayedObject {
  readonly spec: RebalanceSpec;
  readonly generation: number;
  /** The interval in use. */
  readonly intervalMs: number;
  readonly notices: readonly Notice[];
}

/** All that one evaluation hands to the next: the live object's status, and what stands in DNS. */
export interface ReplayState {
  /** As answered, through JSON; read anew at each sync, as the hook does. */
  readonly status: unknown;
  readonly set: WeightedSet;
}

export interface Replayed {
  readonly state: ReplayState;
  /** undefined: nothing was due, and nothing happened. */
  readonly decision: Decision | undefined;
}

/**
 * One sync as production makes it, with the very functions that it calls: whether an attempt is due, the decision, the
 * status, which goes through JSON as the API server keeps it. The world obeys: a weight wanted is accepted and in DNS
 * at once. `dryRun` and `suspend` do not count, as nothing is written anyway. `read` is asked only when due.
 */
export function replaySync(
  object: ReplayedObject,
  state: ReplayState,
  nowMs: number,
  read: () => Samples,
): Replayed {
  const { spec, generation, intervalMs, notices } = object;
  const { set } = state;
  const status = readRebalanceStatus(state.status);
  const { scheduled: schedule } = spec.policy;
  if (due({ status, generation, schedule, intervalMs, mayPoll: true, nowMs }).kind !== 'Attempt')
    return { state, decision: undefined };

  const samples = read();
  const observed = { spec, generation, status, set, ...samples, intervalMs, nowMs };
  const decision = decide({ ...observed, writeForbidden: undefined });
  const outcome = carryOut(decision);
  const attempt: Attempt = { kind: 'Decided', spec, ...samples, set, decision, outcome };
  const next = nextStatus({ previous: status, generation, attempt, notices, nowMs });
  const kept: unknown = JSON.parse(JSON.stringify(next));
  return { state: { status: kept, set: written(set, outcome) }, decision };
}

/** Every change has the same name: a decision does not depend on it. */
const CHANGE = { id: 'C1', status: 'INSYNC' } as const;

function carryOut({ effect, split }: Decision): Outcome {
  return effect.kind === 'WriteWeight'
    ? { kind: 'Accepted', weight: effect.weight, records: split, change: CHANGE }
    : { kind: 'NotWritten', because: effect.because };
}

function written(set: WeightedSet, outcome: Outcome): WeightedSet {
  if (outcome.kind !== 'Accepted') return set;
  return { ...set, own: { records: withWeights(set.own.records, outcome.records), total: outcome.weight } };
}

export interface PairOfRecords {
  readonly ownWeight: Weight;
  readonly referenceWeight: Weight;
  readonly ttlSeconds: number;
}

/** The set of a spec's records, in their shares, and its reference, which a replay starts from. */
export function pairOf({ target }: RebalanceSpec, pair: PairOfRecords): WeightedSet {
  const { ownWeight, referenceWeight, ttlSeconds } = pair;
  const common = { ttlSeconds, healthChecked: false };
  return {
    own: {
      records: splitWeight(ownWeight, target.records).map((record) => ({ ...record, ...common })),
      total: ownWeight,
    },
    others: [{ identifier: target.reference ?? 'reference', weight: referenceWeight, ...common }],
  };
}
