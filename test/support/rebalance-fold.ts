import { readRebalanceStatus } from '../../src/api/rebalance-status.ts';
import { decide, type Observation } from '../../src/rebalance/decide.ts';
import type { Attempt, Decision, Outcome, WriteForbidden } from '../../src/rebalance/decision.ts';
import { rescueFromAllZero } from '../../src/rebalance/limits.ts';
import { nextStatus } from '../../src/rebalance/next-status.ts';
import { splitWeight, withWeights } from '../../src/rebalance/split.ts';
import type { Sample } from '../../src/rebalance/sample.ts';
import type { RebalanceSpec } from '../../src/rebalance/spec.ts';
import type { RebalanceStatus } from '../../src/rebalance/status.ts';
import type { RecordWeight, TargetFailure, WeightedSet } from '../../src/rebalance/targets/port.ts';
import { NOON, setOf, severalOf, UNREACHABLE } from './rebalance.ts';

/** DNS and the live object, between two attempts. */
export interface World {
  /** Our weight, of several records their sum. */
  readonly own: number;
  /** What each of several records has, in the order of the spec; absent: there is but one. */
  readonly parts?: readonly number[] | undefined;
  readonly others: readonly number[];
  readonly status: RebalanceStatus;
  readonly nowMs: number;
}

/** What happens around one attempt. */
export interface Step {
  readonly spec: RebalanceSpec;
  readonly sample: Sample;
  readonly additionalSamples?: readonly Sample[];
  readonly guardSamples?: readonly Sample[];
  readonly writeForbidden?: WriteForbidden | undefined;
  readonly afterMs?: number;
  /** Of the spec; 1 where nothing is said. */
  readonly generation?: number | undefined;
  /** Somebody else sets our weight before the attempt. */
  readonly foreignOwn?: number | undefined;
  /** The same of several records. */
  readonly foreignParts?: readonly number[] | undefined;
  readonly others?: readonly number[] | undefined;
  /** The records cannot be read. */
  readonly unread?: boolean;
  /** What becomes of a write. `AbortedWritten`: Route 53 did it, but we never heard so. */
  readonly write?: 'Accepted' | 'Refused' | 'Aborted' | 'AbortedWritten';
  readonly changeStatus?: 'PENDING' | 'INSYNC';
  /** The status write of this attempt is lost: the next one reads the old status. */
  readonly statusLost?: boolean;
}

/** One attempt as it went, beside the world that it left. */
export interface Taken {
  readonly before: World;
  readonly after: World;
  /** undefined where the set could not be read. */
  readonly observation: Observation | undefined;
  readonly decision: Decision | undefined;
  readonly attempt: Attempt;
  readonly status: RebalanceStatus;
  /** Weights that reached DNS, in order. */
  readonly written: readonly number[];
  /** What each write left in each of our records. */
  readonly left: readonly (readonly number[])[];
}

export const START: World = { own: 1, others: [8], status: {}, nowMs: NOON };

/** Takes one step as the shell does: observe, decide, apply, and write the status, which comes back as JSON. */
export function take(world: World, step: Step): Taken {
  const parts = step.foreignParts ?? world.parts;
  const before: World = {
    own: parts === undefined ? (step.foreignOwn ?? world.own) : sumOf(parts),
    parts,
    others: step.others ?? world.others,
    status: world.status,
    nowMs: world.nowMs + (step.afterMs ?? 60_000),
  };
  const { spec, sample, generation = 1, additionalSamples = [], guardSamples = [] } = step;
  const samples = { sample, additionalSamples, guardSamples };
  if (step.unread === true) {
    const attempt: Attempt = { kind: 'TargetUnread', spec, ...samples, failure: UNREACHABLE };
    return finish(before, step, { attempt, left: [] });
  }
  const observation: Observation = {
    spec,
    generation,
    status: before.status,
    set: setIn(before),
    ...samples,
    intervalMs: spec.intervalMs,
    nowMs: before.nowMs,
    writeForbidden: step.writeForbidden,
  };
  const decision = decide(observation);
  const { outcome, left } = apply(decision, before, step);
  const attempt: Attempt = { kind: 'Decided', spec, ...samples, set: observation.set, decision, outcome };
  return { ...finish(before, step, { attempt, left }), observation, decision };
}

/** Takes step after step. */
export function takeAll(steps: readonly Step[], start: World = START): readonly Taken[] {
  const taken: Taken[] = [];
  for (const step of steps) taken.push(take(taken.at(-1)?.after ?? start, step));
  return taken;
}

function apply(
  decision: Decision,
  before: World,
  { spec, write = 'Accepted', changeStatus = 'INSYNC' }: Step,
): { readonly outcome: Outcome; readonly left: Taken['left'] } {
  const { effect } = decision;
  if (effect.kind === 'None') return { outcome: { kind: 'NotWritten', because: effect.because }, left: [] };
  const { records } = setIn(before).own;
  const written = withWeights(records, effect.records);
  if (write !== 'Accepted') {
    const failure: TargetFailure = { ...UNREACHABLE, outcomeUnknown: write !== 'Refused' };
    return {
      outcome: { kind: 'Refused', failure },
      left: write === 'AbortedWritten' ? [weightsOf(written)] : [],
    };
  }
  const rescue = rescueFromAllZero({ ...setIn(before), own: { records: written, total: effect.weight } });
  const change = { id: 'C1', status: changeStatus };
  const first = { kind: 'Accepted', weight: effect.weight, records: written, change } as const;
  if (rescue === undefined) return { outcome: first, left: [weightsOf(written)] };
  const rescued = splitWeight(rescue, spec.target.records);
  const outcome = { ...first, weight: rescue, records: rescued };
  return { outcome, left: [weightsOf(written), weightsOf(rescued)] };
}

function finish(before: World, step: Step, { attempt, left }: Pick<Taken, 'attempt' | 'left'>): Taken {
  const parts = left.at(-1);
  const own = parts === undefined ? before.own : sumOf(parts);
  const { nowMs } = before;
  const status = nextStatus({
    previous: before.status,
    generation: step.generation ?? 1,
    attempt,
    notices: [],
    nowMs,
  });
  const live = step.statusLost === true ? before.status : status;
  const reread = readRebalanceStatus(JSON.parse(JSON.stringify(live)));
  return {
    before,
    after: { ...before, own, parts: before.parts && (parts ?? before.parts), status: reread },
    observation: undefined,
    decision: undefined,
    attempt,
    status,
    written: left.map(sumOf),
    left,
  };
}

function setIn({ own, parts, others }: World): WeightedSet {
  return parts === undefined ? setOf(own, ...others) : severalOf(parts, ...others);
}

function weightsOf(records: readonly RecordWeight[]): readonly number[] {
  return records.map(({ weight }) => weight);
}

export function sumOf(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}
