import {
  ChangeResourceRecordSetsCommand,
  GetChangeCommand,
  ListResourceRecordSetsCommand,
  type ChangeInfo,
  type ListResourceRecordSetsCommandOutput,
  type Route53Client,
  type RRType,
} from '@aws-sdk/client-route-53';
import { certain } from '../../foundation/certain.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import type { CallContext } from '../secrets.ts';
import type { Route53Target } from '../spec.ts';
import type { Change, OwnRecords, RecordWeight, SetReading, TargetFailure, TargetStore } from './port.ts';
import { createRoute53Clients, type Route53Options } from './route53-clients.ts';
import { observe, recordsIn, sendRecords, withWeight } from './route53-exchange.ts';
import { toFailure } from './route53-failures.ts';
import { plainName } from './route53-names.ts';
import { isInSet, readWeightedSet, type ReceivedRecord } from './route53-records.ts';

/**
 * As many records as may have one name and type (Route 53 Developer Guide, "Quotas"): a set is read by one call
 * whatever its size, unless Route 53 makes a page shorter.
 */
const PAGE_SIZE = 100;

/** What every call of one evaluation needs. */
interface Session {
  readonly client: Route53Client;
  readonly target: Route53Target;
  readonly deadline: Deadline;
}

type Outcome<T> = Promise<Result<T, TargetFailure>>;

/** Weights in Route 53. Every call ends with the deadline, the SDK's retries and the pauses between them included. */
export function createRoute53Store(options: Route53Options = {}): TargetStore {
  const clients = createRoute53Clients(options);
  const inSession = <T>(
    target: Route53Target,
    context: CallContext,
    act: (session: Session) => Outcome<T>,
  ): Outcome<T> =>
    clients.use(target, context, (client) => act({ client, target, deadline: context.deadline }));
  return {
    readSet: (target, context) => inSession(target, context, readSet),
    writeWeights: (target, reading, weights, context) =>
      inSession(target, context, (session) => upsert(session, reading, weights)),
    readChange: (target, changeId, context) =>
      inSession(target, context, (session) => getChange(session, changeId)),
  };
}

/** Reads from the set's first record on and stops where the name or the type has passed. */
async function readSet(session: Session): Outcome<SetReading> {
  const received: ReceivedRecord[] = [];
  let identifier: string | undefined;
  do {
    const page = await listPage(session, identifier);
    if (!page.ok) return page;
    received.push(...page.value.records);
    identifier = page.value.nextIdentifier;
    if (identifier !== undefined && received.some(({ record }) => record.SetIdentifier === identifier))
      return err(unreadable(session, LIST, 'its pages do not go on'));
  } while (identifier !== undefined);
  return readWeightedSet(session.target, received);
}

interface Page {
  /** Records of the set alone. */
  readonly records: readonly ReceivedRecord[];
  /** Where the next page starts; undefined when the set has ended. */
  readonly nextIdentifier: string | undefined;
}

const LIST = 'route53:ListResourceRecordSets';

async function listPage(session: Session, identifier: string | undefined): Outcome<Page> {
  const { client, target } = session;
  const command = new ListResourceRecordSetsCommand({
    HostedZoneId: target.hostedZoneId,
    StartRecordName: plainName(target.name),
    StartRecordType: target.type as RRType,
    ...(identifier === undefined ? {} : { StartRecordIdentifier: identifier }),
    MaxItems: PAGE_SIZE,
  });
  const exchange = observe(command);
  const sent = await call(session, LIST, (abortSignal) => client.send(command, { abortSignal }));
  return sent.ok ? readPage(session, sent.value, recordsIn(exchange.body())) : sent;
}

function readPage(
  session: Session,
  answer: ListResourceRecordSetsCommandOutput,
  elements: readonly string[],
): Result<Page, TargetFailure> {
  const { target } = session;
  // An answer that is not Route 53's has no records at all, whatever the SDK's types promise.
  const parsed = answer.ResourceRecordSets ?? [];
  if (answer.IsTruncated === undefined || parsed.length !== elements.length)
    return err(unreadable(session, LIST, 'it is not one of Route 53'));
  const all = parsed.map((record, index) => ({ record, xml: elements[index] ?? '' }));
  const passed = all.findIndex(({ record }) => !isInSet(target, record));
  if (passed >= 0) return ok({ records: all.slice(0, passed), nextIdentifier: undefined });
  const next = { Name: answer.NextRecordName, Type: answer.NextRecordType };
  if (!isInSet(target, next)) return ok({ records: all, nextIdentifier: undefined });
  return answer.NextRecordIdentifier === undefined
    ? err(unreadable(session, LIST, 'its pages do not go on'))
    : ok({ records: all, nextIdentifier: answer.NextRecordIdentifier });
}

/** Replaces each record by itself, word for word, with another weight, all in one batch; 0 is sent as 0. */
async function upsert(
  session: Session,
  reading: SetReading,
  weights: readonly RecordWeight[],
): Outcome<Change> {
  const { client, target } = session;
  const received = reading.asRead as ReadonlyMap<string, ReceivedRecord>;
  const changes = weights.map(({ identifier, weight }) => {
    const { record, xml } = certain(received.get(identifier), `record "${identifier}" among those read`);
    return { record: { ...record, Weight: weight }, xml: withWeight(xml, weight) };
  });
  const command = new ChangeResourceRecordSetsCommand({
    HostedZoneId: target.hostedZoneId,
    ChangeBatch: {
      Comment: commentOf(reading.set.own, weights),
      Changes: changes.map(({ record }) => ({ Action: 'UPSERT', ResourceRecordSet: record })),
    },
  });
  sendRecords(
    command,
    changes.map(({ xml }) => xml),
  );
  const exchange = observe(command);
  const action = 'route53:ChangeResourceRecordSets';
  const sent = await call(session, action, (abortSignal) => client.send(command, { abortSignal }));
  if (!sent.ok) return err({ ...sent.error, outcomeUnknown: exchange.isInDoubt() });
  const change = toChange(sent.value.ChangeInfo);
  return change === undefined
    ? err({ ...unreadable(session, action, 'it is not one of Route 53'), outcomeUnknown: true })
    : ok(change);
}

/** For who reads the change later; at most 256 characters (API Reference, ChangeBatch). */
function commentOf({ records }: OwnRecords, weights: readonly RecordWeight[]): string {
  const changed = weights.map(({ identifier, weight }) => {
    const before = records.find((record) => record.identifier === identifier)?.weight;
    return `${records.length > 1 ? `${identifier} ` : ''}${before} -> ${weight}`;
  });
  return `counterpoise: weight ${changed.join(', ')}`.slice(0, 256);
}

async function getChange(session: Session, changeId: string): Outcome<Change> {
  const command = new GetChangeCommand({ Id: changeId });
  const action = 'route53:GetChange';
  const sent = await call(session, action, (abortSignal) => session.client.send(command, { abortSignal }));
  if (!sent.ok) return sent;
  const change = toChange(sent.value.ChangeInfo);
  return change === undefined ? err(unreadable(session, action, 'it is not one of Route 53')) : ok(change);
}

/** The id comes as `/change/C123`; kept bare, as the zone's. */
function toChange(info: ChangeInfo | undefined): Change | undefined {
  if (info?.Id === undefined || info.Status === undefined) return undefined;
  return { id: info.Id.replace(/^\/change\//, ''), status: info.Status };
}

/** One call, with what the SDK throws as a value. */
async function call<T>(
  { target, deadline }: Session,
  action: string,
  send: (abortSignal: AbortSignal) => Promise<T>,
): Outcome<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(deadline.signal.reason);
  deadline.signal.addEventListener('abort', abort);
  try {
    deadline.signal.throwIfAborted();
    // The SDK heeds the signal while it calls, not while it pauses before a retry or looks for credentials.
    return ok(await Promise.race([send(deadline.signal), aborted]));
  } catch (thrown) {
    return err(toFailure({ target, action, thrown, isAborted: deadline.signal.aborted }));
  } finally {
    deadline.signal.removeEventListener('abort', abort);
  }
}

function unreadable({ target }: Session, action: string, what: string): TargetFailure {
  const message = `Route 53's answer to ${action} on hosted zone ${target.hostedZoneId} cannot be read: ${what}`;
  return { reason: 'TargetError', message, outcomeUnknown: false };
}
