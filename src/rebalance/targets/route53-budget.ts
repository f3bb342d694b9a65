import { LRUCache } from 'lru-cache';
import { systemTimer, type Timer } from '../../foundation/timer.ts';
import { createChangeReader, type ChangeReader } from './route53-change-reader.ts';
import { createDemand, type Demand } from './route53-demand.ts';
import type { Access } from './route53-access.ts';
import type { SetKey } from './route53-listing.ts';
import { createTurns, type Turns } from './route53-turns.ts';
import { createZoneReader, type ZoneReader } from './route53-zone-reader.ts';
import { createZoneWriter, type ZoneWriter } from './route53-zone-writer.ts';

export interface BudgetOptions {
  readonly timer?: Timer;
  /** Requests a second for each account; absent: no limit. */
  readonly ratePerSecond?: number;
  /** For how long a list is told to others; 0 or absent: each sync reads for itself. */
  readonly listWindowMs?: number;
  /** Told how long a request waited for its turn. */
  readonly onTurn?: (waitedMs: number) => void;
  /** Told how many changes go together in a batch. */
  readonly onBatch?: (size: number) => void;
}

/** Whose requests: the key of the credential set, and the account that it belongs to. */
export type Payer = Pick<Access, 'key' | 'account'>;

/** Who stands in line for what: an account's requests, a zone's lists, a zone's changes. */
export interface Budget {
  readonly timer: Timer;
  readonly listWindowMs: number;
  turnsOf(account: string): Turns;
  demandOf(account: string): Demand;
  readerOf(zoneId: string, payer: Payer): ZoneReader;
  writerOf(zoneId: string): ZoneWriter;
  changesOf(payer: Payer): ChangeReader;
  /** The zone was read for this account: so it belongs to it. */
  noteRead(zoneId: string, account: string): void;
  /** The shortest interval at which everybody who reads where this zone belongs can be served; 0: any. */
  shortestIntervalMs(zoneId: string): number;
}

/** Accounts, credential sets and zones that are remembered; what was not used for long begins anew. */
const MAX_REMEMBERED = 1_000;
/** Credential sets of one zone: keys in a Secret are another set whenever they rotate. */
const MAX_OF_A_ZONE = 100;

/**
 * Objects that are due together do not come in the same millisecond: so long a list, and a change, waits for the others.
 * Shorter than a request takes, and nothing beside the minute in which a change reaches the resolvers.
 */
const GATHER_MS = { list: 50, change: 100 };

interface Account {
  readonly turns: Turns;
  readonly demand: Demand;
}

interface Zone {
  readonly writer: ZoneWriter;
  readonly readers: LRUCache<string, ZoneReader>;
  /** Whose credentials have read it: one account, as far as keys tell theirs. Whoever only names the zone is not among them. */
  readonly readBy: LRUCache<string, true>;
}

export function createBudget(options: BudgetOptions): Budget {
  const { timer = systemTimer, ratePerSecond = Infinity, listWindowMs = 0 } = options;
  const { onTurn = () => undefined, onBatch = () => undefined } = options;
  const accounts = new LRUCache<string, Account>({ max: MAX_REMEMBERED });
  const changes = new LRUCache<string, ChangeReader>({ max: MAX_REMEMBERED });
  const zones = new LRUCache<string, Zone>({ max: MAX_REMEMBERED });
  const gatherMs = listWindowMs > 0 ? GATHER_MS : { list: 0, change: 0 };
  let prunedMs = timer.nowMs();

  const pagesOf = (zoneId: string): number =>
    Math.max(1, ...[...(zones.peek(zoneId)?.readers.values() ?? [])].map((reader) => reader.pages()));
  const accountOf = (account: string): Account =>
    remember<Account>(accounts, account, () => ({
      turns: createTurns({ timer, ratePerSecond, onTurn }),
      demand: createDemand({ timer, ratePerSecond, listWindowMs, pagesOf }),
    }));
  const zoneOf = (zoneId: string): Zone =>
    remember<Zone>(zones, zoneId, () => {
      const readers = new LRUCache<string, ZoneReader>({ max: MAX_OF_A_ZONE });
      const onEnd = (changed: readonly SetKey[]): void => readers.forEach((reader) => reader.forget(changed));
      const onIdle = (): void => readers.forEach((reader) => reader.resume());
      const writer = createZoneWriter({ zoneId, timer, gatherMs: gatherMs.change, onEnd, onIdle, onBatch });
      return { writer, readers, readBy: new LRUCache({ max: MAX_OF_A_ZONE }) };
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
    turnsOf: (account) => accountOf(account).turns,
    demandOf: (account) => accountOf(account).demand,
    changesOf: (payer) =>
      remember<ChangeReader>(changes, idOf(payer), () =>
        createChangeReader({ turns: accountOf(payer.account).turns, timer, listWindowMs }),
      ),
    noteRead: (zoneId, account) => void zones.peek(zoneId)?.readBy.set(account, true),
    shortestIntervalMs: (zoneId) => {
      const readBy = [...(zones.peek(zoneId)?.readBy.keys() ?? [])];
      const demands = readBy.flatMap((account) => accounts.peek(account)?.demand ?? []);
      return Math.max(0, ...demands.map((demand) => demand.shortestIntervalMs()));
    },
    writerOf: (zoneId) => zoneOf(zoneId).writer,
    readerOf: (zoneId, payer) => {
      prune();
      const { writer, readers } = zoneOf(zoneId);
      const { turns } = accountOf(payer.account);
      const isBusy = (): boolean => writer.isBusy();
      return remember<ZoneReader>(readers, idOf(payer), () =>
        createZoneReader({ turns, zoneId, timer, listWindowMs, gatherMs: gatherMs.list, isBusy }),
      );
    },
  };
}

/** What is read for one set of credentials is told to nobody else, also where they share the account's line. */
function idOf({ key, account }: Payer): string {
  return JSON.stringify([account, key]);
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
