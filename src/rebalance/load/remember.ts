import { createHash } from 'node:crypto';
import { parseRfc3339 } from '../../foundation/clock.ts';
import { followedMetrics, longestWindowMs, type FollowedMetric } from '../followed-metrics.ts';
import { findReference } from '../reference.ts';
import type { RebalanceSpec } from '../spec.ts';
import type { RebalanceStatus } from '../status.ts';
import type { WeightedRecord, WeightedSet } from '../targets/port.ts';
import { plainName } from '../targets/route53-names.ts';
import { recordsOf, ttlOf } from '../weighted-set.ts';
import type { History, ReferenceHistory, SignalMemory } from './history.ts';
import { appendShare, type ShareEntry } from './share-history.ts';

const HOUR_MS = 3_600_000;
/** So many changes of the reference within an hour are no accident: somebody steers it. */
export const STEERED_CHANGES = 3;

/** A set as read for an attempt, and the object that it was read for. */
export interface SetFacts {
  readonly spec: RebalanceSpec;
  /** metadata.generation of that spec. */
  readonly generation: number;
  /**
   * As the last attempt, and the polls since, left it; as the lenient reader gave it: what is missing or unreadable counts
   * as absent.
   */
  readonly status: RebalanceStatus;
  readonly set: WeightedSet;
  /** The interval in use, raised to --min-interval. */
  readonly intervalMs: number;
  readonly nowMs: number;
}

/** The history with the set that was just read; what it does not belong to any more is forgotten. */
export function rememberSet(previous: History | undefined, facts: SetFacts): History {
  const { spec, set, intervalMs, nowMs } = facts;
  // An interval longer than a metric shows it: what it was an interval ago is looked at too.
  const reachMs = longestWindowMs(spec) + intervalMs;
  const targetKey = targetKeyOf(spec);
  const known = previous?.targetKey === targetKey ? previous : undefined;
  const found = findReference(spec, set);
  const reference = found.ok ? found.value : undefined;
  const entry: ShareEntry = {
    atMs: known === undefined ? nowMs : changedAtMs(facts),
    share: referenceShare(reference, set),
    ttlMs: ttlOf(set),
  };
  return {
    targetKey,
    shares: appendShare(redate(known?.shares ?? [], facts.status), entry, nowMs, reachMs),
    reference: rememberReference(known?.reference, reference, facts),
    signals: followedMetrics(spec).map((metric) => rememberSignal(known?.signals ?? [], metric)),
  };
}

/** What is known of a metric, by its name; another query under it starts anew. */
function rememberSignal(known: readonly SignalMemory[], metric: FollowedMetric): SignalMemory {
  const { name } = metric;
  const queryKey = queryKeyOf(metric);
  const same = known.find((signal) => signal.name === name && signal.queryKey === queryKey);
  return same ?? { name, queryKey, filter: undefined, lowSamples: 0, probe: undefined };
}

/**
 * The share of the set that is not ours to steer: the reference's where one is known, else of all the others. A set of
 * zeros is answered as an equal split.
 */
function referenceShare(reference: WeightedRecord | undefined, set: WeightedSet): number {
  const { own } = set;
  const records = recordsOf(set);
  const sum = records.reduce((total, { weight }) => total + weight, 0);
  if (reference === undefined) return 1 - (sum === 0 ? own.records.length / records.length : own.total / sum);
  return sum === 0 ? 1 / records.length : reference.weight / sum;
}

/**
 * When what is read now came to be: with our last change, as far as it is known; a change by others midway since the set
 * was last read.
 */
function changedAtMs({ status, set, nowMs }: SetFacts): number {
  const readMs = timeOf(status.lastEvaluatedAt) ?? nowMs;
  const submittedMs = timeOf(status.change?.submittedAt);
  const isOurs = submittedMs !== undefined && submittedMs >= readMs && set.own.total === status.actualValue;
  return isOurs ? (insyncAtMs(status) ?? submittedMs) : (readMs + nowMs) / 2;
}

/** A change that was dated by its submission is dated by the moment it was seen INSYNC, once it has been. */
function redate(shares: readonly ShareEntry[], status: RebalanceStatus): readonly ShareEntry[] {
  const insyncMs = insyncAtMs(status);
  const submittedMs = timeOf(status.change?.submittedAt);
  const newest = shares.at(-1);
  if (insyncMs === undefined || newest === undefined || newest.atMs !== submittedMs) return shares;
  return [...shares.slice(0, -1), { ...newest, atMs: insyncMs }];
}

function insyncAtMs({ change }: RebalanceStatus): number | undefined {
  return change?.status === 'INSYNC' ? timeOf(change.polledAt) : undefined;
}

function rememberReference(
  known: ReferenceHistory | undefined,
  reference: WeightedRecord | undefined,
  { generation, status, nowMs }: SetFacts,
): ReferenceHistory | undefined {
  if (reference === undefined) return known;
  const { weight } = reference;
  const isSteered = known?.steeredGeneration === generation;
  // A spec that was edited after the verdict is given a new chance.
  const before = known?.steeredGeneration === undefined || isSteered ? (known?.changedAtMs ?? []) : [];
  const midwayMs = ((timeOf(status.lastEvaluatedAt) ?? nowMs) + nowMs) / 2;
  const changedAtMs = [
    ...before.filter((atMs) => atMs > nowMs - HOUR_MS),
    ...(known !== undefined && known.weight !== weight ? [midwayMs] : []),
  ].slice(-STEERED_CHANGES);
  const steered = isSteered || changedAtMs.length >= STEERED_CHANGES;
  return { weight, changedAtMs, steeredGeneration: steered ? generation : undefined };
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseRfc3339(text);
}

function targetKeyOf({ target }: RebalanceSpec): string {
  const { hostedZoneId, name, type, records, reference } = target;
  const identifiers = records.map(({ identifier }) => identifier).toSorted();
  return keyOf([hostedZoneId, plainName(name), type, ...identifiers, reference ?? null]);
}

function queryKeyOf({ policy, metric }: FollowedMetric): string {
  return keyOf([metric.query, metric.address, metric.windowMs, policy.signal]);
}

function keyOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}
