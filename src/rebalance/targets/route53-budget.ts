import { LRUCache } from 'lru-cache';
import { systemTimer, type Timer } from '../../foundation/timer.ts';
import { createChangeReader, type ChangeReader } from './route53-change-reader.ts';
import { createDemand, type Demand } from './route53-demand.ts';
import type { SetKey } from './route53-listing.ts';
import { createTurns, type Turns } from './route53-turns.ts';
import { createZoneReader, type ZoneReader } from './route53-zone-reader.ts';
import { createZoneWriter, type ZoneWriter } from './route53-zone-writer.ts';

export interface BudgetOptions {
  readonly timer?: Timer;
  /** Requests a second for each credential set; absent: no limit. */
  readonly ratePerSecond?: number;
  /** For how long a list is told to others; 0 or absent: each sync reads for itself. */
  readonly listWindowMs?: number;
  /** Told how long a request waited for its turn. */
  readonly onTurn?: (waitedMs: number) => void;
  /** Told how many changes go together in a batch. */
  readonly onBatch?: (size: number) => void;
}

/** Who stands in line for what: an account's requests, a zone's lists, a zone's changes. */
export interface Budget {
  readonly timer: Timer;
  readonly listWindowMs: number;
  turnsOf(accessKey: string): Turns;
  readerOf(zoneId: string, accessKey: string): ZoneReader;
  writerOf(zoneId: string): ZoneWriter;
  changesOf(accessKey: string): ChangeReader;
  demandOf(accessKey: string): Demand;
  /** The shortest interval at which everybody who reads where this zone belongs can be served; 0: any. */
  shortestIntervalMs(zoneId: string): number;
}

/** Accounts and zones that are remembered; what was not used for long begins anew. */
const MAX_ACCOUNTS = 1_000;
const MAX_ZONES = 1_000;

/**
 * Objects that are due together do not come in the same millisecond: so long a list, and a change, waits for the others.
 * Shorter than a request takes, and nothing beside the minute in which a change reaches the resolvers.
 */
const GATHER_MS = { list: 50, change: 100 };

interface Account {
  readonly turns: Turns;
  readonly changes: ChangeReader;
  readonly demand: Demand;
}

interface Zone {
  readonly writer: ZoneWriter;
  readonly readers: Map<string, ZoneReader>;
}

export function createBudget(options: BudgetOptions): Budget {
  const { timer = systemTimer, ratePerSecond = Infinity, listWindowMs = 0 } = options;
  const { onTurn = () => undefined, onBatch = () => undefined } = options;
  const accounts = new LRUCache<string, Account>({ max: MAX_ACCOUNTS });
  const zones = new LRUCache<string, Zone>({ max: MAX_ZONES });
  const gatherMs = listWindowMs > 0 ? GATHER_MS : { list: 0, change: 0 };
  let prunedMs = timer.nowMs();

  const accountOf = (accessKey: string): Account =>
    remember<Account>(accounts, accessKey, () => {
      const turns = createTurns({ timer, ratePerSecond, onTurn });
      const pagesOf = (zoneId: string): number => zones.peek(zoneId)?.readers.get(accessKey)?.pages() ?? 1;
      return {
        turns,
        changes: createChangeReader({ turns, timer, listWindowMs }),
        demand: createDemand({ timer, ratePerSecond, listWindowMs, pagesOf }),
      };
    });
  const zoneOf = (zoneId: string): Zone =>
    remember<Zone>(zones, zoneId, () => {
      const readers = new Map<string, ZoneReader>();
      const onEnd = (changed: readonly SetKey[]): void => readers.forEach((reader) => reader.forget(changed));
      const onIdle = (): void => readers.forEach((reader) => reader.resume());
      const writer = createZoneWriter({ zoneId, timer, gatherMs: gatherMs.change, onEnd, onIdle, onBatch });
      return { readers, writer };
    });
  /** Lists are large: none outlives its window by much. */
  const prune = (): void => {
    if (timer.nowMs() - prunedMs < listWindowMs) return;
    prunedMs = timer.nowMs();
    zones.forEach(({ readers }) => readers.forEach((reader) => reader.prune()));
  };

  return {
    timer,
    listWindowMs,
    turnsOf: (accessKey) => accountOf(accessKey).turns,
    changesOf: (accessKey) => accountOf(accessKey).changes,
    demandOf: (accessKey) => accountOf(accessKey).demand,
    shortestIntervalMs: (zoneId) => {
      const accessKeys = [...(zones.peek(zoneId)?.readers.keys() ?? [])];
      const demands = accessKeys.flatMap((accessKey) => accounts.peek(accessKey)?.demand ?? []);
      return Math.max(0, ...demands.map((demand) => demand.shortestIntervalMs()));
    },
    writerOf: (zoneId) => zoneOf(zoneId).writer,
    readerOf: (zoneId, accessKey) => {
      prune();
      const { turns } = accountOf(accessKey);
      const { readers, writer } = zoneOf(zoneId);
      const isBusy = (): boolean => writer.isBusy();
      return remember(readers, accessKey, () =>
        createZoneReader({ turns, zoneId, timer, listWindowMs, gatherMs: gatherMs.list, isBusy }),
      );
    },
  };
}

interface Memory<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): unknown;
}

function remember<T extends object>(memory: Memory<T>, key: string, make: () => T): T {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}
