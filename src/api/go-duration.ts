import { z } from 'zod';
import { parseGoDuration } from '../foundation/duration.ts';
import { withRules } from './rules.ts';

/** Go's time.ParseDuration without sign: https://pkg.go.dev/time#ParseDuration. */
const DURATION_PATTERN = /^([0-9]+(\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h))+$/;

/** Bounds of a duration in whole seconds, both included; `expected` says them in words. */
export interface DurationBounds {
  readonly minMs: number;
  readonly maxMs: number;
  readonly expected: string;
}

/** A Go duration within bounds, as the API server and the hook both check it. */
export function goDuration({ minMs, maxMs, expected }: DurationBounds, description: string) {
  return withRules(
    z.string().max(32).regex(DURATION_PATTERN, 'expected a Go duration such as 90s or 1h30m'),
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
