import { z } from 'zod';
import { GO_DURATION_EXPECTED, GO_DURATION_PATTERN, parseGoDuration } from '../foundation/duration.ts';
import { withRules } from './rules.ts';

/** Bounds of a duration in whole seconds, both included; `expected` says them in words. */
export interface DurationBounds {
  readonly minMs: number;
  readonly maxMs: number;
  readonly expected: string;
}

const durationText = z.string().max(32).regex(new RegExp(GO_DURATION_PATTERN), GO_DURATION_EXPECTED);

/** A Go duration of any length, for one who is handed the text as it is. */
export function goDuration(description: string) {
  return durationText.meta({ description });
}

/** A Go duration within bounds, as the API server and the hook both check it. */
export function goDurationWithin({ minMs, maxMs, expected }: DurationBounds, description: string) {
  return withRules(
    durationText,
    [
      {
        cel: `duration(self) >= duration('${minMs / 1000}s') && duration(self) <= duration('${maxMs / 1000}s')`,
        message: expected,
        holds: (text) => {
          const parsed = parseGoDuration(text);
          return parsed.ok && parsed.value >= minMs && parsed.value <= maxMs;
        },
      },
    ],
    { description },
  );
}

/** Milliseconds of a text that its schema let pass; any other is a bug. */
export function durationMs(text: string): number {
  const parsed = parseGoDuration(text);
  if (!parsed.ok) throw new Error(`not a duration: ${text}`);
  return parsed.value;
}
