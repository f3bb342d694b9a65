import type { Run, RunStep } from './run.ts';

/** What a run comes to. */
export interface Summary {
  readonly evaluations: number;
  readonly writes: number;
  /** Changes in the other direction than the one before. */
  readonly reversals: number;
  /** The largest change of the weight at once. */
  readonly largestStep: number;
  readonly lowestWeight: number;
  readonly highestWeight: number;
  /** How long the reference site carries more than the target, and more than a tenth above it. */
  readonly aboveTargetMs: number;
  readonly aboveTenthMs: number;
  /** undefined where no load is known. */
  readonly highestLoad: number | undefined;
  readonly meanLoad: number | undefined;
  /** The time that loads are known of. */
  readonly knownMs: number;
}

/** Counts a run's writes, and for how long the load was where; a moment lasts until the next one. */
export function summarize({ target, startWeight, steps }: Run): Summary {
  const weights = [startWeight, ...steps.map(({ weight }) => weight)];
  const changes = weights.slice(1).flatMap((weight, index) => {
    const change = weight - (weights[index] ?? weight);
    return change === 0 ? [] : [change];
  });
  const known = steps.flatMap((step, index) =>
    step.load === undefined ? [] : [{ load: step.load, lastsMs: lastsMs(steps, index) }],
  );
  const timeOf = (part: readonly { readonly lastsMs: number }[]): number =>
    part.reduce((sum, moment) => sum + moment.lastsMs, 0);
  const knownMs = timeOf(known);
  return {
    evaluations: steps.filter(({ decided }) => decided !== undefined).length,
    writes: changes.length,
    reversals: changes.filter((change, index) => Math.sign(change) === -Math.sign(changes[index - 1] ?? 0))
      .length,
    largestStep: changes.reduce((most, change) => Math.max(most, Math.abs(change)), 0),
    lowestWeight: weights.reduce((least, weight) => Math.min(least, weight)),
    highestWeight: weights.reduce((most, weight) => Math.max(most, weight)),
    aboveTargetMs: timeOf(known.filter(({ load }) => load > target * (1 + ROUNDING))),
    aboveTenthMs: timeOf(known.filter(({ load }) => load > target * 1.1)),
    highestLoad: known.length === 0 ? undefined : known.reduce((most, { load }) => Math.max(most, load), 0),
    meanLoad:
      knownMs === 0 ? undefined : known.reduce((sum, { load, lastsMs }) => sum + load * lastsMs, 0) / knownMs,
    knownMs,
  };
}

/** Loads are computed in floats: one that is exactly the target must not count as above it. */
const ROUNDING = 1e-9;

/** Until the next moment; the last one lasts as long as the one before. */
function lastsMs(steps: readonly RunStep[], index: number): number {
  const from = Math.min(index, steps.length - 2);
  const [start, end] = [steps[from], steps[from + 1]];
  return start === undefined || end === undefined ? 0 : end.atMs - start.atMs;
}
