import { parseRfc3339, type Clock } from '../foundation/clock.ts';
import type { RebalanceStatus } from '../rebalance/status.ts';
import { METRICS, type Instruments, type MetricName } from './metric-table.ts';
import { createNamedSeries, type NamedNumber } from './named-series.ts';
import { createSightings, pathOf, type SeriesKey } from './sightings.ts';

/** What the series of one Rebalance are made of. */
export interface Published {
  readonly status: RebalanceStatus;
  /** Of the metrics and guards that have a name in its spec. */
  readonly numbers: readonly NamedNumber[];
  /** Expected load at the reference over the target; undefined: not known now, the gauge stays. */
  readonly expectedLoadRatio: number | undefined;
  readonly intervalMs: number;
  /** A suspended object is not evaluated, so no age of its last success is too old. */
  readonly isSuspended: boolean;
  readonly nowMs: number;
}

export interface RebalanceSeries {
  /** Sets the gauges of a Rebalance to what its status says, so that a restart or a sync that does nothing loses none. */
  publish(key: SeriesKey, published: Published): void;
  /** Counts an accepted change of its weight. */
  countChange(key: SeriesKey, from: number, to: number): void;
  /** Removes every series of a Rebalance that is gone. */
  forget(key: SeriesKey): void;
  /**
   * Runs a sync of a Rebalance. It is seen for as long as that takes and at its end, however it ends: an attempt that is
   * slower than the interval, or that cannot read the live object, is no sign that the object is gone.
   */
  whileSeen<T>(key: SeriesKey, clock: Clock, sync: () => Promise<T>): Promise<T>;
  /** Removes the series of whatever has not been seen for three of its intervals. */
  dropUnseen(nowMs: number): void;
}

type Direction = 'up' | 'down';

/** More objects than one process serves; a sender of made-up names pushes out its own first, as what is real comes again. */
export const MAX_OBJECTS = 4_096;

/** The memory in here is of metrics alone: nothing is decided by it. */
export function createRebalanceSeries(instruments: Instruments): RebalanceSeries {
  const named = createNamedSeries(instruments);
  const sightings = createSightings(MAX_OBJECTS);
  const lastDirection = new Map<string, Direction>();
  const forget = (key: SeriesKey): void => {
    sightings.forget(key);
    lastDirection.delete(pathOf(key));
    named.forget(key);
    removeSeries(instruments, key);
  };
  return {
    publish: (key, published) => {
      const { name, namespace } = key;
      const pushedOut = sightings.see(key, published.intervalMs, published.nowMs);
      if (pushedOut !== undefined) forget(pushedOut);
      for (const [metric, value] of Object.entries(gaugesOf(published)) as [
        StatusGauge,
        number | undefined,
      ][]) {
        if (value === undefined) instruments[metric].remove({ name, namespace });
        else instruments[metric].set({ name, namespace }, value);
      }
      named.publish(key, published.numbers);
      // a counter that is there before its first change is one whose first change can be seen
      for (const direction of ['up', 'down'] as const) {
        instruments.counterpoise_rebalance_weight_changes_total.inc({ name, namespace, direction }, 0);
      }
      instruments.counterpoise_rebalance_weight_reversals_total.inc({ name, namespace }, 0);
      const { expectedLoadRatio } = published;
      if (expectedLoadRatio === undefined) return;
      instruments.counterpoise_rebalance_expected_load_ratio.set({ name, namespace }, expectedLoadRatio);
    },
    countChange: (key, from, to) => {
      const { name, namespace } = key;
      const direction = to > from ? 'up' : 'down';
      const before = lastDirection.get(pathOf(key)) ?? direction;
      lastDirection.set(pathOf(key), direction);
      instruments.counterpoise_rebalance_weight_changes_total.inc({ name, namespace, direction });
      const reversals = instruments.counterpoise_rebalance_weight_reversals_total;
      reversals.inc({ name, namespace }, before === direction ? 0 : 1);
    },
    forget,
    whileSeen: async (key, clock, sync) => {
      sightings.begin(key);
      try {
        return await sync();
      } finally {
        sightings.end(key, clock.nowMs());
      }
    },
    dropUnseen: (nowMs) => sightings.unseen(nowMs).forEach(forget),
  };
}

/** The gauges that are there only while what they show is known. */
type StatusGauge =
  | `rebalancer_${'error' | 'healthy' | 'available' | 'desired' | 'actual'}`
  | 'counterpoise_rebalance_metric_value'
  | 'counterpoise_rebalance_interval_seconds'
  | 'counterpoise_rebalance_last_success_timestamp_seconds';

/** undefined: the status does not say. */
function gaugesOf({
  status,
  intervalMs,
  isSuspended,
}: Published): Readonly<Record<StatusGauge, number | undefined>> {
  const { condition, desiredValue, actualValue, metric, lastEvaluatedAt } = status;
  const is = (claim: boolean): number | undefined => (condition === undefined ? undefined : Number(claim));
  const evaluatedMs = lastEvaluatedAt === undefined ? undefined : parseRfc3339(lastEvaluatedAt);
  return {
    rebalancer_error: is(condition === 'Error'),
    rebalancer_healthy: is(condition === 'Healthy'),
    rebalancer_available: is(condition !== 'Error'),
    rebalancer_desired: desiredValue,
    rebalancer_actual: actualValue,
    counterpoise_rebalance_metric_value: metric === undefined ? undefined : Number(metric.value),
    counterpoise_rebalance_interval_seconds: isSuspended ? undefined : intervalMs / 1000,
    counterpoise_rebalance_last_success_timestamp_seconds:
      evaluatedMs === undefined ? undefined : evaluatedMs / 1000,
  };
}

function removeSeries(instruments: Instruments, { name, namespace }: SeriesKey): void {
  for (const direction of ['up', 'down']) {
    instruments.counterpoise_rebalance_weight_changes_total.remove({ name, namespace, direction });
  }
  for (const [metric, row] of Object.entries(METRICS) as [MetricName, { labels: readonly string[] }][]) {
    if (row.labels.join() === 'name,namespace') instruments[metric].remove({ name, namespace });
  }
}
