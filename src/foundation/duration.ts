import { err, ok, type Result } from './result.ts';

/**
 * Nanoseconds of each unit of Go's `time.ParseDuration` (https://pkg.go.dev/time#ParseDuration), micro spelled by both of
 * Unicode's signs. `ms` stands before `m`: the first that fits a text is taken.
 */
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

const UNITS = Object.keys(NANOSECONDS_PER_UNIT).join('|');

const TERM = new RegExp(`(\\d+)(?:\\.(\\d*))?(${UNITS})`, 'y');

/** What `parseGoDuration` takes, but a bare 0, as a schema can say it. */
export const GO_DURATION_PATTERN = `^([0-9]+(\\.[0-9]*)?(${UNITS}))+$`;

export const GO_DURATION_EXPECTED = 'expected a Go duration such as 90s or 1h30m';

/**
 * Parses a Go duration (`1h30m`, `1.5h`, `500ms`, `0`) to milliseconds; below a millisecond it is truncated. A sign
 * is refused: no field of ours means anything by a negative time. The error is a short clause for a field's message.
 */
export function parseGoDuration(text: string): Result<number, string> {
  if (text === '0') return ok(0);
  let position = 0;
  let nanoseconds = 0n;
  while (position < text.length) {
    TERM.lastIndex = position;
    const match = TERM.exec(text);
    if (match === null) return err(GO_DURATION_EXPECTED);
    const [term, whole = '0', fraction = '', unit] = match;
    const scale = NANOSECONDS_PER_UNIT[unit as keyof typeof NANOSECONDS_PER_UNIT];
    nanoseconds += BigInt(whole) * scale;
    if (fraction !== '') nanoseconds += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
    position += term.length;
  }
  if (position === 0) return err(GO_DURATION_EXPECTED);
  return ok(Number(nanoseconds / 1_000_000n));
}
