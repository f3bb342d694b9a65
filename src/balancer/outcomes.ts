import type { Result } from '../foundation/result.ts';
import type { ApiFailure } from '../kubernetes/api.ts';
import type { Inquiry } from './missing.ts';

/** What came of the steps that a decision asked for at the API. */
export interface Outcomes {
  /** About `decision.missing`, in that order, where it was asked. */
  readonly inquiries: readonly Inquiry[];
  /** Of the step Orphan; undefined: it was not taken, for there is no access to the API. */
  readonly orphaning: Result<undefined, ApiFailure> | undefined;
}

/** Nothing was asked or done at the API. */
export const NO_OUTCOMES: Outcomes = { inquiries: [], orphaning: undefined };
