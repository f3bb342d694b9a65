import { z } from 'zod';
import { MAX_WEIGHT } from '../rebalance/weight.ts';

/** An RFC 3339 time, as a status holds it. */
export function time(description: string) {
  return z.string().max(64).meta({ description, format: 'date-time' });
}

/** A number that may be fractional, as the decimal text that a status holds. */
export function decimal(description: string) {
  return z.string().max(64).meta({ description });
}

/** A Route 53 weight. */
export function weightField(description: string) {
  return z.int().min(0).max(MAX_WEIGHT).meta({ description });
}

const MAX_COUNT = 1_000_000;

/** How often something was seen in a row. */
export function count(description: string) {
  return z.int().min(0).max(MAX_COUNT).meta({ description });
}
