import type { DecisionReason } from '../../rebalance/reasons/decisions.ts';
import { toSamples } from '../../rebalance/sample.ts';
import { replaySync, type ReplayedObject, type ReplayState } from './replay.ts';
import type { Moment, World } from './world.ts';

/** One moment of a run. */
export interface RunStep {
  readonly atMs: number;
  /** What the query answered; undefined where it gave no number. */
  readonly metric: number | undefined;
  /** Load of the reference site; undefined where it is not known. */
  readonly load: number | undefined;
  /** In DNS after the moment. */
  readonly weight: number;
  /** undefined: nothing was due. */
  readonly decided: { readonly reason: DecisionReason; readonly because: string } | undefined;
}

/** What an object would have done, or does, in a world. */
export interface Run {
  /** What the run is called beside another. */
  readonly name: string;
  readonly target: number;
  readonly startWeight: number;
  readonly steps: readonly RunStep[];
}

/** Lets an object act upon a world, moment by moment; `onStep` hears how far it is. */
export function runReplay(
  {
    name,
    object,
    start,
  }: { readonly name: string; readonly object: ReplayedObject; readonly start: ReplayState },
  world: World,
  onStep: (done: number) => void = () => undefined,
): Run {
  const { spec } = object;
  const steps: RunStep[] = [];
  let state = start;
  for (let index = 0; index < world.length; index += 1) {
    const moment = world.moment(index);
    const before = state.set.own.total;
    const { state: next, decision } = replaySync(object, state, moment.atMs, () => toSamples(spec, moment));
    state = next;
    const { total: weight } = state.set.own;
    if (weight !== before) world.publish(weight);
    const decided =
      decision === undefined ? undefined : { reason: decision.reason, because: decision.because };
    steps.push({ atMs: moment.atMs, metric: metricOf(moment), load: moment.load, weight, decided });
    onStep(index + 1);
  }
  return { name, target: spec.policy.targetValue.valueOf(), startWeight: start.set.own.total, steps };
}

function metricOf({ reading }: Moment): number | undefined {
  return reading.ok && reading.value.kind === 'Value' ? Number(reading.value.text) : undefined;
}
