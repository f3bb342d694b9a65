import { InvalidArgumentError } from 'commander';
import { parseGoDuration } from '../foundation/duration.ts';

/** Reads an option's value as an integer of a range; commander names the option in front of the message. */
export function integerBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most))
      throw new InvalidArgumentError(`Expected an integer from ${least} to ${most}.`);
    return value;
  };
}

/** Reads an option's value as a number of a range. */
export function numberBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!(value >= least && value <= most))
      throw new InvalidArgumentError(`Expected a number from ${least} to ${most}.`);
    return value;
  };
}

/** Reads an option's value as a Go duration above 0, in milliseconds. */
export function durationMs(text: string): number {
  const parsed = parseGoDuration(text);
  if (!parsed.ok || parsed.value === 0) throw new InvalidArgumentError('Expected a duration such as 1m.');
  return parsed.value;
}
