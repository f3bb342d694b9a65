/** The original's word for how things stand. */
export const CONDITION_WORDS = ['Healthy', 'Unhealthy', 'Error'] as const;
export type ConditionWord = (typeof CONDITION_WORDS)[number];

/**
 * The conditions of a Rebalance, in the order in which they stand; GuardsPassed only where the spec has guards, the last
 * four only where they are true.
 */
export const CONDITION_TYPES = {
  Ready: 'False while something fails or the object is suspended; says what was decided and why.',
  MetricAvailable: 'Whether the query, and that of each additional metric, gave a number.',
  GuardsPassed: 'Whether every guard is above 0.',
  TargetSynced: 'Whether DNS holds the weight wanted.',
  SpecValid: 'Whether the spec is valid; names the field that is not.',
  IntervalRaised: 'spec.interval is not used as written.',
  TimeoutShortened: 'The timeout of a query is not used as written.',
  UnknownFields: 'The spec has fields that mean nothing here; they are ignored.',
  ConfigurationAdvice: 'The spec is valid, and will not do what it is meant to; the message has each reason.',
} as const satisfies Readonly<Record<string, string>>;
export type ConditionType = keyof typeof CONDITION_TYPES;

/** Reasons of conditions that are no decision's and no failure's. */
export const STATE_REASONS = {
  SpecAccepted: 'The spec is valid.',
  InvalidField: 'A field of the spec is wrong; the message names it and what was expected.',
  SpecInvalid: 'While the spec is invalid nothing is queried or written.',
  Suspended: 'spec.suspend is true: nothing is queried or written.',
  Conflict:
    'An older Rebalance steers the same record: nothing is queried or written here until that one is gone or steers another.',
  RivalsUnknown:
    'Whether an older Rebalance steers the same record could not be learnt: nothing is written on a guess.',
  Contested:
    'Others changed our weight three times in ten evaluations, so somebody else steers it too: nothing is written until the spec is edited.',
  DryRun: 'spec.dryRun is true: another weight is wanted, and not written.',
  ObserveOnly: 'The service runs with --observe-only: another weight is wanted, and not written.',
  NotEvaluated: 'No attempt has come this far yet.',
  Sampled: 'Every query of a metric gave one finite number.',
  AboveZero: 'Every guard is above 0.',
  NotAboveZero: 'A guard is not above 0: the weight does not move the way that it stops.',
  NoDataIsZero: 'The query gave no number and noData says Zero: it counts as 0.',
  InSync: 'DNS holds the weight wanted.',
  ChangePending: 'Route 53 accepted the weight; not every name server has it yet.',
  BelowMinInterval: 'spec.interval is shorter than --min-interval, which is used instead.',
  Route53Budget:
    'The Rebalances of the AWS account ask for more than --route53-rate allows: they come at a longer interval, and none is left out.',
  HookBudget: "The query's timeout is longer than what the hook's budget leaves, which is used instead.",
  FieldsIgnored: 'Look for a misspelling.',
} as const satisfies Readonly<Record<string, string>>;
export type StateReason = keyof typeof STATE_REASONS;

/** Why an attempt stopped before it asked anything: another object of the cluster steers the record, or may. */
export type WithheldReason = Extract<StateReason, 'Conflict' | 'RivalsUnknown'>;
