import { certain } from '../../foundation/certain.ts';
import { err, ok } from '../../foundation/result.ts';
import type { CallContext } from '../secrets.ts';
import type { Route53Target } from '../spec.ts';
import type { Change, Freshness, OwnRecords, RecordWeight, SetReading, TargetStore } from './port.ts';
import type { Access } from './route53-access.ts';
import { createBudget, type Budget, type BudgetOptions } from './route53-budget.ts';
import type { Outcome } from './route53-caller.ts';
import { createRoute53Clients, type Route53ClientOptions } from './route53-clients.ts';
import { withWeight } from './route53-exchange.ts';
import { CHANGE, GET_CHANGE, LIST } from './route53-api.ts';
import { timedOut } from './route53-failures.ts';
import { keyOfTarget } from './route53-listing.ts';
import { createSentWeights, type SentWeights } from './sent-weights.ts';
import { readWeightedSet, type ReceivedRecord } from './route53-records.ts';

export interface Route53Options extends Route53ClientOptions, BudgetOptions {}

interface Errand {
  /** IAM's name of it. */
  readonly action: string;
  readonly target: Route53Target;
  readonly context: CallContext;
}

/** What every call of one evaluation needs. */
interface Session extends Omit<Errand, 'action'> {
  readonly access: Access;
  readonly budget: Budget;
  readonly sent: SentWeights;
}

/**
 * Weights in Route 53, beneath one budget: requests of an account wait for their turns, lists are shared, and a zone's
 * changes go together. Every call ends with its deadline, retries and pauses included.
 */
export function createRoute53Store(options: Route53Options = {}): TargetStore {
  const clients = createRoute53Clients(options);
  const budget = createBudget(options);
  const sent = createSentWeights();
  const inSession = <T>(
    { action, target, context }: Errand,
    act: (session: Session) => Outcome<T>,
  ): Outcome<T> =>
    clients.use(target, context, async (keyed) =>
      context.deadline.signal.aborted
        ? err(timedOut(target, action))
        : act({ access: { ...keyed, turns: budget.turnsOf(keyed.account) }, budget, sent, target, context }),
    );
  return {
    readSet: (target, context, freshness = 'Shared') =>
      inSession({ action: LIST, target, context }, (session) => readSet(session, freshness)),
    writeWeights: (target, reading, weights, context) =>
      inSession({ action: CHANGE, target, context }, (session) => write(session, reading, weights)),
    readChange: (target, changeId, context) =>
      inSession({ action: GET_CHANGE, target, context }, ({ access }) =>
        budget.changesOf(access).read({ client: access.client, target, context, changeId }),
      ),
    shortestIntervalMs: ({ hostedZoneId }) => budget.shortestIntervalMs(hostedZoneId),
  };
}

async function readSet(session: Session, freshness: Freshness): Outcome<SetReading> {
  const { access, budget, sent, target, context } = session;
  const { beganMs } = context.deadline;
  noteDemand(session);
  const isShared = freshness === 'Shared' && budget.listWindowMs > 0;
  const read = await budget.readerOf(target.hostedZoneId, access).read({
    access,
    target,
    context,
    notBeforeMs: isShared ? Math.min(beganMs, budget.timer.nowMs() - budget.listWindowMs) : beganMs,
    isForChange: freshness === 'Fresh',
  });
  if (!read.ok) return read;
  budget.noteRead(target.hostedZoneId, access.account);
  const set = readWeightedSet(target, read.value.records);
  if (!set.ok) return set;
  const lastSent = sent.of(target);
  const isFresh = read.value.begunMs >= beganMs;
  return ok({ ...set.value, isFresh, ...(lastSent.length === 0 ? {} : { lastSent }) });
}

/** Counts who comes again and again; a single look, as of the command line, has no interval. */
function noteDemand({ access, budget, target, context }: Session): void {
  const { hostedZoneId: zoneId, records } = target;
  if (context.intervalMs === undefined) return;
  const id = JSON.stringify([keyOfTarget(target), records.map(({ identifier }) => identifier)]);
  budget.demandOf(access.account).note({ zoneId, id, intervalMs: context.intervalMs });
}

/** Replaces each record by itself, word for word, with another weight; 0 is sent as 0. */
function write(
  { access, budget, sent, target, context }: Session,
  reading: SetReading,
  weights: readonly RecordWeight[],
): Outcome<Change> {
  if (!reading.isFresh) throw new Error('a change must rest on a list that began after its sync');
  const received = reading.asRead as ReadonlyMap<string, ReceivedRecord>;
  const records = weights.map(({ identifier, weight }) => {
    const read = certain(received.get(identifier), `record "${identifier}" among those read`);
    const expected = target.compareAndSwap ? read : undefined;
    return { record: { ...read.record, Weight: weight }, xml: withWeight(read.xml, weight), expected };
  });
  sent.note(target, weights);
  const comment = commentOf(reading.set.own, weights);
  return budget.writerOf(target.hostedZoneId).write({ access, target, context, records, comment });
}

/** For who reads the change later. */
function commentOf({ records }: OwnRecords, weights: readonly RecordWeight[]): string {
  const changed = weights.map(({ identifier, weight }) => {
    const before = records.find((record) => record.identifier === identifier)?.weight;
    return `${records.length > 1 ? `${identifier} ` : ''}${before} -> ${weight}`;
  });
  return `counterpoise: weight ${changed.join(', ')}`;
}
