import { err, ok, type Result } from './result.ts';

/** Minutes since local midnight, 0..1440; 1440 ("24:00") only ever as an end. */
export type MinuteOfDay = number;

/** What a start or an end may look like; the CRD carries the same pattern. "9:00" is valid, "9" and "25:00" are not. */
export const TIME_OF_DAY_PATTERN = '^([01]?[0-9]|2[0-3]):[0-5][0-9]$|^24:00$';

/** Parses "HH:MM" or "H:MM" to minutes since midnight; "24:00" is 1440. */
export function parseTimeOfDay(text: string): Result<MinuteOfDay, string> {
  if (!new RegExp(TIME_OF_DAY_PATTERN).test(text))
    return err('expected a time of day such as 09:00 or 23:30');
  const [hours = '', minutes = ''] = text.split(':');
  return ok(Number(hours) * 60 + Number(minutes));
}
