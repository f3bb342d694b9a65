import { readNumber } from '../../rebalance/metrics/prometheus-answer.ts';
import type { Signal } from '../../rebalance/spec.ts';
import type { Reading } from '../../rebalance/sample.ts';
import { createClients, NOTHING_MEASURED, type Clients, type Records, type World } from '../replay/world.ts';
import type { Point, PublishedWeight } from './series.ts';

/** What a message about a reading begins with. */
const METRIC = 'spec.metrics.prometheus';

/** What was measured, turned into what does not depend on weights. */
export interface Past {
  /** What the points measure. */
  readonly signal: Signal;
  readonly points: readonly Point[];
  /** Total demand at each point; undefined where nothing says what it was. */
  readonly demand: readonly (number | undefined)[];
}

/** All that was measured of the queries of a spec, at the same times. */
export interface Pasts {
  readonly metric: QueriedPast;
  readonly additional: readonly QueriedPast[];
  readonly guards: readonly (readonly Point[])[];
}

/** A past, and how far back the query looks that reads it now. */
export interface QueriedPast {
  readonly past: Past;
  readonly windowMs: number;
}

/** A metric that measures demand is what weights do not change. */
export function pastOfDemand(points: readonly Point[]): Past {
  return { signal: 'Demand', points, demand: points.map(({ text }) => numberOf(text)) };
}

/**
 * A metric that measures the load of the reference site answered to the weights published then: the demand behind it is
 * load / share seen, reconstructed once. `published` is ordered by time; before its first entry that one's weight held.
 */
export function pastOfLoad(
  points: readonly Point[],
  published: readonly PublishedWeight[],
  records: Records,
): Past {
  const startWeight = published[0]?.weight ?? records.startWeight;
  const clients = createClients({ ...records, startWeight }, published[0]?.atMs ?? 0);
  let next = 0;
  const demand = points.map(({ atMs, text }) => {
    for (let entry = published[next]; entry !== undefined && entry.atMs < atMs; entry = published[next]) {
      clients.publish(entry.weight, entry.atMs);
      next += 1;
    }
    const load = numberOf(text);
    const share = clients.share(atMs, records.windowMs);
    return load === undefined || share <= 0 ? undefined : load / share;
  });
  return { signal: 'Load', points, demand };
}

/** The past with other weights: the demand was what it was, the load follows; guards are what they were. */
export function createMeasuredWorld({ metric, additional, guards }: Pasts, records: Records): World {
  const { points, demand } = metric.past;
  let nowMs = points[0]?.atMs ?? 0;
  const clients = createClients(records, nowMs);
  return {
    length: points.length,
    moment(index) {
      nowMs = points[index]?.atMs ?? nowMs;
      const total = demand[index];
      return {
        atMs: nowMs,
        load: total === undefined ? undefined : total * clients.share(nowMs, 0),
        reading: readPast(metric, index, clients, nowMs),
        additionalReadings: additional.map((each) => readPast(each, index, clients, nowMs)),
        guardReadings: guards.map((each) => readText(each[index]?.text)),
      };
    },
    publish: (weight) => clients.publish(weight, nowMs),
  };
}

function readPast({ past, windowMs }: QueriedPast, index: number, clients: Clients, nowMs: number): Reading {
  const total = past.demand[index];
  return past.signal === 'Demand' || total === undefined
    ? readText(past.points[index]?.text)
    : readText(String(total * clients.share(nowMs, windowMs)));
}

function readText(text: string | undefined): Reading {
  return text === undefined ? NOTHING_MEASURED : readNumber(METRIC, text);
}

/** A finite number of 0 or more. */
function numberOf(text: string | undefined): number | undefined {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
