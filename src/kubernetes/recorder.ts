import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { rfc3339, systemClock, type Clock } from '../foundation/clock.ts';
import { startDeadline } from '../foundation/deadline.ts';
import { oneLine } from '../foundation/one-line.ts';
import { ok, type Result } from '../foundation/result.ts';
import type { ApiFailure, KubernetesEvent } from './api.ts';
import type { KubernetesConnection } from './connection.ts';

export interface RecorderOptions {
  /** Told of every Event that was not recorded, in one line; nothing else happens. */
  readonly onEventLost: (because: string) => void;
  readonly clock?: Clock;
}

/** An Event is worth this long a try, outside of any hook's budget. */
const EVENT_TIMEOUT_MS = 5_000;

/** Events that may wait; when the API server is slower than we are, the newest are dropped. */
const MAX_WAITING_EVENTS = 100;

/** core/v1 Event, `message`: at most 1024 characters. */
const MAX_EVENT_MESSAGE = 1024;

/** Events that are remembered to be counted up; the API server itself keeps one for an hour (--event-ttl). */
const MAX_REMEMBERED_EVENTS = 4_096;

/** As client-go's correlator: what comes again later than this is a new Event. */
const REMEMBERED_MS = 10 * 60_000;

/** An Event as it stands on the API server. */
interface Recorded {
  readonly name: string;
  readonly count: number;
  readonly lastMs: number;
}

/**
 * Events as core/v1, which `kubectl describe` and every dashboard read (events.k8s.io/v1 is the same object under other
 * names). One at a time, in order. The same words about the same object within ten minutes count the Event up, in place of
 * one more object; the memory of that is the process' own, so after a restart they begin anew.
 */
export function createRecorder(
  request: KubernetesConnection,
  { onEventLost, clock = systemClock }: RecorderOptions,
): (event: KubernetesEvent) => void {
  const inOrder = pLimit(1);
  const recorded = new LRUCache<string, Recorded>({ max: MAX_REMEMBERED_EVENTS });
  const send = async (event: KubernetesEvent, nowMs: number): Promise<void> => {
    const key = JSON.stringify([event.regarding.uid, event.type, event.reason, event.message]);
    const before = recorded.get(key);
    const isRecent = before !== undefined && nowMs - before.lastMs <= REMEMBERED_MS;
    const sent = isRecent
      ? await countUp(request, event, { ...before, count: before.count + 1, lastMs: nowMs })
      : await create(request, event, nowMs);
    if (!sent.ok) onEventLost(describeLost(event, sent.error.message));
    else if (sent.value !== undefined) recorded.set(key, sent.value);
  };
  return (event) => {
    if (inOrder.pendingCount >= MAX_WAITING_EVENTS) {
      onEventLost(describeLost(event, `${MAX_WAITING_EVENTS} Events wait already`));
      return;
    }
    void inOrder(send, event, clock.nowMs());
  };
}

/** undefined: the answer does not say what the Event is called, so it cannot be counted up. */
async function create(
  request: KubernetesConnection,
  event: KubernetesEvent,
  nowMs: number,
): Promise<Result<Recorded | undefined, ApiFailure>> {
  const deadline = startDeadline(EVENT_TIMEOUT_MS);
  const path = eventsPath(event);
  const body = toWire(event, rfc3339(nowMs));
  const made = await request({ verb: 'create', resource: 'events', path, body, deadline });
  if (!made.ok) return made;
  const name = nameOf(made.value);
  return ok(name === undefined ? undefined : { name, count: 1, lastMs: nowMs });
}

/** An Event that the API server has let go of meanwhile is made anew. */
async function countUp(
  request: KubernetesConnection,
  event: KubernetesEvent,
  counted: Recorded,
): Promise<Result<Recorded | undefined, ApiFailure>> {
  const { name, count, lastMs } = counted;
  const deadline = startDeadline(EVENT_TIMEOUT_MS);
  const path = `${eventsPath(event)}/${encodeURIComponent(name)}`;
  const body = { count, lastTimestamp: rfc3339(lastMs) };
  const patched = await request({ verb: 'patch', resource: 'events', path, body, deadline });
  if (patched.ok) return ok(counted);
  return patched.error.kind === 'NotFound' ? create(request, event, lastMs) : patched;
}

function eventsPath({ regarding }: KubernetesEvent): string {
  return `/api/v1/namespaces/${encodeURIComponent(regarding.namespace)}/events`;
}

/** The name that the API server gave it. */
function nameOf(created: unknown): string | undefined {
  const { metadata } = created as { readonly metadata?: { readonly name?: unknown } };
  return typeof metadata?.name === 'string' ? metadata.name : undefined;
}

function toWire({ regarding, type, reason, message }: KubernetesEvent, time: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { generateName: `${regarding.name}.`, namespace: regarding.namespace },
    involvedObject: regarding,
    type,
    reason,
    message: oneLine(message, MAX_EVENT_MESSAGE),
    source: { component: 'counterpoise' },
    reportingComponent: 'counterpoise',
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
}

function describeLost({ regarding, reason }: KubernetesEvent, because: string): string {
  return `Event ${reason} of ${regarding.kind} ${regarding.namespace}/${regarding.name} is lost: ${because}`;
}
