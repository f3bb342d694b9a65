import type { ConditionWord } from './conditions.ts';

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

interface DecisionReasonRow {
  readonly word: ConditionWord;
  readonly meaning: string;
}

/**
 * Why the weight wanted is what it is: the last stage that changed it, or what the policy itself did; each with the
 * condition word that it leads to when nothing failed.
 */
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
} as const satisfies Readonly<Record<string, DecisionReasonRow>> &
  Readonly<Record<HoldReason, DecisionReasonRow>>;
export type DecisionReason = keyof typeof DECISION_REASONS;
