/** So many edits by others within so many evaluations are no accident: somebody else steers our weight. */
export const CONTESTED_EDITS = 3;
export const WATCHED_EVALUATIONS = 10;

/** What is remembered of edits by others; absent where there were none of late. */
export interface ContestStatus {
  /** How many evaluations ago each edit was found, 0 to 9, oldest first; at most two, as the third is a contest. */
  readonly editsAgo?: readonly number[];
  /** The generation under which the weight was found to be contested; until the spec is edited nothing is written. */
  readonly contestedGeneration?: number;
}

/** What others did to our weight, as far as this evaluation can tell. */
export interface Contest {
  readonly isContested: boolean;
  /** What the next evaluation is to remember. */
  readonly status: ContestStatus | undefined;
  /** The edit that was found now: what DNS held, and what we had left there. */
  readonly edit: string | undefined;
}
