import type { Condition } from '../kubernetes/conditions.ts';
import type { BehaviorStatus } from './behavior/memory-status.ts';
import type { HistoryStatus } from './load/history-status.ts';
import type { ContestStatus } from './contest-status.ts';
import type { Fallback, Stage } from './decision.ts';
import type { ConditionWord } from './reasons/conditions.ts';
import type { DecisionReason } from './reasons/decisions.ts';
import type { Change } from './targets/port.ts';
import type { Weight } from './weight.ts';

/**
 * A Rebalance's status, as it stands on the wire: the only memory between two attempts. Every field may be missing, in
 * an object's first sync and because a reader drops what it cannot read. Times are RFC 3339 in UTC; numbers that may be
 * fractional are decimal strings.
 */
export interface RebalanceStatus {
  /** Ready first. */
  readonly conditions?: readonly Condition[];
  /** The original's word for the last attempt. */
  readonly condition?: ConditionWord;
  /** The weight in DNS as the last attempt left it: the sum of ours. */
  readonly actualValue?: number;
  /** The weight wanted. */
  readonly desiredValue?: Weight;
  /** Where several records are steered: what each has of the two, in the order of the spec. */
  readonly resources?: readonly ResourceStatus[];
  /** When a change of ours was last accepted. */
  readonly lastUpdateAt?: string;
  /** However it ended. */
  readonly lastAttemptAt?: string;
  /** When a weight was last decided. */
  readonly lastEvaluatedAt?: string;
  /** Metric failures in a row, at most threshold + 1. */
  readonly failures?: number;
  /** The last usable sample. */
  readonly metric?: MetricStatus;
  /** The last usable samples of the additional metrics. */
  readonly metrics?: readonly NamedValue[];
  /** The last numbers of the guards. */
  readonly guards?: readonly NamedValue[];
  readonly decision?: DecisionStatus;
  /** The last accepted change, and how far it has come. */
  readonly change?: ChangeStatus;
  /** What was read of the set and made of the samples. */
  readonly history?: HistoryStatus;
  /** What others did to our weight of late. */
  readonly contest?: ContestStatus;
  /** What `spec.behavior` looks back on. */
  readonly behavior?: BehaviorStatus;
}

/** A record that is steered beside others. */
export interface ResourceStatus {
  readonly identifier: string;
  /** Its weight in DNS as the last attempt left it. */
  readonly actualValue: Weight;
  /** Its part of the weight wanted. */
  readonly desiredValue: Weight;
}

export interface MetricStatus {
  readonly value: string;
  readonly at: string;
  readonly query: string;
}

export interface NamedValue {
  readonly name: string;
  readonly value: string;
  readonly at: string;
}

export interface DecisionStatus {
  /** The spec's generation of the last attempt, whether it reached a decision or not. */
  readonly generation?: number;
  readonly reason?: DecisionReason;
  readonly because?: string;
  /** The additional metric that asked for the most. */
  readonly metric?: string;
  readonly stages?: Readonly<Partial<Record<Stage, string>>>;
  readonly limitedBy?: readonly Stage[];
  readonly policyWeight?: Weight;
  readonly fallback?: Fallback;
}

export interface ChangeStatus extends Change {
  readonly submittedAt?: string;
  /** When Route 53 was last asked about it. */
  readonly polledAt?: string;
}
