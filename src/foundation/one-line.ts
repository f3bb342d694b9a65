/** The longest text of a condition, event or error body that comes from outside (Prometheus, AWS, a body). */
export const ONE_LINE_LIMIT = 256;

/** Printable ASCII with single spaces between words: nothing to clean, as of most texts, and quick to see. */
const CLEAN = /^[!-~]+(?: [!-~]+)*$/;

/**
 * Cleans text from outside for a log, a condition, an event or an error body: control characters, line separators and
 * bidirectional marks become a space, runs of space one, and the end is cut.
 */
export function oneLine(text: string, limit: number = ONE_LINE_LIMIT): string {
  if (text.length <= limit && CLEAN.test(text)) return text;
  const clean = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ').trim();
  const characters = Array.from(clean);
  return characters.length <= limit ? clean : `${characters.slice(0, limit - 1).join('')}…`;
}
