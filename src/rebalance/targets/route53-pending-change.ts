import type { Timer } from '../../foundation/timer.ts';
import type { CallContext } from '../secrets.ts';
import type { Route53Target } from '../spec.ts';
import type { Change, TargetFailure } from './port.ts';
import type { Access } from './route53-access.ts';
import { CHANGE, type RecordChange } from './route53-api.ts';
import { createCaller, type Caller } from './route53-caller.ts';
import { outOfBudget, timedOut } from './route53-failures.ts';

/** A change that cannot end before its sync is not begun. */
const RESERVE_MS = 300;

export interface WriteRequest {
  readonly access: Access;
  readonly target: Route53Target;
  readonly context: CallContext;
  /** Changed together or not at all. */
  readonly records: readonly RecordChange[];
  /** For who reads the change later. */
  readonly comment: string;
}

/** A change that is waiting or on its way. */
export interface Pending extends WriteRequest {
  readonly caller: Caller<Change>;
  group: symbol | undefined;
  tries: number;
  /** A request with it may have been carried out all the same. */
  isInDoubt: boolean;
  lastFailure: TargetFailure | undefined;
  batch: Batch | undefined;
}

/** Changes that go together. */
export interface Batch {
  readonly changes: readonly Pending[];
  readonly abort: AbortController;
}

/** A change that begins to wait. */
export function createPending(request: WriteRequest, timer: Timer): Pending {
  const { target, context } = request;
  const failure = (): TargetFailure => {
    const { batch, lastFailure, isInDoubt } = pending;
    const because = batch === undefined ? (lastFailure ?? outOfBudget(CHANGE)) : timedOut(target, CHANGE);
    return { ...because, outcomeUnknown: isInDoubt || batch !== undefined };
  };
  const caller = createCaller<Change>({
    deadline: context.deadline,
    timer,
    reserveMs: RESERVE_MS,
    isServed: () => pending.batch !== undefined,
    failure,
    onGiveUp: () => endIfAlone(pending.batch),
  });
  const pending: Pending = {
    ...request,
    caller,
    group: undefined,
    tries: 0,
    isInDoubt: false,
    lastFailure: undefined,
    batch: undefined,
  };
  return pending;
}

function endIfAlone(batch: Batch | undefined): void {
  if (batch?.changes.every(({ caller }) => !caller.isWaiting()) === true) batch.abort.abort();
}

/** As the plan of a batch sees it. */
interface PendingCandidate {
  readonly pending: Pending;
  readonly records: readonly RecordChange['record'][];
  readonly group: symbol | undefined;
}

export function asCandidate(pending: Pending): PendingCandidate {
  return { pending, records: pending.records.map(({ record }) => record), group: pending.group };
}

/** A race lost after a request that may have been carried out was perhaps lost to that: the doubt is told. */
export function toldOf({ isInDoubt, lastFailure }: Pending, failure: TargetFailure): TargetFailure {
  return failure.reason === 'ChangedMeanwhile' && isInDoubt && lastFailure !== undefined
    ? lastFailure
    : failure;
}
