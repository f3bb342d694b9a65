import { defined } from '../foundation/defined.ts';
import { CONTESTED_EDITS, WATCHED_EVALUATIONS, type Contest } from './contest-status.ts';
import { describeSplit } from './split.ts';
import type { RebalanceStatus } from './status.ts';
import type { OwnRecords, RecordWeight } from './targets/port.ts';
import { capTotal } from './weight.ts';

/** What a contest is judged by. */
export interface ContestFacts {
  readonly status: RebalanceStatus;
  readonly generation: number;
  readonly own: OwnRecords;
  /** Which records the decision is about, as `History` names them: the status may speak of others. */
  readonly targetKey: string;
  /** A dry run leaves the weight to others. */
  readonly isDry: boolean;
  /** What this process last sent for our records, whatever came of it. */
  readonly lastSent: readonly RecordWeight[];
  /** What is wanted now: whoever set just that steers nothing against us, and may be a process of ours that died. */
  readonly wanted: readonly RecordWeight[];
}

const QUIET: Contest = { isContested: false, status: undefined, edit: undefined };

/**
 * Holds what DNS has against what we left there. A weight is ours, too, where it is what we last wanted or sent, or want
 * now: a write whose answer never came, whose status was lost, or whose process died, is no edit by others.
 */
export function judgeContest(facts: ContestFacts): Contest {
  const { status, generation, targetKey, isDry } = facts;
  if (isDry || status.history?.target !== targetKey) return QUIET;
  const { contest } = status;
  if (contest?.contestedGeneration === generation) return { ...QUIET, isContested: true, status: contest };
  const edit = editOf(facts);
  // A spec that was edited after the verdict is given a new chance.
  const before = contest?.contestedGeneration === undefined ? (contest?.editsAgo ?? []) : [];
  const aged = before.map((ago) => ago + 1).filter((ago) => ago < WATCHED_EVALUATIONS);
  const editsAgo = edit === undefined ? aged : [...aged, 0];
  if (editsAgo.length >= CONTESTED_EDITS)
    return { isContested: true, status: { contestedGeneration: generation }, edit };
  return { isContested: false, status: editsAgo.length === 0 ? undefined : { editsAgo }, edit };
}

function editOf({ status, own, lastSent, wanted }: ContestFacts): string | undefined {
  const known = own.records.map((record) => {
    const { actual, desired } = leftOf(status, own, record);
    const ours = [...lastSent, ...wanted].filter(({ identifier }) => identifier === record.identifier);
    const isOurs =
      actual === undefined || [actual, desired, ...ours.map(({ weight }) => weight)].includes(record.weight);
    return { ...record, weight: capTotal(actual ?? record.weight), isOurs };
  });
  if (known.every(({ isOurs }) => isOurs)) return undefined;
  const left = known.reduce((sum, { weight }) => sum + weight, 0);
  return `DNS held weight ${describeSplit(own.total, own.records)} where we had left ${describeSplit(left, known)}: somebody else changed it`;
}

/** What the status says of one record of ours. */
function leftOf(
  { actualValue, desiredValue, resources }: RebalanceStatus,
  { records }: OwnRecords,
  { identifier }: RecordWeight,
): { readonly actual?: number; readonly desired?: number } {
  if (records.length === 1) return defined({ actual: actualValue, desired: desiredValue });
  const resource = resources?.find((each) => each.identifier === identifier);
  return defined({ actual: resource?.actualValue, desired: resource?.desiredValue });
}
