import { Temporal } from 'temporal-polyfill';
import { certain } from '../foundation/certain.ts';
import type { MinuteOfDay } from '../foundation/time-of-day.ts';
import { WEEKDAYS, type ScheduledFloor } from './spec.ts';
import type { Weight } from './weight.ts';

const MINUTES_PER_DAY = 1440;

/** How far ahead an edge is looked for: a weekly window, and one more week where daylight saving swallows it. */
const HORIZON_DAYS = 15;

/** One occurrence of a floor: active from `startMs` (included) to `endMs` (excluded). */
interface Window {
  readonly startMs: number;
  readonly endMs: number;
}

/** The highest floor that is active at an instant, or undefined where none is. */
export function activeFloor(schedule: readonly ScheduledFloor[], atMs: number): Weight | undefined {
  return schedule
    .filter((floor) => isActive(floor, atMs))
    .reduce<Weight | undefined>(
      (highest, { value }) => (highest === undefined || value > highest ? value : highest),
      undefined,
    );
}

/**
 * The first instant strictly after `afterMs` at which a floor starts or ends, in epoch milliseconds; undefined where
 * none does within the next two weeks.
 */
export function nextEdge(schedule: readonly ScheduledFloor[], afterMs: number): number | undefined {
  const edges = schedule.flatMap((floor) => nextEdgeOf(floor, afterMs) ?? []);
  return edges.length === 0 ? undefined : Math.min(...edges);
}

/** True for a name of the IANA time zone database (links included); an offset such as "+09:00" is no zone. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

function isActive(floor: ScheduledFloor, atMs: number): boolean {
  const today = localDate(floor.timeZone, atMs);
  return [today.subtract({ days: 1 }), today]
    .flatMap((day) => windowOn(floor, day) ?? [])
    .some(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
}

function nextEdgeOf(floor: ScheduledFloor, afterMs: number): number | undefined {
  // Yesterday's window may still end today, or tomorrow where it was moved by daylight saving.
  let day = localDate(floor.timeZone, afterMs).subtract({ days: 1 });
  for (let ahead = 0; ahead <= HORIZON_DAYS; ahead += 1) {
    const window = windowOn(floor, day);
    if (window !== undefined && window.startMs > afterMs) return window.startMs;
    if (window !== undefined && window.endMs > afterMs) return window.endMs;
    day = day.add({ days: 1 });
  }
  return undefined;
}

/** The window that starts on a local day; undefined on other days, and where daylight saving leaves nothing of it. */
function windowOn(floor: ScheduledFloor, day: Temporal.PlainDate): Window | undefined {
  if (!startsOn(floor, day)) return undefined;
  const endDay = floor.end > floor.start ? day : day.add({ days: 1 });
  const startMs = instantOf(floor.timeZone, day, floor.start);
  const endMs = instantOf(floor.timeZone, endDay, floor.end);
  return startMs < endMs ? { startMs, endMs } : undefined;
}

function startsOn({ days }: ScheduledFloor, { dayOfWeek }: Temporal.PlainDate): boolean {
  return WEEKDAYS.some((weekday, index) => index === dayOfWeek - 1 && days.has(weekday));
}

/**
 * The instant at which a local time is reached. One that daylight saving skips means the next existing local time,
 * which is the instant of the transition; one that is repeated means its first occurrence, so that every window starts
 * and ends once.
 */
function instantOf(timeZone: string, day: Temporal.PlainDate, minute: MinuteOfDay): number {
  const local = (minute === MINUTES_PER_DAY ? day.add({ days: 1 }) : day).toPlainDateTime({
    hour: Math.floor((minute % MINUTES_PER_DAY) / 60),
    minute: minute % 60,
  });
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds;
  // In a gap, `earlier` lies before it by the gap's length: the next transition is the gap.
  const transition = certain(earlier.getTimeZoneTransition('next'), 'the transition after a gap');
  return transition.epochMilliseconds;
}

function localDate(timeZone: string, atMs: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone).toPlainDate();
}
