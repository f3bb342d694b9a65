import { certain } from '../../foundation/certain.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import { longestWindowMs } from '../../rebalance/followed-metrics.ts';
import type { Signal } from '../../rebalance/spec.ts';
import { weight } from '../../rebalance/weight.ts';
import { pairOf, type ReplayedObject } from '../replay/replay.ts';
import { runReplay, type Run } from '../replay/run.ts';
import { splitNotes } from '../report/split-notes.ts';
import { tell, type Report } from '../report/report.ts';
import {
  guardColumn,
  metricColumn,
  pointsAt,
  type Columns,
  type Point,
  type PublishedWeight,
} from './series.ts';
import { createMeasuredWorld, pastOfDemand, pastOfLoad, type Past, type Pasts } from './world.ts';

/** An object under the name that it has beside another. */
export interface Named {
  readonly name: string;
  readonly object: ReplayedObject;
}

export interface BacktestInput {
  readonly subject: Named;
  /** Over the same past, from the same start. */
  readonly compare: Named | undefined;
  readonly points: readonly Point[];
  /** Of the additional metrics and guards. */
  readonly columns: Columns;
  /** Ordered by time; empty where they are not known. */
  readonly published: readonly PublishedWeight[];
  /** undefined: the spec's baseValue. */
  readonly referenceWeight: number | undefined;
  /** undefined: the weight published at the first point, else 0. */
  readonly startWeight: number | undefined;
  readonly ttlSeconds: number;
}

/** What stands in DNS at the start. */
interface Start {
  readonly referenceWeight: number;
  readonly startWeight: number;
  readonly ttlMs: number;
}

/**
 * What the objects would have done with what was measured. The error is one line that names the flag which would help.
 * `onStep` hears how many of all steps of all runs are done.
 */
export function backtest(
  input: BacktestInput,
  onStep: (done: number) => void = () => undefined,
): Result<Report, string> {
  const { subject, compare, points, published } = input;
  const { policy, metric } = subject.object.spec;
  const referenceWeight = input.referenceWeight ?? policy.baseValue;
  if (referenceWeight === undefined)
    return err(
      '--reference-weight: expected the weight of the reference record, as the spec has no baseValue',
    );
  if (policy.signal === 'Load' && published.length === 0)
    return err(
      '--weights: signal load answered to the weights published then; expected a file of them, or a column weight in --file',
    );
  const startWeight = input.startWeight ?? weightAt(published, points[0]?.atMs ?? 0) ?? 0;
  const start: Start = { referenceWeight, startWeight, ttlMs: input.ttlSeconds * 1000 };
  const pastOf = (measured: readonly Point[], windowMs: number): Past =>
    policy.signal === 'Demand'
      ? pastOfDemand(measured)
      : pastOfLoad(measured, published, { ...start, windowMs });
  const past = pastOf(points, metric.windowMs);
  const named = compare === undefined ? [subject] : [subject, compare];
  const pasts = named.map(({ object: { spec } }): Pasts => {
    const columnOf = (name: string): readonly Point[] => pointsAt(input.columns, name, points);
    return {
      metric: { past, windowMs: spec.metric.windowMs },
      additional: spec.additionalMetrics.map(({ name, metric: { windowMs } }) => ({
        past: pastOf(columnOf(metricColumn(name)), windowMs),
        windowMs,
      })),
      guards: spec.guards.map(({ name }) => columnOf(guardColumn(name))),
    };
  });
  const runs = named.map((each, index) =>
    runOne(each, certain(pasts[index], 'the past of a run'), start, (done) =>
      onStep(index * points.length + done),
    ),
  );
  const { measured, modelled } = notesOf(policy.signal, input.columns.size > 0);
  return ok({
    title: `Backtest of ${subject.name}`,
    measured,
    modelled: [...modelled, ...splitNotes(named)],
    recorded: policy.signal === 'Demand' ? undefined : points.map(({ text }) => finite(text)),
    intervalMs: undefined,
    runs: runs.map(tell),
  });
}

const CLIENTS_NOTE =
  'Clients follow each change of the weight evenly over the TTL of the record; a change is in DNS when it is accepted.';

const DEMAND_NOTES = {
  measured: ['The metric, which is the total demand and does not depend on the weight.'],
  modelled: [
    "The expected load of the reference site: demand x b / (b + w), b being the reference's weight and w ours.",
    CLIENTS_NOTE,
  ],
} as const;

const LOAD_NOTES = {
  measured: ['The load of the reference site, and the weights that were published then.'],
  modelled: [
    'The total demand: the measured load over the share that the published weights gave the reference site.',
    'The metric of each run and the expected load: that demand times the share that the weights of the run give.',
    CLIENTS_NOTE,
  ],
} as const;

/** What is measured and what is modelled; of additional metrics it is the same as of the first. */
function notesOf(signal: Signal, hasColumns: boolean): Pick<Report, 'measured' | 'modelled'> {
  const { measured, modelled } = signal === 'Demand' ? DEMAND_NOTES : LOAD_NOTES;
  const more = 'Additional metrics, which count as the first does, and guards, which are taken as they were.';
  return { measured: hasColumns ? [...measured, more] : measured, modelled };
}

function runOne({ name, object }: Named, pasts: Pasts, start: Start, onStep: (done: number) => void): Run {
  const { spec } = object;
  const { referenceWeight, startWeight, ttlMs } = start;
  const set = pairOf(spec, {
    ownWeight: weight(startWeight),
    referenceWeight: weight(referenceWeight),
    ttlSeconds: ttlMs / 1000,
  });
  const world = createMeasuredWorld(pasts, { ...start, windowMs: longestWindowMs(spec) });
  return runReplay({ name, object, start: { status: {}, set } }, world, onStep);
}

/** The weight in force at a time: the last one published until then, else the first. */
function weightAt(published: readonly PublishedWeight[], atMs: number): number | undefined {
  return (published.findLast((entry) => entry.atMs <= atMs) ?? published[0])?.weight;
}

function finite(text: string | undefined): number | undefined {
  const value = text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
