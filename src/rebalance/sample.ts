import type { Rational } from '../foundation/rational.ts';
import { parseRational, ZERO } from '../foundation/rational.ts';
import type { Result } from '../foundation/result.ts';
import type { MetricFailure, MetricFailureReason, MetricReading, NoDataReason } from './metrics/port.ts';
import type { NoDataRule } from './spec.ts';

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

/** Those that failed, metrics before guards. */
export function failedSamples(samples: Samples): readonly FailedSample[] {
  const { sample, additionalSamples, guardSamples } = samples;
  return [sample, ...additionalSamples, ...guardSamples].filter((one) => one.kind === 'Failed');
}

/** Turns what the source answered into a sample. A text that is no finite decimal is a failure: no weight rests on it. */
export function toSample(reading: Result<MetricReading, MetricFailure>, noData: NoDataRule): Sample {
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
