import { unreachable } from '../foundation/exhaustive.ts';
import type { Result } from '../foundation/result.ts';
import { holdChildren } from '../kubernetes/hold.ts';
import type { SyncRequest } from '../kubernetes/metacontroller.ts';
import { nextStatus, statusAfterPoll } from '../rebalance/next-status.ts';
import { noticesOf } from '../rebalance/notices.ts';
import type { RebalanceStatus } from '../rebalance/status.ts';
import type { Change, TargetFailure } from '../rebalance/targets/port.ts';
import type { Hook, HookAnswer, HookContext, HookLog } from './hook.ts';
import { readLiveParent } from './live-parent.ts';
import { attempt, callContext } from './rebalance-attempt.ts';
import {
  asAnswered,
  dueNow,
  readRebalance,
  resyncAfter,
  specOf,
  type RebalanceObject,
} from './rebalance-object.ts';
import { countChange, publish, recordEvents, summary } from './rebalance-report.ts';
import { startStopwatch, type Stopwatch } from './stopwatch.ts';

/** One sync of one object; all of it happens at one time, within one deadline. */
interface Run {
  readonly object: RebalanceObject;
  readonly context: HookContext;
  readonly stopwatch: Stopwatch;
}

/**
 * A Rebalance's sync. The posted body is a key and a cheap first look: only when something is due by it is the live
 * object read, and all that follows rests on the live one. So a stale cache, a repeated call or a forged body costs one
 * GET and nothing else.
 */
export const syncRebalance: Hook = async (request, context) => {
  const { clock, metrics } = context.deps;
  const answered = await metrics.rebalances.whileSeen(request.parent.metadata, clock, () =>
    syncParent(request, context),
  );
  if (answered.kind !== 'Answered' || request.children.length === 0) return answered;
  // A Rebalance makes no children; a controller that sends some all the same must not delete them by our answer.
  const children = holdChildren(request.children, request.parent.metadata);
  return { ...answered, response: { ...answered.response, children } };
};

async function syncParent({ parent, finalizing }: SyncRequest, context: HookContext): Promise<HookAnswer> {
  const { deps, nowMs, deadline } = context;
  const { targetStore } = deps;
  const { rebalance: settings } = deps.settings;
  const posted = readRebalance(parent, settings, targetStore.shortestIntervalMs);
  const run: Run = { object: posted, context, stopwatch: startStopwatch() };
  if (finalizing || posted.isBeingDeleted) return leave(posted, context);
  if (!settings.verifyParent || dueNow(posted, nowMs).kind === 'NotYet') return sync(run);

  const live = await readLiveParent(deps.kubernetes, posted.reference, deadline);
  run.stopwatch.lap('verify');
  switch (live.kind) {
    case 'Gone':
      return leave(posted, context);
    case 'Unknown':
      return { kind: 'Unavailable', message: live.message };
    case 'Found':
      return sync({ ...run, object: readRebalance(live.parent, settings, targetStore.shortestIntervalMs) });
    default:
      return unreachable(live);
  }
}

/** The object is gone or going: nothing is asked or written, and the posted status stays. */
function leave(posted: RebalanceObject, { deps }: HookContext): HookAnswer {
  deps.metrics.rebalances.forget(posted.reference);
  return {
    kind: 'Answered',
    response: { status: asAnswered(posted.rawStatus), children: [] },
    log: { reason: 'ParentGone', because: 'the object is gone or being deleted', facts: {} },
  };
}

function sync(run: Run): HookAnswer | Promise<HookAnswer> {
  const due = dueNow(run.object, run.context.nowMs);
  switch (due.kind) {
    case 'NotYet':
      return keep(run, due.resyncAfterSeconds);
    case 'PollChange':
      return poll(run, due.changeId);
    case 'Attempt':
      return evaluate(run);
    default:
      return unreachable(due);
  }
}

/** Nothing is due: no outside call, and the status as it is. */
function keep({ object, context, stopwatch }: Run, resyncAfterSeconds: number): HookAnswer {
  publish(object, object.status, context);
  return {
    kind: 'Answered',
    response: { status: asAnswered(object.rawStatus), children: [], resyncAfterSeconds },
    log: { reason: 'NotDue', because: 'nothing is due yet', facts: {}, stagesMs: stopwatch.stagesMs },
  };
}

/** Only asks how far an accepted change has come. */
async function poll(run: Run, changeId: string): Promise<HookAnswer> {
  const { object, context } = run;
  const polled = await askChange(run, changeId);
  const status = statusAfterPoll(object.status, polled, context.nowMs);
  publish(object, status, context);
  const because = polled.ok ? `the change is ${polled.value.status}` : polled.error.message;
  return answer(run, status, { reason: 'ChangePolled', because, facts: {} });
}

async function askChange(
  { object, context, stopwatch }: Run,
  changeId: string,
): Promise<Result<Change, TargetFailure>> {
  const { targetStore } = context.deps;
  const polled = await targetStore.readChange(specOf(object).target, changeId, callContext(object, context));
  stopwatch.lap('poll');
  return polled;
}

/**
 * The object to evaluate. A load signal needs to know since when every name server has a change, so one that is pending
 * is asked about in the same call.
 */
async function withChangeSeen(run: Run): Promise<RebalanceObject> {
  const { object, context } = run;
  const { parsed, status } = object;
  const needsChange = parsed.ok && !parsed.value.spec.suspend && parsed.value.spec.policy.signal === 'Load';
  if (!needsChange || status.change?.status !== 'PENDING') return object;
  const polled = await askChange(run, status.change.id);
  return { ...object, status: statusAfterPoll(status, polled, context.nowMs) };
}

/** One attempt, and the one status write that tells of it. */
async function evaluate(run: Run): Promise<HookAnswer> {
  const { context } = run;
  const object = await withChangeSeen(run);
  const { parsed, generation, status: previous } = object;
  const { hookBudgetMs, rebalance } = context.deps.settings;
  const shortestIntervalMs = object.intervalMs;
  const grants = { hookBudgetMs, minIntervalMs: rebalance.minIntervalMs, shortestIntervalMs };
  const attempted = await attempt(object, context, run.stopwatch);
  const notices = parsed.ok ? noticesOf(parsed.value.spec, parsed.value.unknownFields, grants) : [];
  const status = nextStatus({ previous, generation, attempt: attempted, notices, nowMs: context.nowMs });
  recordEvents(object, { previous, status, attempted }, context);
  countChange(object, attempted, context);
  publish(object, status, context, attempted);
  return answer(run, status, summary(status, attempted));
}

function answer({ object, context, stopwatch }: Run, status: RebalanceStatus, log: HookLog): HookAnswer {
  // What the sync itself took is not added to the interval.
  const endMs = Math.max(context.nowMs, context.deps.clock.nowMs());
  const resyncAfterSeconds = resyncAfter(object, status, endMs);
  return {
    kind: 'Answered',
    response: { status: { ...status }, children: [], resyncAfterSeconds },
    log: { ...log, stagesMs: stopwatch.stagesMs },
  };
}
