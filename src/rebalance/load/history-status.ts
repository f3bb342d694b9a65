import { certain } from '../../foundation/certain.ts';
import { parseRfc3339, rfc3339Millis } from '../../foundation/clock.ts';
import { defined } from '../../foundation/defined.ts';
import { asWeight, type Weight } from '../weight.ts';
import type { DemandFilter } from './demand-filter.ts';
import type { History, ReferenceHistory, SignalMemory, SignalProbe } from './history.ts';
import type { ShareEntry } from './share-history.ts';

/** A History on the wire: numbers as decimal strings that round-trip, times as RFC 3339 to the millisecond. */
export interface HistoryStatus extends SignalStatus {
  readonly target: string;
  readonly shares: readonly ShareStatus[];
  readonly reference?: ReferenceStatus;
  /** Of the additional metrics; what stands beside it is of spec.metrics. */
  readonly metrics?: readonly NamedSignalStatus[];
}

export interface SignalStatus {
  readonly query: string;
  readonly filter?: FilterStatus;
  readonly lowSamples?: number;
  readonly probe?: ProbeStatus;
}

export interface NamedSignalStatus extends SignalStatus {
  readonly name: string;
}

export interface ShareStatus {
  readonly at: string;
  readonly share: string;
  readonly ttlSeconds: number;
}

export interface ReferenceStatus {
  readonly weight: Weight;
  readonly changedAt?: readonly string[];
  readonly steeredGeneration?: number;
}

export interface FilterStatus {
  readonly fast: string;
  readonly slow: string;
  readonly drift: string;
  readonly at: string;
  readonly catchingUp: boolean;
  readonly drifting: boolean;
}

export interface ProbeStatus {
  readonly metric: string;
  readonly share: string;
  readonly followed: number;
}

/** What a status remembers; undefined where it remembers nothing that can be used. */
export function readHistory(status: HistoryStatus | undefined): History | undefined {
  if (status === undefined) return undefined;
  const shares = status.shares.flatMap((entry) => readShare(entry) ?? []);
  if (shares.length === 0) return undefined;
  return {
    targetKey: status.target,
    shares,
    reference: readReference(status.reference),
    signals: [
      readSignal(undefined, status),
      ...(status.metrics ?? []).map((signal) => readSignal(signal.name, signal)),
    ],
  };
}

/** The status form of a history; `readHistory` gives back the same. */
export function writeHistory(history: History): HistoryStatus {
  const { targetKey, shares, reference, signals } = history;
  const [first, ...additional] = signals;
  const { query, ...signal } = writeSignal(certain(first, 'the signal of spec.metrics'));
  return defined({
    target: targetKey,
    query,
    shares: shares.map(({ atMs, share, ttlMs }) => ({
      at: rfc3339Millis(atMs),
      share: String(share),
      ttlSeconds: ttlMs / 1000,
    })),
    reference: reference === undefined ? undefined : writeReference(reference),
    ...signal,
    metrics: additional.length === 0 ? undefined : additional.map(writeNamedSignal),
  });
}

function writeNamedSignal(signal: SignalMemory): NamedSignalStatus {
  return { name: certain(signal.name, 'the name of an additional metric'), ...writeSignal(signal) };
}

function writeSignal({ queryKey, filter, lowSamples, probe }: SignalMemory): SignalStatus {
  return defined({
    query: queryKey,
    filter: filter === undefined ? undefined : writeFilter(filter),
    lowSamples: lowSamples === 0 ? undefined : lowSamples,
    probe: probe === undefined ? undefined : writeProbe(probe),
  });
}

function writeReference({ weight, changedAtMs, steeredGeneration }: ReferenceHistory): ReferenceStatus {
  return defined({
    weight,
    changedAt: changedAtMs.length === 0 ? undefined : changedAtMs.map(rfc3339Millis),
    steeredGeneration,
  });
}

function writeFilter({ atMs, fast, slow, drift, ...flags }: DemandFilter): FilterStatus {
  return { fast: String(fast), slow: String(slow), drift: String(drift), at: rfc3339Millis(atMs), ...flags };
}

function writeProbe({ metric, share, followed }: SignalProbe): ProbeStatus {
  return { metric: String(metric), share: String(share), followed };
}

function readSignal(
  name: string | undefined,
  { query, filter, lowSamples = 0, probe }: SignalStatus,
): SignalMemory {
  return { name, queryKey: query, filter: readFilter(filter), lowSamples, probe: readProbe(probe) };
}

function readShare({ at, share, ttlSeconds }: ShareStatus): ShareEntry | undefined {
  const atMs = parseRfc3339(at);
  const value = readNumber(share);
  return atMs === undefined || value === undefined || value > 1
    ? undefined
    : { atMs, share: value, ttlMs: ttlSeconds * 1000 };
}

function readReference(status: ReferenceStatus | undefined): ReferenceHistory | undefined {
  if (status === undefined) return undefined;
  const weight = asWeight(status.weight);
  if (weight === undefined) return undefined;
  return {
    weight,
    changedAtMs: (status.changedAt ?? []).flatMap((at) => parseRfc3339(at) ?? []),
    steeredGeneration: status.steeredGeneration,
  };
}

function readFilter(status: FilterStatus | undefined): DemandFilter | undefined {
  if (status === undefined) return undefined;
  const fast = readNumber(status.fast);
  const slow = readNumber(status.slow);
  const drift = readFinite(status.drift);
  const atMs = parseRfc3339(status.at);
  if (fast === undefined || slow === undefined || drift === undefined || atMs === undefined) return undefined;
  const { catchingUp, drifting } = status;
  return { fast, slow, drift, atMs, catchingUp, drifting };
}

function readProbe(status: ProbeStatus | undefined): SignalProbe | undefined {
  if (status === undefined) return undefined;
  const metric = readFinite(status.metric);
  const share = readNumber(status.share);
  return metric === undefined || share === undefined
    ? undefined
    : { metric, share, followed: status.followed };
}

/** A finite number, 0 or more. */
function readNumber(text: string): number | undefined {
  const value = readFinite(text);
  return value === undefined || value < 0 ? undefined : value;
}

function readFinite(text: string): number | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
