import { parseRfc3339, rfc3339Millis } from '../../foundation/clock.ts';
import { defined } from '../../foundation/defined.ts';
import { asWeight, type Weight } from '../weight.ts';
import type { BehaviorMemory, WeightAt } from './memory.ts';

/** A BehaviorMemory on the wire: times as RFC 3339 to the millisecond. */
export interface BehaviorStatus {
  readonly target: string;
  /** Only ever true; absent: the weights were in DNS. */
  readonly dryRun?: boolean;
  readonly lows: readonly WeightStatus[];
  readonly highs: readonly WeightStatus[];
  readonly weights: readonly WeightStatus[];
}

export interface WeightStatus {
  readonly at: string;
  readonly weight: Weight;
}

/** What a status remembers; an entry without a readable time or weight is forgotten. */
export function readMemory(status: BehaviorStatus | undefined): BehaviorMemory | undefined {
  if (status === undefined) return undefined;
  const { target, dryRun = false, lows, highs, weights } = status;
  const read = (entries: readonly WeightStatus[]) => entries.flatMap((entry) => readEntry(entry) ?? []);
  return { targetKey: target, isDry: dryRun, lows: read(lows), highs: read(highs), weights: read(weights) };
}

/** The status form of a memory; `readMemory` gives back the same. */
export function writeMemory({ targetKey, isDry, lows, highs, weights }: BehaviorMemory): BehaviorStatus {
  return defined({
    target: targetKey,
    dryRun: isDry ? true : undefined,
    lows: lows.map(writeEntry),
    highs: highs.map(writeEntry),
    weights: weights.map(writeEntry),
  });
}

function readEntry({ at, weight }: WeightStatus): WeightAt | undefined {
  const atMs = parseRfc3339(at);
  const known = asWeight(weight);
  return atMs === undefined || known === undefined ? undefined : { atMs, weight: known };
}

function writeEntry({ atMs, weight }: WeightAt): WeightStatus {
  return { at: rfc3339Millis(atMs), weight };
}
