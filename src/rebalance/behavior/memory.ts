import type { Behavior, MoveRules } from '../spec.ts';
import type { Weight } from '../weight.ts';

/** So many recommendations of one way are kept at most: one for each part of its window, and the one it slides through. */
const WINDOW_PARTS = 31;
export const MAX_RECOMMENDATIONS = WINDOW_PARTS + 1;
/** So many weights in force are kept at most. */
export const MAX_WEIGHTS = 64;

/** A weight, and since when or when last. */
export interface WeightAt {
  readonly atMs: number;
  readonly weight: Weight;
}

/** What the rules of `behavior` look back on; bounded in size, and never less strict than the whole past would be. */
export interface BehaviorMemory {
  /** Which record it is of; another one starts anew. */
  readonly targetKey: string;
  /** The weights are those of a dry run, which never were in DNS: live ones start anew, and the other way round. */
  readonly isDry: boolean;
  /** Lowest recommendations within the increase window, oldest first, each lower than those after it. */
  readonly lows: readonly WeightAt[];
  /** Highest recommendations within the decrease window, oldest first, each higher than those after it. */
  readonly highs: readonly WeightAt[];
  /** Weights in force since their times, oldest first; the first was in force when the longest period began. */
  readonly weights: readonly WeightAt[];
}

/** What is to be remembered of this interval, and for whom. */
export interface MemoryFacts {
  readonly behavior: Behavior;
  readonly targetKey: string;
  readonly isDry: boolean;
  /** Own weight in DNS; in a dry run the weight last wanted. */
  readonly inForce: Weight;
  readonly nowMs: number;
}

/** The memory with this interval's recommendation and the weight that is in force now. */
export function rememberRecommendation(
  previous: BehaviorMemory | undefined,
  recommended: Weight,
  facts: MemoryFacts,
): BehaviorMemory {
  const { behavior, targetKey, isDry, inForce, nowMs } = facts;
  const known = previous?.targetKey === targetKey && previous.isDry === isDry ? previous : undefined;
  const entry = { atMs: nowMs, weight: recommended };
  return {
    targetKey,
    isDry,
    lows: addExtreme(known?.lows ?? [], entry, behavior.increase, (a, b) => a < b),
    highs: addExtreme(known?.highs ?? [], entry, behavior.decrease, (a, b) => a > b),
    weights: addWeight(known?.weights ?? [], { atMs: nowMs, weight: inForce }, behavior),
  };
}

/** The memory with the weight that an attempt left in force. */
export function rememberInForce(memory: BehaviorMemory, entry: WeightAt, behavior: Behavior): BehaviorMemory {
  return { ...memory, weights: addWeight(memory.weights, entry, behavior) };
}

/**
 * Keeps what may still be the extreme of the window: a recommendation that a later one reaches or passes never is again.
 * Of those in the same part of the window the extreme stands for all, as of the latest, so that it may hold by a part
 * longer and never shorter.
 */
function addExtreme(
  known: readonly WeightAt[],
  entry: WeightAt,
  { stabilisationMs }: MoveRules,
  outranks: (a: Weight, b: Weight) => boolean,
): readonly WeightAt[] {
  const kept = known.filter(
    ({ atMs, weight }) =>
      atMs > entry.atMs - stabilisationMs && atMs <= entry.atMs && outranks(weight, entry.weight),
  );
  const partMs = stabilisationMs / WINDOW_PARTS;
  const last = kept.at(-1);
  const samePart = last !== undefined && Math.floor(last.atMs / partMs) === Math.floor(entry.atMs / partMs);
  const before = samePart ? kept.slice(0, -1) : kept;
  const newest = samePart ? { atMs: entry.atMs, weight: last.weight } : entry;
  // There are no more parts than that; only a status that was tampered with has more entries.
  return [...before.slice(-WINDOW_PARTS), newest];
}

/**
 * Appends a weight where it differs from the last one. What no period reaches back to is forgotten; of too many changes
 * the second oldest goes, so that the oldest weight counts as in force for longer.
 */
function addWeight(
  known: readonly WeightAt[],
  entry: WeightAt,
  { increase, decrease }: Behavior,
): readonly WeightAt[] {
  const longestMs = Math.max(
    0,
    ...[increase, decrease].flatMap(({ policies }) => policies.map((p) => p.periodMs)),
  );
  const past = known.filter(({ atMs }) => atMs <= entry.atMs);
  const firstInForce = past.findLastIndex(({ atMs }) => atMs <= entry.atMs - longestMs);
  const reached = past.slice(Math.max(0, firstInForce));
  if (reached.at(-1)?.weight === entry.weight) return reached;
  const all = [...reached, entry];
  return all.length <= MAX_WEIGHTS ? all : all.toSpliced(1, 1);
}
