import { ok } from '../../foundation/result.ts';
import { appendShare, seenShare, type ShareEntry } from '../../rebalance/load/share-history.ts';
import type { Reading, Readings } from '../../rebalance/sample.ts';

/** What the queries of a spec answer at a time, and what is true then. */
export interface Moment extends Readings {
  readonly atMs: number;
  /** Load of the reference site; undefined where nothing was measured. */
  readonly load: number | undefined;
}

/** A world that weights act upon: asked for one moment after the other, told each weight that is published. */
export interface World {
  readonly length: number;
  /** The moment of that number; asked for once each, in order. */
  moment(index: number): Moment;
  /** From the moment asked for last on. */
  publish(weight: number): void;
}

export const NOTHING_MEASURED: Reading = ok({
  kind: 'NoData',
  reason: 'NoSeries',
  message: 'nothing was measured',
});

export interface Records {
  readonly referenceWeight: number;
  /** Ours before the first moment. */
  readonly startWeight: number;
  readonly ttlMs: number;
  readonly windowMs: number;
}

/** The shares that clients were given, and those that they follow: the controller's own model of them. */
export interface Clients {
  publish(weight: number, nowMs: number): void;
  /** Share of the demand that the reference site carries; `windowMs`: averaged over the past. */
  share(nowMs: number, windowMs: number): number;
}

/** Clients who follow each change evenly over the TTL; the weight before `startMs` is there for ever. */
export function createClients(records: Records, startMs: number): Clients {
  const { referenceWeight, startWeight, ttlMs, windowMs } = records;
  const entry = (weight: number, atMs: number): ShareEntry => {
    const sum = weight + referenceWeight;
    return { atMs, share: sum === 0 ? 1 / 2 : referenceWeight / sum, ttlMs };
  };
  let shares: readonly ShareEntry[] = [entry(startWeight, startMs)];
  return {
    publish: (weight, nowMs) => {
      shares = appendShare(shares, entry(weight, nowMs), nowMs, windowMs);
    },
    share: (nowMs, window) => seenShare(shares, nowMs, window),
  };
}
