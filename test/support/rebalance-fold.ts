import { readRebalanceStatus } from '../../src/api/rebalance-status.ts';
import { decide, type Observation } from '../../src/rebalance/decide.ts';
import type { Attempt, Decision, Outcome, WriteForbidden } from '../../src/rebalance/decision.ts';
import { rescueFromAllZero } from '../../src/rebalance/limits.ts';
import { nextStatus } from '../../src/rebalance/next-status.ts';
import { splitWeight } from '../../src/rebalance/split.ts';
import type { Sample } from '../../src/rebalance/sample.ts';
import type { RebalanceSpec } from '../../src/rebalance/spec.ts';
import type { RebalanceStatus } from '../../src/rebalance/status.ts';
import type { TargetFailure } from '../../src/rebalance/targets/port.ts';
import { NOON, setOf } from './rebalance.ts';

/** DNS and the live object, between two attempts. */
export interface World {
  readonly own: number;
  readonly others: readonly number[];
  readonly status: RebalanceStatus;
  readonly nowMs: number;
}

/** What happens around one attempt. */
export interface Step {
  readonly spec: RebalanceSpec;
  readonly sample: Sample;
  readonly writeForbidden?: WriteForbidden | undefined;
  readonly afterMs?: number;
  /** Somebody else sets our weight before the attempt. */
  readonly foreignOwn?: number | undefined;
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
}

export const START: World = { own: 1, others: [8], status: {}, nowMs: NOON };

const UNREACHABLE: TargetFailure = {
  reason: 'TargetUnreachable',
  message: 'no connection to Route 53',
  outcomeUnknown: false,
};

/** Takes one step as the shell does: observe, decide, apply, and write the status, which comes back as JSON. */
export function take(world: World, step: Step): Taken {
  const before: World = {
    own: step.foreignOwn ?? world.own,
    others: step.others ?? world.others,
    status: world.status,
    nowMs: world.nowMs + (step.afterMs ?? 60_000),
  };
  const { spec, sample } = step;
  if (step.unread === true) {
    const attempt: Attempt = { kind: 'TargetUnread', spec, sample, failure: UNREACHABLE };
    return finish(before, step, { attempt, own: before.own, written: [] });
  }
  const observation: Observation = {
    spec,
    generation: 1,
    status: before.status,
    set: setOf(before.own, ...before.others),
    sample,
    intervalMs: spec.intervalMs,
    nowMs: before.nowMs,
    writeForbidden: step.writeForbidden,
  };
  const decision = decide(observation);
  const { outcome, written } = apply(decision, before, step);
  const attempt: Attempt = { kind: 'Decided', spec, sample, set: observation.set, decision, outcome };
  const own = written.at(-1) ?? before.own;
  return { ...finish(before, step, { attempt, own, written }), observation, decision };
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
): { readonly outcome: Outcome; readonly written: readonly number[] } {
  const { effect } = decision;
  if (effect.kind === 'None')
    return { outcome: { kind: 'NotWritten', because: effect.because }, written: [] };
  if (write !== 'Accepted') {
    const failure: TargetFailure = { ...UNREACHABLE, outcomeUnknown: write !== 'Refused' };
    return {
      outcome: { kind: 'Refused', failure },
      written: write === 'AbortedWritten' ? [effect.weight] : [],
    };
  }
  const rescue = rescueFromAllZero(setOf(effect.weight, ...before.others));
  const weight = rescue ?? effect.weight;
  const change = { id: 'C1', status: changeStatus };
  return {
    outcome: { kind: 'Accepted', weight, records: splitWeight(weight, spec.target.records), change },
    written: rescue === undefined ? [weight] : [effect.weight, rescue],
  };
}

function finish(
  before: World,
  step: Step,
  result: { readonly attempt: Attempt; readonly own: number; readonly written: readonly number[] },
): Taken {
  const { attempt, own, written } = result;
  const { nowMs } = before;
  const status = nextStatus({ previous: before.status, generation: 1, attempt, notices: [], nowMs });
  const live = step.statusLost === true ? before.status : status;
  const reread = readRebalanceStatus(JSON.parse(JSON.stringify(live)));
  return {
    before,
    after: { ...before, own, status: reread },
    observation: undefined,
    decision: undefined,
    attempt,
    status,
    written,
  };
}
