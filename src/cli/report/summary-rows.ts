import { formatDuration, formatNumber } from './format.ts';
import type { Summary } from '../replay/summary.ts';

/** The summary as people read it: a name and a text each; the one list behind table and page. */
export function summaryRows(summary: Summary, target: number): readonly (readonly [string, string])[] {
  const { knownMs } = summary;
  const timeOf = (durationMs: number): string =>
    knownMs === 0 ? '-' : `${formatDuration(durationMs)} (${((100 * durationMs) / knownMs).toFixed(1)}%)`;
  return [
    ['evaluations', String(summary.evaluations)],
    ['writes', String(summary.writes)],
    ['reversals', String(summary.reversals)],
    ['largest step', String(summary.largestStep)],
    ['weights', `${summary.lowestWeight} to ${summary.highestWeight}`],
    ['target', formatNumber(target)],
    ['mean load', formatNumber(summary.meanLoad)],
    ['highest load', formatNumber(summary.highestLoad)],
    ['time above target', timeOf(summary.aboveTargetMs)],
    ['time above target by a tenth', timeOf(summary.aboveTenthMs)],
  ];
}
