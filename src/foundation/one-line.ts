/** The longest text of an event, error body or log line that may come from outside (Prometheus, AWS, a body). */
const ONE_LINE_LIMIT = 256;

/** Printable ASCII with single spaces between words: nothing to clean, as of most texts, and quick to see. */
const CLEAN = /^[!-~]+(?: [!-~]+)*$/;

/** No more of a text is looked at than this many times what may stay: runs of space become one. */
const LOOKED_AT = 16;

/**
 * Cleans text from outside for a log, a condition, an event or an error body: what a terminal or a log viewer would obey
 * or hide (control and format characters, escape sequences' first byte among them, line separators, lone surrogates)
 * becomes a space, runs of space one, and the end is cut. A megabyte costs no more than a few kilobytes.
 */
export function oneLine(text: string, limit: number = ONE_LINE_LIMIT): string {
  if (text.length <= limit && CLEAN.test(text)) return text;
  const clean = text
    .slice(0, limit * LOOKED_AT)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const characters = Array.from(clean);
  const isWhole = characters.length <= limit && text.length <= limit * LOOKED_AT;
  return isWhole ? clean : `${characters.slice(0, limit - 1).join('')}…`;
}
