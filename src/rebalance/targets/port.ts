import type { Result } from '../../foundation/result.ts';
import type { CredentialFailureReason } from '../aws/port.ts';
import type { CallContext } from '../secrets.ts';
import type { Route53Target } from '../spec.ts';
import type { Weight } from '../weight.ts';

/** A weight of one record of a set. */
export interface RecordWeight {
  readonly identifier: string;
  readonly weight: Weight;
}

/** One weighted record of a set, as far as a decision needs it. */
export interface WeightedRecord extends RecordWeight {
  /** undefined for an alias record, which has none of its own (Route 53 answers those with 60 s). */
  readonly ttlSeconds: number | undefined;
  readonly healthChecked: boolean;
}

/** The records that a target steers, in its order, and the sum of their weights: the weight that a decision is about. */
export interface OwnRecords {
  readonly records: readonly WeightedRecord[];
  readonly total: number;
}

/** The records with one name and type, as read. */
export interface WeightedSet {
  readonly own: OwnRecords;
  readonly others: readonly WeightedRecord[];
}

/** A set together with what the adapter needs to write it back; only the adapter that made it looks into `asRead`. */
export interface SetReading {
  readonly set: WeightedSet;
  /** Whether it was read after the sync came that asked: only then may a change rest on it. */
  readonly isFresh: boolean;
  readonly asRead: unknown;
  /** What this process last sent for our records, whatever came of it; only those that it knows of. */
  readonly lastSent?: readonly RecordWeight[];
}

/** Shared: what was read for another sync a moment ago will do. Fresh: read after this sync came. */
export type Freshness = 'Shared' | 'Fresh';

/** A change that Route 53 accepted: PENDING until every name server has it, then INSYNC. */
export interface Change {
  readonly id: string;
  readonly status: 'PENDING' | 'INSYNC';
}

export type TargetFailureReason =
  /** No record of this name, type and identifier. */
  | 'RecordNotFound'
  /** The record exists, but with another routing (simple, latency, failover, ...). */
  | 'RecordNotWeighted'
  | 'HostedZoneNotFound'
  | 'AccessDenied'
  | 'Throttled'
  /** Not asked: the requests that the account may make were all taken by others. */
  | 'RateBudget'
  | 'PriorRequestNotComplete'
  | 'RecordProtected'
  /** The record is not as it was read, and the write was to be refused then. */
  | 'ChangedMeanwhile'
  /** InvalidChangeBatch or InvalidInput in Route 53's own words. */
  | 'ChangeRejected'
  | 'ChangeNotFound'
  | 'TargetTimeout'
  | 'TargetUnreachable'
  | 'TargetError'
  | CredentialFailureReason;

/** `message`: one clean line, without secrets, request ids or times. */
export interface TargetFailure {
  readonly reason: TargetFailureReason;
  readonly message: string;
  /** True after a write that may or may not have happened (aborted, timed out, connection lost): read, don't assume. */
  readonly outcomeUnknown: boolean;
}

/** Where weights live. */
export interface TargetStore {
  /** Reads the set of the target, only as far as it must; Shared where nothing is said. */
  readSet(
    target: Route53Target,
    context: CallContext,
    freshness?: Freshness,
  ): Promise<Result<SetReading, TargetFailure>>;
  /**
   * Writes back own records exactly as read, which must be fresh, each with its new weight: all of `weights` or, on a
   * failure, none.
   */
  writeWeights(
    target: Route53Target,
    reading: SetReading,
    weights: readonly RecordWeight[],
    context: CallContext,
  ): Promise<Result<Change, TargetFailure>>;
  /** How far an accepted change has come. */
  readChange(
    target: Route53Target,
    changeId: string,
    context: CallContext,
  ): Promise<Result<Change, TargetFailure>>;
  /**
   * The shortest interval at which everybody who reads where the target lives can be served, as far as this process knows;
   * 0: any. It costs no call.
   */
  readonly shortestIntervalMs: (target: Route53Target) => number;
}
