import { ok } from '../../foundation/result.ts';
import type { Reading } from '../../rebalance/sample.ts';
import type { RebalanceSpec, Signal } from '../../rebalance/spec.ts';
import { weight } from '../../rebalance/weight.ts';
import { pairOf, type ReplayedObject } from '../replay/replay.ts';
import { runReplay, type Run } from '../replay/run.ts';
import type { World } from '../replay/world.ts';
import { splitNotes } from '../report/split-notes.ts';
import { tell, type Report } from '../report/report.ts';
import type { Demand } from './demand.ts';
import { createPlant, type Plant } from './plant.ts';

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
  /** The demand that an additional metric measures, by its name; else that of the first, as far above its target. */
  readonly metricDemands: ReadonlyMap<string, Demand>;
  /** The value of a guard over time, by its name; else 1. */
  readonly guardValues: ReadonlyMap<string, Demand>;
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
const START_MS = Date.parse('2026-03-02T00:00:00Z');

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
      ...additionalNotes(named.map(({ object }) => object.spec)),
      'Clients, who follow each change of the weight evenly over their TTL; the sticky ones over ten of it.',
      ...splitNotes(named),
    ],
    recorded: undefined,
    intervalMs: subject.object.intervalMs,
    runs: named.map((each, index) => tell(runOne(each, input, (done) => onStep(index * intervals + done)))),
  };
}

function runOne({ name, object }: Named, input: SimulateInput, onStep: (done: number) => void): Run {
  const { referenceWeight, startWeight, ttlSeconds } = input;
  const set = pairOf(object.spec, {
    ownWeight: weight(startWeight),
    referenceWeight: weight(referenceWeight),
    ttlSeconds,
  });
  const world = createPlantWorld(input, object.spec);
  return runReplay({ name, object, start: { status: {}, set } }, world, onStep);
}

/** What is modelled of additional metrics and guards; nothing where no spec has any. */
function additionalNotes(specs: readonly RebalanceSpec[]): readonly string[] {
  const has = (list: 'additionalMetrics' | 'guards'): boolean => specs.some((spec) => spec[list].length > 0);
  return [
    ...(has('additionalMetrics')
      ? [
          'Additional metrics, which measure the same of demands of their own (--metric-demand), by default as far from their target as the first.',
        ]
      : []),
    ...(has('guards') ? ['Guards, which have the values of --guard, by default 1.'] : []),
  ];
}

/** One plant for each metric of the spec, all with the same weights. */
function createPlantWorld(input: SimulateInput, spec: RebalanceSpec): World {
  const { intervalMs, spec: first } = input.subject.object;
  const { signal, targetValue } = first.policy;
  const plantOf = (demand: Demand, windowMs: number, seed: number): Plant =>
    createPlant({
      demand,
      referenceWeight: input.referenceWeight,
      initialWeight: input.startWeight,
      ttl: (input.clientTtlSeconds * 1000) / intervalMs,
      window: windowMs / intervalMs,
      sticky: input.sticky,
      noise: input.noise,
      seed,
    });
  const plant = plantOf(input.demand, first.metric.windowMs, input.seed);
  const additional = spec.additionalMetrics.map(({ name, targetValue: own, metric }, index) => {
    const scale = own.div(targetValue).valueOf();
    const demand = input.metricDemands.get(name) ?? ((interval) => scale * input.demand(interval));
    return plantOf(demand, metric.windowMs, input.seed + index + 1);
  });
  return {
    length: input.intervals,
    moment(index) {
      for (const each of [plant, ...additional]) each.tick();
      return {
        atMs: START_MS + index * intervalMs,
        reading: readingOf(metricOf(plant, signal)),
        additionalReadings: additional.map((each) => readingOf(metricOf(each, signal))),
        guardReadings: spec.guards.map(({ name }) => readingOf(input.guardValues.get(name)?.(index) ?? 1)),
        load: plant.referenceLoad(),
      };
    },
    publish: (next) => {
      for (const each of [plant, ...additional]) each.publish(next);
    },
  };
}

function readingOf(value: number): Reading {
  return ok({ kind: 'Value', text: String(value) });
}

function metricOf(plant: Plant, signal: Signal): number {
  return signal === 'Load' ? plant.metric() : plant.demand();
}
