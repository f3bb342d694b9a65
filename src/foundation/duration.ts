import { err, ok, type Result } from './result.ts';

/** Nanoseconds of each unit of Go's `time.ParseDuration` (https://pkg.go.dev/time#ParseDuration). */
const NANOSECONDS_PER_UNIT = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
} as const;

const TERM = /(\d+)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;

/**
 * Parses a Go duration (`1h30m`, `1.5h`, `500ms`, `0`) to milliseconds; below a millisecond it is truncated. A sign
 * is refused: no field of ours means anything by a negative time. The error is a short clause for a field's message.
 */
export function parseGoDuration(text: string): Result<number, string> {
  const expected = 'expected a Go duration such as 90s or 1h30m';
  if (text === '0') return ok(0);
  let position = 0;
  let nanoseconds = 0n;
  while (position < text.length) {
    TERM.lastIndex = position;
    const match = TERM.exec(text);
    if (match === null) return err(expected);
    const [term, whole = '0', fraction = '', unit] = match;
    const scale = NANOSECONDS_PER_UNIT[unit as keyof typeof NANOSECONDS_PER_UNIT];
    nanoseconds += BigInt(whole) * scale;
    if (fraction !== '') nanoseconds += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
    position += term.length;
  }
  if (position === 0) return err(expected);
  return ok(Number(nanoseconds / 1_000_000n));
}
