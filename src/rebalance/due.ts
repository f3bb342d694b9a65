import { parseRfc3339 } from '../foundation/clock.ts';
import { nextEdge } from './schedule.ts';
import type { ScheduledFloor } from './spec.ts';
import type { RebalanceStatus } from './status.ts';

/** A time further ahead than this was not written by a sane clock and counts as absent. */
const CLOCK_SKEW_MS = 5_000;
/** After a failure the next attempt comes at the latest after this, however long the interval. */
const RETRY_CAP_MS = 60_000;
/** Who got no turn at Route 53 is not failing: it comes again soon. */
const TURN_RETRY_MS = 10_000;
/** A pending change is asked about this often. */
const POLL_MS = 10_000;

/** What a sync is for. */
export type Due =
  | { readonly kind: 'Attempt' }
  /** Only ask how far a change has come. */
  | { readonly kind: 'PollChange'; readonly changeId: string }
  /** Nothing yet; tenths of seconds, at least 1, until something may be. */
  | { readonly kind: 'NotYet'; readonly resyncAfterSeconds: number };

export interface DueFacts {
  readonly status: RebalanceStatus;
  /** metadata.generation; another one than the last decision's makes an attempt due. */
  readonly generation: number;
  /** Empty where the spec is unreadable. */
  readonly schedule: readonly ScheduledFloor[];
  /** The interval in use, raised to --min-interval; 60,000 where the spec's is unreadable. */
  readonly intervalMs: number;
  /** False where the spec is unreadable or suspended: then Route 53 is not called at all. */
  readonly mayPoll: boolean;
  readonly nowMs: number;
}

/**
 * Decides what a sync is for, from the status alone: never attempted, another generation, a schedule edge passed, the
 * interval over (at most a minute after a failure), or a pending change 10 s old. Where the interval and a poll are both
 * over, what came first goes first, the attempt at a tie: it moves on by an interval, so that neither starves the other.
 */
export function due({ status, generation, schedule, intervalMs, mayPoll, nowMs }: DueFacts): Due {
  const attemptedMs = readTime(status.lastAttemptAt, nowMs);
  if (attemptedMs === undefined || status.decision?.generation !== generation) return { kind: 'Attempt' };

  const attemptMs = attemptedMs + Math.min(intervalMs, retryMs(status));
  const edgeMs = nextEdge(schedule, attemptedMs) ?? Infinity;
  if (edgeMs <= nowMs) return { kind: 'Attempt' };

  const pending = mayPoll && status.change?.status === 'PENDING' ? status.change : undefined;
  const pollMs = pending === undefined ? Infinity : askedMs(pending, nowMs) + POLL_MS;
  if (pending !== undefined && pollMs <= nowMs && pollMs < attemptMs)
    return { kind: 'PollChange', changeId: pending.id };
  if (attemptMs <= nowMs) return { kind: 'Attempt' };

  const nearestMs = Math.min(attemptMs, edgeMs, pollMs);
  // Up to tenths: a whole second more would be a tenth of an interval of 10 s.
  return { kind: 'NotYet', resyncAfterSeconds: Math.max(1, Math.ceil((nearestMs - nowMs) / 100) / 10) };
}

/** Seconds until the next sync, after an attempt or a poll has left `status`: 1 where something is due at once. */
export function nextResyncSeconds(input: DueFacts): number {
  const next = due(input);
  return next.kind === 'NotYet' ? next.resyncAfterSeconds : 1;
}

/** The longest wait after the last attempt. */
function retryMs({ condition, conditions = [] }: RebalanceStatus): number {
  if (condition !== 'Error') return Infinity;
  const ready = conditions.find(({ type }) => type === 'Ready');
  return ready?.reason === 'RateBudget' ? TURN_RETRY_MS : RETRY_CAP_MS;
}

/** When the change was last asked about or submitted; the epoch where no time is readable: ask now. */
function askedMs(change: NonNullable<RebalanceStatus['change']>, nowMs: number): number {
  return Math.max(readTime(change.submittedAt, nowMs) ?? 0, readTime(change.polledAt, nowMs) ?? 0);
}

function readTime(text: string | undefined, nowMs: number): number | undefined {
  const timeMs = text === undefined ? undefined : parseRfc3339(text);
  return timeMs === undefined || timeMs > nowMs + CLOCK_SKEW_MS ? undefined : timeMs;
}
