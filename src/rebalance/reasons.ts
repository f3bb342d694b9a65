import type { CredentialFailureReason } from './aws/port.ts';
import type { MetricFailureReason, NoDataReason } from './metrics/port.ts';
import type { TargetFailureReason } from './targets/port.ts';

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
} as const satisfies Record<string, string>;
export type ConditionType = keyof typeof CONDITION_TYPES;

/** Why the policy had nothing to decide on. */
export type HoldReason =
  | 'HeldWithoutData'
  | 'HeldOnFailure'
  | 'ReferenceDrained'
  | 'ReferenceNotFound'
  | 'ReferenceAmbiguous'
  | 'ReferenceSilent'
  | 'LoadDropped'
  | 'ReferenceChanged'
  | 'ReferenceSteered';

/** Why the weight wanted is what it is: the last stage that changed it, or what the policy itself did. */
export type DecisionReason =
  | 'Tracking'
  | 'WithinTolerance'
  | 'ScaleInDisabled'
  | 'HeldFromFall'
  | HoldReason
  | 'FallbackActive'
  | 'AtMinimum'
  | 'ScheduledFloor'
  | 'AtMaximum'
  | 'Stabilised'
  | 'StepLimited'
  | 'GuardStopped'
  | 'KeptFromAllZero'
  | 'SetAllZero';

interface DecisionReasonRow {
  readonly word: ConditionWord;
  readonly meaning: string;
}

/** Every decision reason, with the condition word that it leads to when nothing failed. */
export const DECISION_REASONS = {
  Tracking: { word: 'Healthy', meaning: 'The weight follows the metric by the law.' },
  WithinTolerance: {
    word: 'Healthy',
    meaning: 'The metric is within the tolerance of what the present weight balances; the weight is kept.',
  },
  ScaleInDisabled: {
    word: 'Healthy',
    meaning: "The law asks for less, but disableScaleIn never lowers the policy's weight.",
  },
  HeldFromFall: {
    word: 'Unhealthy',
    meaning:
      'A metric could not be used, and the others ask for less: while one is missing the weight may rise, but not fall.',
  },
  HeldWithoutData: {
    word: 'Healthy',
    meaning: 'The query gave no number and noData says Hold: the weight is held.',
  },
  HeldOnFailure: { word: 'Error', meaning: 'The metric could not be read: the weight is held.' },
  ReferenceDrained: {
    word: 'Unhealthy',
    meaning: 'The reference record has weight 0, so no ratio to it exists: the weight is held.',
  },
  ReferenceNotFound: {
    word: 'Error',
    meaning:
      'No record of the set has the identifier that target.route53.reference names: the weight is held.',
  },
  ReferenceAmbiguous: {
    word: 'Error',
    meaning:
      'The set has not exactly one other record; name one by target.route53.reference or set baseValue. The weight is held.',
  },
  ReferenceSilent: {
    word: 'Unhealthy',
    meaning:
      'The load is at most 1% of what was expected: the reference site may be down. The weight is held until load is seen again.',
  },
  LoadDropped: {
    word: 'Unhealthy',
    meaning: 'The load fell below a fifth of what was expected: held for three evaluations, then believed.',
  },
  ReferenceChanged: {
    word: 'Unhealthy',
    meaning:
      "The reference record's weight was changed lately: held until the metric shows it, TTL and window later.",
  },
  ReferenceSteered: {
    word: 'Error',
    meaning:
      'The weight of the reference record was changed three times in an hour, so somebody steers it: held until the spec is edited. Exactly one record of a set is the reference, and nobody steers it.',
  },
  FallbackActive: {
    word: 'Unhealthy',
    meaning: 'More than onFailure.threshold failures in a row: the fallback weight is in force.',
  },
  AtMinimum: { word: 'Unhealthy', meaning: 'The policy wants less than minimum.' },
  ScheduledFloor: { word: 'Unhealthy', meaning: 'The policy wants less than an active scheduled floor.' },
  AtMaximum: { word: 'Unhealthy', meaning: 'The policy wants more than maximum.' },
  Stabilised: {
    word: 'Unhealthy',
    meaning:
      'The weight waits, or goes only as far as every recommendation of the stabilization window of spec.behavior asks.',
  },
  StepLimited: {
    word: 'Unhealthy',
    meaning: 'The policies of spec.behavior allow no larger step yet, or selectPolicy is Disabled.',
  },
  GuardStopped: {
    word: 'Unhealthy',
    meaning: 'A guard is not above 0, or cannot be read: the weight does not move the way that it stops.',
  },
  KeptFromAllZero: {
    word: 'Unhealthy',
    meaning:
      'Weight 0 would leave the whole set at 0, which Route 53 answers as an equal split: ours is kept.',
  },
  SetAllZero: {
    word: 'Unhealthy',
    meaning: 'Every record of the set has weight 0, which Route 53 answers as an equal split.',
  },
} as const satisfies Record<DecisionReason, DecisionReasonRow>;

/** Why a valid configuration will not do what it is meant to: the reasons of the condition ConfigurationAdvice. */
export type AdviceReason =
  | 'SignalLooksLikeLoad'
  | 'BaseValueDiffers'
  | 'TargetOutOfReach'
  | 'IntervalBelowTtl'
  | 'StepCoarserThanTolerance'
  | 'DisableScaleInWithoutWindow'
  | 'AliasMixed'
  | 'SiblingsHealthChecked';

/** Every advice: what is wrong and what to do, in one clause without numbers that change; the most telling first. */
export const ADVICE_REASONS = {
  SignalLooksLikeLoad:
    'the metric follows the share of the reference, so it measures a load; set policy.targettracking.signal to load, or query the total demand',
  BaseValueDiffers:
    'baseValue is not the weight of the reference record; make them equal, or leave baseValue out',
  TargetOutOfReach:
    'the law asks for more than maximum, so the reference carries more than targetValue; raise maximum or targetValue, or lower the weight of the reference',
  IntervalBelowTtl:
    "the interval is shorter than half the record's TTL, so most evaluations cannot see the last one's effect; raise interval or lower the TTL",
  StepCoarserThanTolerance:
    'one step of the weight moves the load by more than the tolerance; give the reference a weight of 64 to 128, or raise tolerance',
  DisableScaleInWithoutWindow:
    'disableScaleIn keeps every peak that noise makes; set spec.behavior.increase.stabilizationWindowSeconds, so that it keeps only what lasts',
  AliasMixed:
    'alias records and plain ones are mixed in the set, which have different TTLs; make all of one sort',
  SiblingsHealthChecked:
    'records of the set have health checks, and while one fails the shares are not those of the weights; expect the load to differ then',
} as const satisfies Record<AdviceReason, string>;

/** Why something outside failed. */
export type FailureReason = MetricFailureReason | NoDataReason | TargetFailureReason;

/** Why an attempt stopped before it asked anything: another object of the cluster steers the record, or may. */
export type WithheldReason = 'Conflict' | 'RivalsUnknown';

/** Reasons of conditions that are no decision's and no failure's. */
export type StateReason =
  | 'SpecAccepted'
  | 'InvalidField'
  | 'SpecInvalid'
  | 'Suspended'
  | WithheldReason
  | 'Contested'
  | 'DryRun'
  | 'ObserveOnly'
  | 'NotEvaluated'
  | 'Sampled'
  | 'AboveZero'
  | 'NotAboveZero'
  | 'NoDataIsZero'
  | 'InSync'
  | 'ChangePending'
  | 'BelowMinInterval'
  | 'Route53Budget'
  | 'HookBudget'
  | 'FieldsIgnored';

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
} as const satisfies Record<StateReason, string>;

/** What each failure of AWS credentials means; the message has the details. */
export const CREDENTIAL_REASONS = {
  NoCredentials: 'The object names no AWS credentials, and the process finds none.',
  InvalidCredentials: 'AWS does not know the credentials, or the Secret holds no keys.',
  ExpiredToken: 'The AWS credentials have expired, and newer ones are not to be had.',
  InvalidIdentityToken: 'The identity token of the pod cannot be read, or AWS does not accept it.',
  AssumeRoleDenied: 'AWS does not let the role be assumed; its trust policy decides.',
  CredentialsTimeout: 'The credentials did not come in time.',
  CredentialsUnreachable: 'No connection to AWS STS or to the Pod Identity agent.',
  CredentialsError: 'AWS STS or the Pod Identity agent failed; the message has its own words.',
  SecretMissing: 'The Secret that the object names does not exist.',
  SecretKeyMissing: 'The Secret exists without the key that the object names.',
  SecretForbidden: 'The service may not read the Secret.',
  SecretUnavailable: 'The Kubernetes API could not be asked for the Secret.',
  SecretNamespaceRefused: 'The Secret is in another namespace, which the operator has not allowed.',
} as const satisfies Record<CredentialFailureReason, string>;

/** What each failure of the metric means; the message has the details. */
export const METRIC_REASONS = {
  NoSeries: 'The query gave an empty result.',
  NotANumber: 'The query gave NaN.',
  SeveralSeries: 'The query gave more than one series; aggregate it to one.',
  WrongResultType: 'The query gave a range or a string, not a scalar or an instant vector.',
  InfiniteValue: 'The query gave an infinity, such as a division by zero.',
  PartialData: 'Prometheus answered with warnings: part of the data was missing.',
  QueryRejected: 'Prometheus refused the query; the message has its own words.',
  MetricTimeout: 'Prometheus did not answer in time.',
  MetricUnreachable: 'No connection to the address.',
  NotPrometheus: "Something answered at the address, but not with Prometheus' API.",
  AddressRefused:
    'The address leads where no query is sent: link local, metadata, or not among those of --prometheus-allow.',
  TlsFailed: 'No TLS connection: a certificate is not believed or not taken; the message says whose.',
  SecretInvalid:
    'The Secret holds something else than the field needs: a token, a PEM certificate or its key.',
  TokenRejected: 'The OAuth2 server gave no token; the message has its own words.',
  TokenUnreachable: 'No connection to the OAuth2 server.',
  ...CREDENTIAL_REASONS,
} as const satisfies Record<MetricFailureReason | NoDataReason, string>;

/** What each failure of the target means; the message has the details. */
export const TARGET_REASONS = {
  RecordNotFound: 'The zone has no record of this name, type and identifier.',
  RecordNotWeighted: 'The record exists with another routing policy than weighted; it is never changed.',
  HostedZoneNotFound: 'The hosted zone does not exist.',
  AccessDenied: 'The credentials lack a Route 53 permission.',
  Throttled: "Route 53 limits the account's requests; the next attempt tries again.",
  RateBudget:
    'Not asked: others of the same AWS account took all that --route53-rate allows; the next attempt tries again.',
  PriorRequestNotComplete: 'Another change of the zone is being made; the next attempt tries again.',
  RecordProtected: 'The record is protected against changes; the protection is never removed.',
  ChangedMeanwhile:
    'Somebody changed the record between our read and our write, which write: CompareAndSwap refuses; the next attempt reads anew.',
  ChangeRejected: 'Route 53 refused the change; the message has its own words.',
  ChangeNotFound: 'Route 53 does not know the change any more.',
  TargetTimeout: 'Route 53 did not answer in time.',
  TargetUnreachable: 'No connection to Route 53.',
  TargetError: 'Route 53 failed; the message has its own words.',
  ...CREDENTIAL_REASONS,
} as const satisfies Record<TargetFailureReason, string>;

/** Events that are no failure's; a failure's Event has the failure's reason. */
export type EventReason = 'WeightChanged' | 'WeightEdited' | 'FallbackEntered' | 'FallbackLeft' | 'Recovered';

export const EVENT_REASONS = {
  WeightChanged: 'Route 53 accepted another weight.',
  WeightEdited: 'Somebody else changed our weight since we left it; the message has both.',
  FallbackEntered: 'More than onFailure.threshold failures in a row: the fallback weight takes over.',
  FallbackLeft: 'Enough usable samples in a row: the policy takes over again.',
  Recovered: 'An attempt succeeded after one that failed.',
} as const satisfies Record<EventReason, string>;
