import { oneLine } from '../../foundation/one-line.ts';
import type { MetricFailure, MetricFailureReason } from './port.ts';

/** A failure whose message may quote what came from outside. */
export function fail(reason: MetricFailureReason, message: string): MetricFailure {
  return { reason, message: oneLine(message) };
}
