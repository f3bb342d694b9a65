import type { Deadline } from '../foundation/deadline.ts';
import type { SyncRequest, SyncResponse } from '../kubernetes/metacontroller.ts';
import type { Deps } from './deps.ts';

/** What one sync gets besides the request: one time and one deadline for all that it does. */
export interface HookContext {
  readonly deps: Deps;
  readonly nowMs: number;
  readonly deadline: Deadline;
}

/** What the pipeline prints about a sync; never a secret. The log cleans every text. */
export interface HookLog {
  readonly reason: string;
  readonly because: string;
  /** Small facts: weights, counts. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
  /** How long what the hook awaited took, in milliseconds by stage; stages are few and fixed. */
  readonly stagesMs?: Readonly<Record<string, number>>;
}

/** What a hook says to one sync. */
export type HookAnswer =
  | { readonly kind: 'Answered'; readonly response: SyncResponse; readonly log: HookLog }
  /** 503: something that must be known could not be read; nothing is touched and Metacontroller retries. */
  | { readonly kind: 'Unavailable'; readonly message: string };

/** One sync hook: request in, answer out; a throw is a bug and becomes a 500. */
export type Hook = (request: SyncRequest, context: HookContext) => Promise<HookAnswer>;
