import { readNumber } from '../../rebalance/metrics/prometheus-answer.ts';
import type { Signal } from '../../rebalance/spec.ts';
import { createClients, NOTHING_MEASURED, type Records, type World } from '../replay/world.ts';
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

/** The past with other weights: the demand was what it was, the load follows. */
export function createMeasuredWorld({ signal, points, demand }: Past, records: Records): World {
  let nowMs = points[0]?.atMs ?? 0;
  const clients = createClients(records, nowMs);
  return {
    length: points.length,
    moment(index) {
      const { atMs, text } = points[index] ?? { atMs: nowMs, text: undefined };
      nowMs = atMs;
      const total = demand[index];
      const load = total === undefined ? undefined : total * clients.share(nowMs, 0);
      if (signal === 'Demand' || total === undefined)
        return { atMs, load, reading: text === undefined ? NOTHING_MEASURED : readNumber(METRIC, text) };
      return {
        atMs,
        load,
        reading: readNumber(METRIC, String(total * clients.share(nowMs, records.windowMs))),
      };
    },
    publish: (weight) => clients.publish(weight, nowMs),
  };
}

/** A finite number of 0 or more. */
function numberOf(text: string | undefined): number | undefined {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
