import type { Weight } from '../weight.ts';
import type { DemandFilter } from './demand-filter.ts';
import type { ShareEntry } from './share-history.ts';

/**
 * What a decision remembers of the sets and samples before it. It stands in status.history and is only ever what was
 * read: a lost status write or an edit by hand cannot corrupt it.
 */
export interface History {
  /** Which record and reference the shares are of; another key starts anew. */
  readonly targetKey: string;
  /** Ordered by time, not empty. */
  readonly shares: readonly ShareEntry[];
  readonly reference: ReferenceHistory | undefined;
  /** One for each metric, in the order of the spec. */
  readonly signals: readonly SignalMemory[];
}

/** What is known of one metric. */
export interface SignalMemory {
  /** undefined: that of spec.metrics. */
  readonly name: string | undefined;
  /** Which query and signal it is of; another key starts anew. */
  readonly queryKey: string;
  readonly filter: DemandFilter | undefined;
  /** Evaluations in a row whose sample was suspiciously low. */
  readonly lowSamples: number;
  readonly probe: SignalProbe | undefined;
}

/** What is known of a reference record that nobody should steer. */
export interface ReferenceHistory {
  readonly weight: Weight;
  /** When its weight changed, within the last hour, oldest first; at most three. */
  readonly changedAtMs: readonly number[];
  /** The generation under which it was found to be steered by somebody; until the spec is edited nothing moves. */
  readonly steeredGeneration: number | undefined;
}

/** A question put to a demand signal: does it change as the reference's share does? Then it is no demand. */
export interface SignalProbe {
  readonly metric: number;
  readonly share: number;
  /** Times in a row that the metric followed the share. */
  readonly followed: number;
}
