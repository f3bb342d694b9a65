import type { SpecProblem } from '../kubernetes/spec-problem.ts';
import type { BehaviorMemory } from './behavior/memory.ts';
import type { Contest } from './contest-status.ts';
import type { History } from './load/history.ts';
import type { AdviceReason } from './reasons/advice.ts';
import type { WithheldReason } from './reasons/conditions.ts';
import type { DecisionReason, HoldReason } from './reasons/decisions.ts';
import type { Samples } from './sample.ts';
import type { RebalanceSpec } from './spec.ts';
import type { Change, RecordWeight, TargetFailure, WeightedSet } from './targets/port.ts';
import type { Weight } from './weight.ts';

/**
 * The stages of a decision, in the order in which they run. Each leaves its number in `decision.stages`; one that
 * changed the outcome stands in `limitedBy`. `demand` is what a load signal says of the total; `write` is the weight that
 * DNS is to hold after the attempt: ours as it was where writing is forbidden.
 */
export const STAGES = [
  'demand',
  'raw',
  'tolerance',
  'round',
  'scaleIn',
  'hold',
  'fallback',
  'bounds',
  'stabilise',
  'stepLimit',
  'guards',
  'set',
  'write',
] as const;
export type Stage = (typeof STAGES)[number];

/** The fallback of `onFailure.action: Weight`. */
export interface Fallback {
  readonly active: boolean;
  /** Usable samples in a row since it became active. */
  readonly successes: number;
}

/** Who forbids a write. */
export type WriteForbidden = 'DryRun' | 'ObserveOnly';

/** Why a decided weight is not written. */
export type NoWriteReason = 'Unchanged' | 'Contested' | WriteForbidden;

/** What the shell is asked to do: data, not a call. */
export type Effect =
  | {
      readonly kind: 'WriteWeight';
      readonly weight: Weight;
      /** Those of our records whose weight is to change. */
      readonly records: readonly RecordWeight[];
    }
  | { readonly kind: 'None'; readonly because: NoWriteReason };

/** What was decided, and why; a pure function of the observation. */
export interface Decision {
  /** metadata.generation of the spec that was decided on. */
  readonly generation: number;
  readonly reason: DecisionReason;
  /** One sentence for the person on call. */
  readonly because: string;
  /** Exact rationals rounded to 6 decimals, for display only. Only the stages that ran. */
  readonly stages: Readonly<Partial<Record<Stage, string>>>;
  readonly limitedBy: readonly Stage[];
  /** Why the policy had nothing to decide on; undefined: it decided. */
  readonly held: HoldReason | undefined;
  /** The additional metric that asked for the most; undefined: that of spec.metrics did, or none could. */
  readonly metric: string | undefined;
  /**
   * The weight that each metric asks for by itself, in the order of `followedMetrics`: a whole number that no bound has seen
   * yet. undefined: the metric cannot be used.
   */
  readonly asks: readonly (number | undefined)[];
  /** What the policy itself last wanted, before fallback, floors and bounds: p. */
  readonly policyWeight: Weight;
  /** What the next decision is to remember of this set and sample. */
  readonly history: History;
  /** What `behavior` is to look back on; undefined where the spec has none. */
  readonly behavior: BehaviorMemory | undefined;
  /** What others did to our weight. */
  readonly contest: Contest;
  /** What of the configuration will not do what it is meant to. */
  readonly advice: readonly AdviceReason[];
  /** undefined where `onFailure.action` is Hold. */
  readonly fallback: Fallback | undefined;
  /** The weight wanted. */
  readonly desired: Weight;
  /** How it is to stand in our records. */
  readonly split: readonly RecordWeight[];
  readonly effect: Effect;
  /** Metric failures in a row, after this sample. */
  readonly failures: number;
}

/** What became of the effect. */
export type Outcome =
  | { readonly kind: 'NotWritten'; readonly because: NoWriteReason }
  | {
      readonly kind: 'Accepted';
      /** The weight that the last accepted change left: 1 where `rescueFromAllZero` asked for it. */
      readonly weight: Weight;
      /** Our records as that change left them. */
      readonly records: readonly RecordWeight[];
      readonly change: Change;
      /** After a write of 0: the second look at the set, or the write of 1 that it asked for, failed. */
      readonly recheckFailure?: TargetFailure;
    }
  | { readonly kind: 'Refused'; readonly failure: TargetFailure };

/** How one attempt ended; the next status is a pure function of the previous one, this and the time. */
export type Attempt =
  | { readonly kind: 'InvalidSpec'; readonly problems: readonly SpecProblem[] }
  | { readonly kind: 'Suspended' }
  /** Another one steers the record, or may: nothing is asked, decided or written. */
  | {
      readonly kind: 'Withheld';
      readonly reason: WithheldReason;
      readonly message: string;
    }
  /** The set could not be read: nothing is decided. */
  | (Samples & {
      readonly kind: 'TargetUnread';
      readonly spec: RebalanceSpec;
      readonly failure: TargetFailure;
    })
  | (Samples & {
      readonly kind: 'Decided';
      readonly spec: RebalanceSpec;
      readonly set: WeightedSet;
      readonly decision: Decision;
      readonly outcome: Outcome;
    });

export type Decided = Extract<Attempt, { kind: 'Decided' }>;
