/**
 * Why a valid configuration will not do what it is meant to: the reasons of the condition ConfigurationAdvice. Each says
 * what is wrong and what to do, in one clause without numbers that change; the most telling first.
 */
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
} as const satisfies Readonly<Record<string, string>>;
export type AdviceReason = keyof typeof ADVICE_REASONS;
