import { randomUUID } from 'node:crypto';
import { BALANCER, REBALANCE, type ParentKind } from '../api/parent-kinds.ts';
import type { HookName } from '../config/settings.ts';
import { startDeadline } from '../foundation/deadline.ts';
import { oneLine } from '../foundation/one-line.ts';
import { err, type Result } from '../foundation/result.ts';
import type { SyncRequest } from '../kubernetes/metacontroller.ts';
import { isTooDeep, readSyncRequest } from './body.ts';
import type { Deps } from './deps.ts';
import type { HttpError } from './errors.ts';
import type { Hook, HookLog } from './hook.ts';
import { renderResponse } from './respond.ts';
import { startStopwatch, type Stopwatch } from './stopwatch.ts';

/** How a sync ended, for the caller: the JSON of a 200, or an error of the catalogue. */
export type SyncEnd =
  | { readonly kind: 'Answered'; readonly json: string; readonly log: HookLog }
  /** 4xx: the body is no sync request. */
  | { readonly kind: 'Refused'; readonly error: HttpError }
  /** 429: there is no room now. */
  | { readonly kind: 'Shed'; readonly error: HttpError }
  /** 503: ask again. */
  | { readonly kind: 'Unavailable'; readonly error: HttpError }
  /** 500: a bug, whose stack is for the log alone. */
  | {
      readonly kind: 'Failed';
      readonly error: HttpError;
      readonly incident: string;
      readonly thrown: unknown;
    };

/** parse -> hook -> respond: one sync from bytes to its end, with one line in the log; never rejects. */
export async function runSync(name: HookName, hook: Hook, bytes: Uint8Array, deps: Deps): Promise<SyncEnd> {
  const stopwatch = startStopwatch();
  const read = refuseOtherKinds(name, readSyncRequest(bytes));
  stopwatch.lap('parse');
  const request = read.ok ? read.value : undefined;
  const end: SyncEnd = read.ok
    ? await answer(hook, read.value, deps, stopwatch).catch((thrown: unknown) => failure(thrown, bytes))
    : { kind: 'Refused', error: read.error };
  recordSync(deps, name, end, { stagesMs: stopwatch.stagesMs, request });
  return end;
}

const PARENTS = { balancer: BALANCER, rebalance: REBALANCE } as const satisfies Record<HookName, ParentKind>;

function refuseOtherKinds(
  name: HookName,
  read: Result<SyncRequest, HttpError>,
): Result<SyncRequest, HttpError> {
  const kind = read.ok ? read.value.parent.kind : undefined;
  const served = PARENTS[name].kind;
  if (kind === undefined || kind === served) return read;
  const text = `the parent is a ${oneLine(kind, 64)}, and /${name}/sync is for a ${served}: correct the webhook's url`;
  return err({ reason: 'WrongParent', text });
}

async function answer(hook: Hook, request: SyncRequest, deps: Deps, stopwatch: Stopwatch): Promise<SyncEnd> {
  const deadline = startDeadline(deps.settings.hookBudgetMs);
  const answered = await hook(request, { deps, nowMs: deps.clock.nowMs(), deadline });
  stopwatch.lap('hook');
  if (answered.kind === 'Unavailable') {
    return { kind: 'Unavailable', error: { reason: 'Unavailable', text: answered.message } };
  }
  const json = renderResponse(answered.response, request.parent.metadata);
  stopwatch.lap('respond');
  return { kind: 'Answered', json, log: answered.log };
}

/** What a throw means: a body so deep that reading it overflowed the stack is the sender's, all else is a bug of ours. */
function failure(thrown: unknown, bytes: Uint8Array): SyncEnd {
  if (thrown instanceof RangeError && isTooDeep(bytes)) {
    return { kind: 'Refused', error: { reason: 'BodyTooDeep', text: 'the body is nested too deeply' } };
  }
  return bug(thrown);
}

/** The end of a request that met a bug. */
export function bug(thrown: unknown): Extract<SyncEnd, { kind: 'Failed' }> {
  const incident = randomUUID().slice(0, 8);
  const text = `internal error, incident ${incident}: the log of counterpoise has the details`;
  return { kind: 'Failed', error: { reason: 'InternalError', text }, incident, thrown };
}

const OUTCOMES = {
  Answered: 'answered',
  Refused: 'refused',
  Shed: 'shed',
  Unavailable: 'unavailable',
  Failed: 'failed',
} as const satisfies Record<SyncEnd['kind'], string>;

/** Counts no sync yet: an alert on syncs that do not come needs the number 0, not the lack of one. */
export function startCounting({ metrics }: Deps, hook: HookName): void {
  for (const outcome of Object.values(OUTCOMES)) {
    metrics.counterpoise_hook_requests_total.inc({ hook, outcome }, 0);
  }
}

const LEVELS = {
  Answered: 'info',
  Refused: 'warn',
  Shed: 'warn',
  Unavailable: 'warn',
  Failed: 'error',
} as const satisfies Record<SyncEnd['kind'], string>;

interface Seen {
  readonly stagesMs: Readonly<Record<string, number>>;
  /** undefined: the body could not be read as one. */
  readonly request?: SyncRequest | undefined;
}

/** Counts a sync and prints its line. A refusal before the pipeline (too large, wrong media type) comes here as well. */
export function recordSync(
  deps: Deps,
  hook: HookName,
  end: SyncEnd,
  { stagesMs, request }: Seen = { stagesMs: {} },
): void {
  const outcome = OUTCOMES[end.kind];
  const awaitedMs = end.kind === 'Answered' ? (end.log.stagesMs ?? {}) : {};
  const totalMs = Object.values(stagesMs).reduce((sum, ms) => sum + ms, 0);
  deps.metrics.counterpoise_hook_requests_total.inc({ hook, outcome });
  for (const [stage, ms] of Object.entries({ ...stagesMs, ...awaitedMs, total: totalMs })) {
    deps.metrics.counterpoise_hook_stage_duration_seconds.observe({ hook, stage, outcome }, ms / 1000);
  }
  if (end.kind === 'Failed') deps.metrics.counterpoise_bugs_total.inc();
  const line = { hook, ...whose(request), outcome, ...what(end), ms: rounded({ ...stagesMs, ...awaitedMs }) };
  deps.logger[LEVELS[end.kind]](line, 'sync');
}

function whose(request: SyncRequest | undefined): object {
  if (request === undefined) return {};
  const { namespace, name, uid, generation } = request.parent.metadata;
  return { parent: { namespace, name, uid }, generation };
}

function what(end: SyncEnd): object {
  switch (end.kind) {
    case 'Answered': {
      const { reason, because, facts } = end.log;
      return { reason, because, facts };
    }
    case 'Refused':
    case 'Shed':
    case 'Unavailable':
      return { reason: end.error.reason, because: end.error.text };
    case 'Failed':
      return { reason: end.error.reason, because: end.error.text, incident: end.incident, err: end.thrown };
  }
}

function rounded(stagesMs: Readonly<Record<string, number>>): object {
  return Object.fromEntries(
    Object.entries(stagesMs).map(([stage, ms]) => [stage, Math.round(ms * 100) / 100]),
  );
}
