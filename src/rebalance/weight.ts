import type { Brand } from '../foundation/brand.ts';
import type { Rational } from '../foundation/rational.ts';

/** A Route 53 weight: an integer 0..255 (Route 53 API Reference, ResourceRecordSet, Weight). */
export type Weight = Brand<number, 'Weight'>;

export const MAX_WEIGHT = 255;

/** Records of one name and type (Route 53 Developer Guide, "Quotas"). */
export const MAX_RECORDS = 100;

/** What the weights of so many records may come to. */
export const MAX_TOTAL = MAX_RECORDS * MAX_WEIGHT;

/** The weight of a number that is known to be one; anything but an integer 0..255 is a bug. */
export function weight(value: number): Weight {
  const checked = asWeight(value);
  if (checked === undefined) throw new Error(`not a Route 53 weight: ${value}`);
  return checked;
}

/** The weight of a number that may be none (a status, a record as read): undefined unless an integer 0..255. */
export function asWeight(value: unknown): Weight | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAX_WEIGHT)
    return undefined;
  // A JSON text may say -0, which would not read back the same.
  return (value + 0) as Weight;
}

/** The sum of some records' weights, of a number that may be none: undefined unless an integer 0..25500. */
export function asTotal(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  return value < 0 || value > MAX_TOTAL ? undefined : value + 0;
}

/** As much of a total as a weight can be: others may have left more than that in DNS. */
export function capTotal(total: number): Weight {
  return weight(Math.min(total, MAX_WEIGHT));
}

/** The weight that a whole number, 0 or more, stands for: what is wanted beyond 255 is 255. */
export function toWeight(wanted: Rational): Weight {
  return weight(wanted.gt(MAX_WEIGHT) ? MAX_WEIGHT : Number(wanted.n));
}
