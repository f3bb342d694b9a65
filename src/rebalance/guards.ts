import { certain } from '../foundation/certain.ts';
import { rational, type Rational } from '../foundation/rational.ts';
import { withinBounds, type Bounds } from './limits.ts';
import type { Sample } from './sample.ts';
import type { Guard } from './spec.ts';
import { runStages, type Trail } from './stages.ts';
import type { Weight } from './weight.ts';

/** A guard that does not let the weight move its way; `why` follows its name in a sentence. */
export interface ClosedGuard extends Pick<Guard, 'name' | 'stops'> {
  readonly why: string;
}

/** What the guards are held against. */
export interface GuardFacts {
  readonly guards: readonly Guard[];
  /** One for each guard. */
  readonly samples: readonly Sample[];
  /** Own weight in DNS; in a dry run the weight last wanted. */
  readonly inForce: Weight;
  readonly bounds: Bounds;
  /** The fallback weight is in force: a guard does not stop the way to it. */
  readonly isFallback: boolean;
}

/** A weight after the guards, and which of them stopped it. */
export interface Guarded {
  readonly trail: Trail;
  readonly stoppedBy: readonly ClosedGuard[];
}

/** The guards that are not above 0, or cannot be read. */
export function closedGuards({
  guards,
  samples,
}: Pick<GuardFacts, 'guards' | 'samples'>): readonly ClosedGuard[] {
  return guards.flatMap(({ name, stops }, index) => {
    const why = whyClosed(certain(samples[index], 'the sample of a guard'));
    return why === undefined ? [] : [{ name, stops, why }];
  });
}

/**
 * Stops a move that a closed guard forbids: the weight in force stays. What brings a weight within bounds, or to the
 * fallback, is not stopped; what takes it further, or back, is.
 */
export function runGuards(facts: GuardFacts, trail: Trail): Guarded {
  const { guards, inForce, bounds, isFallback } = facts;
  if (guards.length === 0 || isFallback) return { trail, stoppedBy: [] };
  const way = trail.wanted.gt(inForce) ? 'Increase' : 'Decrease';
  const against = closedGuards(facts).filter(({ stops }) => stops === 'Both' || stops === way);
  const apply = (wanted: Rational): Rational =>
    against.length === 0 ? wanted : withinBounds(rational(inForce), bounds);
  const guarded = runStages([{ stage: 'guards', apply }], undefined, trail);
  return { trail: guarded, stoppedBy: guarded.wanted.equals(trail.wanted) ? [] : against };
}

function whyClosed(sample: Sample): string | undefined {
  if (sample.kind !== 'Usable') return `cannot be read (${sample.reason})`;
  return sample.value.gt(0) ? undefined : 'is not above 0';
}
