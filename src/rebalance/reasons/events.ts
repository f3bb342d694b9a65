/** Events that are no failure's; a failure's Event has the failure's reason. */
export const EVENT_REASONS = {
  WeightChanged: 'Route 53 accepted another weight.',
  WeightEdited: 'Somebody else changed our weight since we left it; the message has both.',
  FallbackEntered: 'More than onFailure.threshold failures in a row: the fallback weight takes over.',
  FallbackLeft: 'Enough usable samples in a row: the policy takes over again.',
  Recovered: 'An attempt succeeded after one that failed.',
} as const satisfies Readonly<Record<string, string>>;
export type EventReason = keyof typeof EVENT_REASONS;
