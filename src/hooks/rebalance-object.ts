import { REBALANCE } from '../api/parent-kinds.ts';
import { readRebalanceStatus } from '../api/rebalance-status.ts';
import { parseRebalanceSpec, readIntervalMs } from '../api/rebalance.ts';
import type { RebalanceSettings } from '../config/settings.ts';
import { isRecord } from '../foundation/record.ts';
import type { Result } from '../foundation/result.ts';
import type { ObjectReference } from '../kubernetes/objects.ts';
import type { ObservedParent } from '../kubernetes/metacontroller.ts';
import type { SpecProblem } from '../kubernetes/spec-problem.ts';
import { due, nextResyncSeconds, type Due, type DueFacts } from '../rebalance/due.ts';
import { usedIntervalMs } from '../rebalance/notices.ts';
import type { RebalanceSpec, Route53Target } from '../rebalance/spec.ts';
import type { RebalanceStatus } from '../rebalance/status.ts';

/** One Rebalance, posted or live, as far as a sync needs it. */
export interface RebalanceObject {
  readonly reference: ObjectReference & { readonly uid: string };
  readonly metadata: ObservedParent['metadata'];
  readonly generation: number;
  readonly isBeingDeleted: boolean;
  readonly parsed: Result<
    { readonly spec: RebalanceSpec; readonly unknownFields: readonly string[] },
    readonly SpecProblem[]
  >;
  /** The interval asked for, raised to --min-interval; one minute where the spec's is unreadable. */
  readonly wantedIntervalMs: number;
  /** The interval in use: longer where the target cannot be read as often. */
  readonly intervalMs: number;
  /** As it came. */
  readonly rawStatus: unknown;
  /** What could be read of it. */
  readonly status: RebalanceStatus;
}

/** `shortestIntervalOf`: what the budget of a target leaves to each of all who come. */
export function readRebalance(
  parent: ObservedParent,
  settings: RebalanceSettings,
  shortestIntervalOf: (target: Route53Target) => number = () => 0,
): RebalanceObject {
  const parsed = parseRebalanceSpec(parent.spec);
  const wantedIntervalMs = usedIntervalMs(readIntervalMs(parent.spec), settings);
  const shortestMs = parsed.ok ? shortestIntervalOf(parsed.value.spec.target) : 0;
  const { name, namespace, uid, generation, deletionTimestamp } = parent.metadata;
  return {
    reference: { ...REBALANCE, namespace, name, uid },
    metadata: parent.metadata,
    generation,
    isBeingDeleted: deletionTimestamp !== undefined,
    parsed,
    wantedIntervalMs,
    intervalMs: Math.max(wantedIntervalMs, shortestMs),
    rawStatus: parent.status,
    status: readRebalanceStatus(parent.status),
  };
}

/** The spec of an object that is known to have a readable one; its absence is a bug. */
export function specOf({ parsed }: RebalanceObject): RebalanceSpec {
  if (!parsed.ok) throw new Error('the spec is unreadable');
  return parsed.value.spec;
}

/** What a sync of the object is for, now. */
export function dueNow(object: RebalanceObject, nowMs: number): Due {
  return due(dueFacts(object, object.status, nowMs));
}

/** When the next sync of the object should come, after this one left `status`. */
export function resyncAfter(object: RebalanceObject, status: RebalanceStatus, nowMs: number): number {
  return nextResyncSeconds(dueFacts(object, status, nowMs));
}

function dueFacts(object: RebalanceObject, status: RebalanceStatus, nowMs: number): DueFacts {
  const { generation, parsed, intervalMs } = object;
  return {
    status,
    generation,
    schedule: parsed.ok ? parsed.value.spec.policy.scheduled : [],
    intervalMs,
    mayPoll: parsed.ok && !parsed.value.spec.suspend,
    nowMs,
  };
}

/** A status to answer as it is. What no status holds (by curl alone: nulls, 1e999) is left out, as JSON cannot say it back. */
export function asAnswered(rawStatus: unknown): Readonly<Record<string, unknown>> {
  const kept = keepSayable(rawStatus);
  return isRecord(kept) ? kept : {};
}

function keepSayable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keepSayable).filter((item) => item !== undefined);
  if (isRecord(value)) {
    const fields = Object.entries(value).map(([key, field]) => [key, keepSayable(field)] as const);
    return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
  }
  return value === null || (typeof value === 'number' && !Number.isFinite(value)) ? undefined : value;
}
