/** Where "now" comes from. The core never has one: it takes `nowMs` as an argument. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** RFC 3339 in UTC without fractional seconds, as meta/v1 `Time` has it. */
export function rfc3339(epochMs: number): string {
  return new Date(Math.floor(epochMs / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}

/** RFC 3339 in UTC to the millisecond, for what is reckoned with again. */
export function rfc3339Millis(epochMs: number): string {
  return new Date(Math.round(epochMs)).toISOString();
}

/** Milliseconds since the epoch of an RFC 3339 time, or undefined where it is not one. */
export function parseRfc3339(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text)) return undefined;
  const epochMs = Date.parse(text);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}
