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
  /** Which query and signal the filter and the probe are of; another key forgets those two alone. */
  readonly queryKey: string;
  /** Ordered by time, not empty. */
  readonly shares: readonly ShareEntry[];
  readonly reference: ReferenceHistory | undefined;
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
