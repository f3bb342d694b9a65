import { readNumber } from '../../rebalance/metrics/prometheus-answer.ts';
import type { Signal } from '../../rebalance/spec.ts';
import { weight } from '../../rebalance/weight.ts';
import { pairOf, type ReplayedObject } from '../replay/replay.ts';
import { runReplay, type Run } from '../replay/run.ts';
import type { World } from '../replay/world.ts';
import { splitNotes } from '../report/split-notes.ts';
import { tell, type Report } from '../report/report.ts';
import type { Demand } from './demand.ts';
import { createPlant, type Plant } from './plant.ts';

/** What a message about a reading begins with. */
const METRIC = 'spec.metrics.prometheus';

/** An object under the name that it has beside another. */
export interface Named {
  readonly name: string;
  readonly object: ReplayedObject;
}

export interface SimulateInput {
  readonly subject: Named;
  /** On the same plant, with the same noise. */
  readonly compare: Named | undefined;
  readonly demand: Demand;
  readonly intervals: number;
  readonly referenceWeight: number;
  readonly startWeight: number;
  /** What the record says, and the controller reads. */
  readonly ttlSeconds: number;
  /** What clients really do. */
  readonly clientTtlSeconds: number;
  /** Fraction of clients who keep an address for ten times as long. */
  readonly sticky: number;
  /** Standard deviation of a sample, relative to the load. */
  readonly noise: number;
  readonly seed: number;
}

/** An arbitrary midnight, so that schedules mean something: interval 0 is 00:00 UTC of a Monday. */
export const START_MS = Date.parse('2026-03-02T00:00:00Z');

/** What objects do on a plant of two sites; the interval of the first is that of the plant. */
export function simulate(input: SimulateInput, onStep: (done: number) => void = () => undefined): Report {
  const { subject, compare, intervals } = input;
  const named = compare === undefined ? [subject] : [subject, compare];
  const { policy } = subject.object.spec;
  return {
    title: `Simulation of ${subject.name}`,
    measured: [],
    modelled: [
      'Everything: two sites behind a weighted record, and the demand for them.',
      `The metric, which is ${policy.signal === 'Load' ? 'the load of the reference site' : 'the total demand'}, averaged over the window of the query.`,
      'Clients, who follow each change of the weight evenly over their TTL; the sticky ones over ten of it.',
      ...splitNotes(named),
    ],
    recorded: undefined,
    intervalMs: subject.object.intervalMs,
    runs: named.map((each, index) => tell(runOne(each, input, (done) => onStep(index * intervals + done)))),
  };
}

function runOne({ name, object }: Named, input: SimulateInput, onStep: (done: number) => void): Run {
  const { subject, referenceWeight, startWeight, ttlSeconds } = input;
  const set = pairOf(object.spec, {
    ownWeight: weight(startWeight),
    referenceWeight: weight(referenceWeight),
    ttlSeconds,
  });
  const world = createPlantWorld(input, subject.object.spec.policy.signal);
  return runReplay({ name, object, start: { status: {}, set } }, world, onStep);
}

function createPlantWorld(input: SimulateInput, signal: Signal): World {
  const { intervalMs, spec } = input.subject.object;
  const plant = createPlant({
    demand: input.demand,
    referenceWeight: input.referenceWeight,
    initialWeight: input.startWeight,
    ttl: (input.clientTtlSeconds * 1000) / intervalMs,
    window: spec.metric.windowMs / intervalMs,
    sticky: input.sticky,
    noise: input.noise,
    seed: input.seed,
  });
  return {
    length: input.intervals,
    moment(index) {
      plant.tick();
      const reading = readNumber(METRIC, String(metricOf(plant, signal)));
      return { atMs: START_MS + index * intervalMs, reading, load: plant.referenceLoad() };
    },
    publish: (next) => plant.publish(next),
  };
}

function metricOf(plant: Plant, signal: Signal): number {
  return signal === 'Load' ? plant.metric() : plant.demand();
}
