import { certain } from '../foundation/certain.ts';
import type { Rational } from '../foundation/rational.ts';
import { parseRational, ZERO } from '../foundation/rational.ts';
import type { Result } from '../foundation/result.ts';
import type { MetricFailure, MetricFailureReason, MetricReading, NoDataReason } from './metrics/port.ts';
import type { NoDataRule, RebalanceSpec } from './spec.ts';

/** One metric reading, after `noData` has said what silence means. */
export type Sample =
  | { readonly kind: 'Usable'; readonly value: Rational; readonly text: string; readonly fromNoData: boolean }
  /** Nothing to decide on, and not a failure: the weight is held. */
  | { readonly kind: 'Absent'; readonly reason: NoDataReason; readonly message: string }
  | FailedSample;

/** Counts towards `onFailure.threshold`. */
export interface FailedSample {
  readonly kind: 'Failed';
  readonly reason: MetricFailureReason | NoDataReason;
  readonly message: string;
}

/** What every query of a spec gave, in the order in which it has them. */
export interface Samples {
  /** Of spec.metrics. */
  readonly sample: Sample;
  readonly additionalSamples: readonly Sample[];
  readonly guardSamples: readonly Sample[];
}

/** The samples that a weight may rest on, in the order of `followedMetrics`. */
export function metricSamples({ sample, additionalSamples }: Samples): readonly Sample[] {
  return [sample, ...additionalSamples];
}

/**
 * How the metrics fared together: Usable where any is, since that one is followed; else Failed where any failed. Guards do
 * not count: nothing is decided on them.
 */
export function overallKind(samples: Samples): Sample['kind'] {
  const kinds = new Set(metricSamples(samples).map(({ kind }) => kind));
  if (kinds.has('Usable')) return 'Usable';
  return kinds.has('Failed') ? 'Failed' : 'Absent';
}

/** Those that failed, metrics before guards. */
export function failedSamples(samples: Samples): readonly FailedSample[] {
  return [...metricSamples(samples), ...samples.guardSamples].filter((one) => one.kind === 'Failed');
}

/** What the source answered to one query. */
export type Reading = Result<MetricReading, MetricFailure>;

/** What the source answered to every query of a spec, in the order in which it has them. */
export interface Readings {
  /** To that of spec.metrics. */
  readonly reading: Reading;
  readonly additionalReadings: readonly Reading[];
  readonly guardReadings: readonly Reading[];
}

/** Turns all readings into samples; a message says whose it is. No number from a guard is no failure, and stops as well. */
export function toSamples(
  { metric, additionalMetrics, guards }: Pick<RebalanceSpec, 'metric' | 'additionalMetrics' | 'guards'>,
  { reading, additionalReadings, guardReadings }: Readings,
): Samples {
  return {
    sample: toSample(reading, metric.noData),
    additionalSamples: additionalMetrics.map((additional, index) => {
      const own = certain(additionalReadings[index], 'the reading of an additional metric');
      return signed(toSample(own, additional.metric.noData), `metric "${additional.name}"`);
    }),
    guardSamples: guards.map(({ name }, index) => {
      const own = certain(guardReadings[index], 'the reading of a guard');
      return signed(toSample(own, 'Hold'), `guard "${name}"`);
    }),
  };
}

function signed(sample: Sample, whose: string): Sample {
  return sample.kind === 'Usable' ? sample : { ...sample, message: `${whose}: ${sample.message}` };
}

/** Turns what the source answered into a sample. A text that is no finite decimal is a failure: no weight rests on it. */
export function toSample(reading: Reading, noData: NoDataRule): Sample {
  if (!reading.ok) return { kind: 'Failed', reason: reading.error.reason, message: reading.error.message };
  if (reading.value.kind === 'Value') {
    const value = parseRational(reading.value.text);
    if (value === undefined) {
      return {
        kind: 'Failed',
        reason: 'NotPrometheus',
        message: `the metric's value is not a decimal number`,
      };
    }
    return { kind: 'Usable', value, text: reading.value.text, fromNoData: false };
  }
  const { reason, message } = reading.value;
  switch (noData) {
    case 'Hold':
      return { kind: 'Absent', reason, message };
    case 'Zero':
      return { kind: 'Usable', value: ZERO, text: '0', fromNoData: true };
    case 'Fail':
      return { kind: 'Failed', reason, message };
  }
}
