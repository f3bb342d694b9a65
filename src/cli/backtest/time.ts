import { parseRfc3339 } from '../../foundation/clock.ts';
import { parseGoDuration } from '../../foundation/duration.ts';

/** A time in a file: RFC 3339, or seconds since the epoch; in milliseconds. */
export function readTime(text: string): number | undefined {
  if (/^\d{9,10}(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  return parseRfc3339(text);
}

/** A time on the line: also `now`, or a Go duration, so long ago. */
export function readTimeOrAgo(text: string, nowMs: number): number | undefined {
  if (text === 'now') return nowMs;
  const ago = parseGoDuration(text);
  return ago.ok ? nowMs - ago.value : readTime(text);
}
