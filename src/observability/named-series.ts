import type { Gauge } from 'prom-client';
import type { Instruments } from './metric-table.ts';
import { pathOf, type SeriesKey } from './sightings.ts';

/** The gauges of what has a name in a spec, by the label that the name is in. */
const LABELS = {
  counterpoise_rebalance_additional_metric_value: 'metric',
  counterpoise_rebalance_metric_weight: 'metric',
  counterpoise_rebalance_guard_value: 'guard',
  counterpoise_rebalance_guard_closed: 'guard',
} as const;

/** What is told of one metric or guard of a spec. */
export interface NamedNumber {
  readonly gauge: keyof typeof LABELS;
  /** What the spec calls it. */
  readonly name: string;
  /** undefined: not known anew, what was told stays. */
  readonly value: number | undefined;
}

export interface NamedSeries {
  /** Tells these numbers, and takes back whatever else was told of the object: its spec has no more of that. */
  publish(key: SeriesKey, numbers: readonly NamedNumber[]): void;
  forget(key: SeriesKey): void;
}

/** Remembers what was told of whom: prom-client cannot say which series an object has. */
export function createNamedSeries(instruments: Pick<Instruments, keyof typeof LABELS>): NamedSeries {
  const gaugeOf = ({ gauge }: NamedNumber): Gauge => instruments[gauge];
  const told = new Map<string, readonly NamedNumber[]>();
  const publish: NamedSeries['publish'] = (key, numbers) => {
    const before = told.get(pathOf(key)) ?? [];
    for (const gone of before.filter((one) => !numbers.some((other) => isSame(one, other)))) {
      gaugeOf(gone).remove(labelsOf(key, gone));
    }
    for (const number of numbers) {
      if (number.value !== undefined) gaugeOf(number).set(labelsOf(key, number), number.value);
    }
    if (numbers.length === 0) told.delete(pathOf(key));
    else told.set(pathOf(key), numbers);
  };
  return { publish, forget: (key) => publish(key, []) };
}

function isSame(one: NamedNumber, other: NamedNumber): boolean {
  return one.gauge === other.gauge && one.name === other.name;
}

function labelsOf(
  { namespace, name }: SeriesKey,
  { gauge, name: own }: NamedNumber,
): Readonly<Record<string, string>> {
  return { name, namespace, [LABELS[gauge]]: own };
}
