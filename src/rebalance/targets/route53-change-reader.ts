import type { Route53Client } from '@aws-sdk/client-route-53';
import { LRUCache } from 'lru-cache';
import { err, ok } from '../../foundation/result.ts';
import type { Timer } from '../../foundation/timer.ts';
import type { CallContext } from '../secrets.ts';
import type { Route53Target } from '../spec.ts';
import type { Change, TargetFailure } from './port.ts';
import { abortable } from './route53-access.ts';
import { GET_CHANGE, getChange } from './route53-api.ts';
import { createCaller, FOR_THE_REST_MS, type Caller, type Outcome } from './route53-caller.ts';
import { outOfBudget, timedOut, toFailure } from './route53-failures.ts';
import { retryAfter } from './route53-retry.ts';
import type { Turns } from './route53-turns.ts';

/** Changes whose answer is remembered; an older one is asked about again. */
const MAX_CHANGES = 1_000;

export interface ChangeRequest {
  readonly client: Route53Client;
  readonly target: Route53Target;
  readonly context: CallContext;
  readonly changeId: string;
}

/** How far changes have come: objects whose weights went out in one batch wait for the same change, and ask once. */
export interface ChangeReader {
  read(request: ChangeRequest): Outcome<Change>;
}

export interface ChangeReaderOptions {
  readonly turns: Turns;
  readonly timer: Timer;
  /** For how long PENDING is told; INSYNC is final. */
  readonly listWindowMs: number;
}

interface Reader extends ChangeRequest {
  readonly caller: Caller<Change>;
}

/** One change that is asked about. */
interface Question {
  readonly client: Route53Client;
  readonly changeId: string;
  readonly readers: Set<Reader>;
  readonly abort: AbortController;
  /** Gives its place in line back. */
  withdraw: () => void;
  isSent: boolean;
  tries: number;
  lastThrown: unknown;
}

interface Seen {
  readonly change: Change;
  readonly atMs: number;
}

interface Account extends ChangeReaderOptions {
  readonly questions: Map<string, Question>;
  readonly seen: LRUCache<string, Seen>;
}

export function createChangeReader(options: ChangeReaderOptions): ChangeReader {
  const account: Account = { ...options, questions: new Map(), seen: new LRUCache({ max: MAX_CHANGES }) };
  return {
    read: (request) => {
      const seen = account.seen.get(request.changeId);
      if (seen !== undefined && isOfUse(account, seen)) return Promise.resolve(ok(seen.change));
      return ask(account, request).caller.answer;
    },
  };
}

function isOfUse({ timer, listWindowMs }: Account, { change, atMs }: Seen): boolean {
  return listWindowMs > 0 && (change.status === 'INSYNC' || timer.nowMs() - atMs <= listWindowMs);
}

function ask(account: Account, request: ChangeRequest): Reader {
  const { changeId, target, context } = request;
  const open = account.questions.get(changeId);
  const question: Question = open ?? {
    client: request.client,
    changeId,
    readers: new Set(),
    abort: new AbortController(),
    withdraw: () => undefined,
    isSent: false,
    tries: 0,
    lastThrown: undefined,
  };
  const failure = (): TargetFailure => {
    if (question.isSent) return timedOut(target, GET_CHANGE);
    return question.tries === 0 ? outOfBudget(GET_CHANGE) : failureOf(reader, question.lastThrown);
  };
  const caller = createCaller<Change>({
    deadline: context.deadline,
    timer: account.timer,
    reserveMs: FOR_THE_REST_MS,
    isServed: () => question.isSent,
    failure,
    onGiveUp: () => leave(account, question, reader),
  });
  const reader: Reader = { ...request, caller };
  question.readers.add(reader);
  if (open === undefined) {
    account.questions.set(changeId, question);
    queue(account, question);
  }
  return reader;
}

function failureOf({ target }: Reader, thrown: unknown): TargetFailure {
  return toFailure({ target, action: GET_CHANGE, thrown, isAborted: false });
}

function leave(account: Account, question: Question, reader: Reader): void {
  question.readers.delete(reader);
  if (question.readers.size > 0) return;
  question.abort.abort();
  // Where there is never a turn for this rank, places of who gave up would fill the memory.
  question.withdraw();
  close(account, question);
}

/** Who asks from now on asks anew. */
function close({ questions }: Account, question: Question): void {
  if (questions.get(question.changeId) === question) questions.delete(question.changeId);
}

function queue(account: Account, question: Question): void {
  const start = (): boolean => {
    if (question.readers.size === 0) return false;
    question.isSent = true;
    void send(account, question);
    return true;
  };
  question.withdraw = account.turns.take({ rank: 'Last', start });
}

async function send(account: Account, question: Question): Promise<void> {
  const { turns, timer, seen } = account;
  const { changeId, client, readers, abort } = question;
  try {
    const answer = getChange(client, changeId, abort.signal);
    const change = await abortable(abort.signal, answer);
    seen.set(changeId, { change, atMs: timer.nowMs() });
    close(account, question);
    for (const { caller } of readers) caller.settle(ok(change));
  } catch (thrown) {
    question.isSent = false;
    question.lastThrown = thrown;
    question.tries += 1;
    const retry = retryAfter(thrown, question.tries);
    if (retry.kind === 'PauseAccount') turns.pause(retry.delayMs);
    if (retry.kind !== 'GiveUp') {
      timer.after(retry.delayMs, () => queue(account, question));
      return;
    }
    close(account, question);
    for (const reader of readers) reader.caller.settle(err(failureOf(reader, thrown)));
  }
}
