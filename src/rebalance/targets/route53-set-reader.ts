import type { Timer } from '../../foundation/timer.ts';
import type { CallContext } from '../secrets.ts';
import type { Route53Target } from '../spec.ts';
import type { TargetFailure } from './port.ts';
import type { Access } from './route53-access.ts';
import { LIST } from './route53-api.ts';
import { createCaller, FOR_THE_REST_MS, type Caller } from './route53-caller.ts';
import { outOfBudget, timedOut } from './route53-failures.ts';
import { keyOfTarget } from './route53-listing.ts';
import type { Rank } from './route53-turns.ts';
import type { SetRecords, Wish, ZoneList } from './route53-zone-list.ts';

/**
 * A list for a change goes before all others once its sync has no more time left than this: going first at once, it would
 * leave behind those of its zone who come a moment later, and cost them a list and a change of their own.
 */
const URGENT_MS = 4_000;

export interface ReadRequest {
  /** Of the zone reader's credentials, the same for all but for its client, which changes as they are renewed. */
  readonly access: Access;
  readonly target: Route53Target;
  readonly context: CallContext;
  /** A list that began before is of no use. */
  readonly notBeforeMs: number;
  /** A change waits for it, or was just made. */
  readonly isForChange: boolean;
}

/** Who waits for a set. */
export interface Reader extends ReadRequest, Wish {
  readonly caller: Caller<SetRecords>;
  tries: number;
  lastFailure: TargetFailure | undefined;
  /** The list that it waits for; undefined: it waits for a turn. */
  run: Run | undefined;
}

/** A list under way, and who waits for it. */
export interface Run extends ZoneList {
  readonly readers: Set<Reader>;
}

export interface ReaderOptions {
  readonly timer: Timer;
  /** Whether a list of its zone is under way. */
  readonly isReading: () => boolean;
  /** It goes first from now on. */
  readonly onUrgent: (reader: Reader) => void;
  readonly onGiveUp: (reader: Reader) => void;
}

/** Somebody who begins to wait. */
export function createReader(
  request: ReadRequest,
  { timer, isReading, onUrgent, onGiveUp }: ReaderOptions,
): Reader {
  const { target, context, isForChange } = request;
  const caller = createCaller<SetRecords>({
    deadline: context.deadline,
    timer,
    reserveMs: isForChange ? 0 : FOR_THE_REST_MS,
    isServed: () => reader.run !== undefined,
    failure: () => {
      if (reader.run !== undefined || isReading()) return timedOut(target, LIST);
      return reader.lastFailure ?? outOfBudget(LIST);
    },
    onGiveUp: () => onGiveUp(reader),
  });
  const reader: Reader = {
    ...request,
    key: keyOfTarget(target),
    caller,
    tries: 0,
    lastFailure: undefined,
    run: undefined,
  };
  if (isForChange) {
    const urgentInMs = context.deadline.remainingMs() - URGENT_MS;
    void caller.answer.then(timer.after(urgentInMs, () => onUrgent(reader)));
  }
  return reader;
}

/** Its place in line, for now. */
export function rankOf({ isForChange, context }: Reader): Rank {
  return isForChange && context.deadline.remainingMs() <= URGENT_MS ? 'First' : 'Next';
}
