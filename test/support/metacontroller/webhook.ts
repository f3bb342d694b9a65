import { z } from 'zod';
import { err, ok, type Result } from '../../../src/foundation/result.ts';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { call, type Answer } from '../call.ts';
import type { Connection } from './connection.ts';

export interface HookAnswer {
  readonly status: Readonly<Record<string, unknown>>;
  readonly children: readonly ObservedObject[];
  readonly resyncAfterSeconds: number;
}

export type HookOutcome =
  | { readonly kind: 'Answered'; readonly answer: HookAnswer }
  | { readonly kind: 'TooManyRequests'; readonly afterSeconds: number }
  | { readonly kind: 'Failed'; readonly message: string };

export interface HookCall {
  readonly url: string;
  readonly timeoutMs: number;
  readonly mode: 'strict' | 'loose';
  /** Gives up the exchange. */
  readonly stopping: AbortSignal;
  readonly connection: Connection;
}

/** POSTs one body to a hook and reads what it answers. */
export async function callHook(hook: HookCall, body: unknown): Promise<HookOutcome> {
  const { authorization, ...tls } = hook.connection;
  let answer: Answer;
  try {
    answer = await call(hook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([AbortSignal.timeout(hook.timeoutMs), hook.stopping]),
      ...tls,
    });
  } catch (error) {
    return { kind: 'Failed', message: `http error: ${httpError(error)}` };
  }
  return readAnswer(answer, hook.mode);
}

/** An abort hides its reason, such as a timeout, in `cause`. */
function httpError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function readAnswer({ status, headers, text }: Answer, mode: HookCall['mode']): HookOutcome {
  if (status === 429) {
    // [too-many-requests] [too-many-requests-without-retry-after]: no integer means after no time at all.
    const retryAfter = headers['retry-after'] ?? '';
    return { kind: 'TooManyRequests', afterSeconds: /^\d+$/.test(retryAfter) ? Number(retryAfter) : 0 };
  }
  // [only-200] Not even 201 or 204.
  if (status !== 200) return { kind: 'Failed', message: `unsupported status code: ${status} body: ${text}` };
  const answer = decodeAnswer(text, mode);
  return answer.ok
    ? { kind: 'Answered', answer: answer.value }
    : { kind: 'Failed', message: `cannot read the answer: ${answer.error}` };
}

const child = z.looseObject({
  apiVersion: z.string(),
  kind: z.string().min(1),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    labels: z.record(z.string(), z.string()).nullish(),
    annotations: z.record(z.string(), z.string()).nullish(),
  }),
});

/** [wrong-types] A null, like an absent field, is Go's zero value: no status, no children, no resync. */
const fields = {
  status: z.record(z.string(), z.unknown()).nullish(),
  children: z.array(child).nullish(),
  resyncAfterSeconds: z.number().nullish(),
  finalized: z.boolean().nullish(),
};
/** [strict-decoding] [loose-decoding] */
const schemas = { strict: z.strictObject(fields), loose: z.object(fields) } as const;

/** Reads the text of an answer, or says what is wrong with it. */
export function decodeAnswer(text: string, mode: HookCall['mode']): Result<HookAnswer, string> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return err('not JSON');
  }
  const parsed = schemas[mode].safeParse(raw ?? {});
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return err([issue?.path.join('.'), issue?.message].filter((part) => part !== '').join(': '));
  }
  const { status, children, resyncAfterSeconds } = parsed.data;
  return ok({
    status: status ?? {},
    // [no-children-deletes-all]
    children: (children ?? []) as readonly ObservedObject[],
    resyncAfterSeconds: resyncAfterSeconds ?? 0,
  });
}
