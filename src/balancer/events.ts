import type { KubernetesEvent } from '../kubernetes/api.ts';
import type { Condition } from '../kubernetes/conditions.ts';

/** An Event that a sync deserves; the shell adds what it is about. */
export type BalancerEvent = Omit<KubernetesEvent, 'regarding'>;

/** Reasons that are steps of a takeover or a migration, and how loud each is. */
const STEPS: Readonly<Record<string, BalancerEvent['type']>> = {
  Adopting: 'Normal',
  AdoptionFailed: 'Warning',
  TemplateAwaited: 'Normal',
  RollingOut: 'Normal',
  Orphaning: 'Normal',
  OrphaningFailed: 'Warning',
  Recreating: 'Normal',
};

/**
 * One Event per step of a takeover or a migration: when a condition first names the step, and when the last one is done. A
 * step that goes on is silent. A status that was lost, or a parent that was posted stale, makes a step's Event come twice,
 * and the one that all is done not at all; nothing else rests on it.
 */
export function eventsOf(
  previous: readonly Condition[],
  next: readonly Condition[],
): readonly BalancerEvent[] {
  const begun = next.flatMap(({ type, reason, message }): readonly BalancerEvent[] => {
    const step = STEPS[reason];
    const isNews = previous.every((before) => before.type !== type || before.reason !== reason);
    return step === undefined || !isNews ? [] : [{ type: step, reason, message }];
  });
  return [...begun, ...takenOver(previous, next), ...migrated(previous, next)];
}

function takenOver(previous: readonly Condition[], next: readonly Condition[]): readonly BalancerEvent[] {
  const wasAdopting = previous.some(({ reason }) => reason === 'Adopting');
  if (!wasAdopting || next.every(({ reason }) => reason !== 'AllObserved')) return [];
  return [{ type: 'Normal', reason: 'TakenOver', message: 'every child is adopted' }];
}

function migrated(previous: readonly Condition[], next: readonly Condition[]): readonly BalancerEvent[] {
  const isMigrating = (conditions: readonly Condition[]): boolean =>
    conditions.some(({ type }) => type === 'Migrating');
  if (!isMigrating(previous) || isMigrating(next)) return [];
  // An invalid spec, or pod labels that the selector does not meet any more, interrupt a migration; they do not end it.
  if (next.some(({ type, reason }) => type === 'SelectorDiffers' || reason === 'SpecInvalid')) return [];
  return [{ type: 'Normal', reason: 'Migrated', message: 'the Deployment has our selector, and its pods' }];
}
