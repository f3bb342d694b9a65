import { z } from 'zod';
import { rational } from '../foundation/rational.ts';
import { parseTimeOfDay, TIME_OF_DAY_PATTERN, type MinuteOfDay } from '../foundation/time-of-day.ts';
import { isTimeZone } from '../rebalance/schedule.ts';
import { WEEKDAYS, type ScheduledFloor, type Signal, type TargetTracking } from '../rebalance/spec.ts';
import { MAX_WEIGHT, weight } from '../rebalance/weight.ts';
import { weightField } from './fields.ts';
import { exactlyOne, withRules } from './rules.ts';

const MAX_TARGET = 1e18;
const MAX_FLOORS = 64;
const DEFAULT_TOLERANCE = { Demand: 0, Load: 0.05 } as const satisfies Record<Signal, number>;
const START_PATTERN = '^([01]?[0-9]|2[0-3]):[0-5][0-9]$';

/** What a metric is held against. */
export function targetValue(description: string) {
  return z.number().gt(0, 'expected a number above 0').max(MAX_TARGET).meta({ description });
}

const timeZone = withRules(
  z
    .string()
    .max(64)
    .regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/, 'expected an IANA time zone such as Asia/Tokyo'),
  [
    {
      // The API server's own zone database: an unknown zone is an error of the rule, which refuses too.
      cel: "timestamp('2000-01-01T00:00:00Z').getHours(self) >= 0",
      message: 'expected an IANA time zone such as Asia/Tokyo',
      holds: isTimeZone,
    },
  ],
  { description: 'IANA time zone of startTime and endTime.' },
);

const floorObject = z.object({
  startTime: z
    .string()
    .max(5)
    .regex(new RegExp(START_PATTERN), 'expected a time of day such as 09:00 or 23:30')
    .meta({ description: 'When the floor starts, HH:MM; included.' }),
  endTime: z
    .string()
    .max(5)
    .regex(new RegExp(TIME_OF_DAY_PATTERN), 'expected a time of day such as 09:00, or 24:00')
    .meta({
      description: 'When it ends, HH:MM or 24:00; excluded. One before startTime is on the next day.',
    }),
  value: weightField('The weight is at least this while the floor is active; at most maximum.'),
  timeZone: timeZone.default('UTC'),
  days: z
    .array(z.enum(WEEKDAYS).meta({ description: 'Mon, Tue, Wed, Thu, Fri, Sat or Sun.' }))
    .min(1)
    .max(WEEKDAYS.length)
    .meta({ description: 'Days on which the floor starts; every day where absent.' })
    .optional(),
});

const floorSchema = withRules(
  floorObject,
  [
    {
      cel: "(size(self.startTime) == 4 ? '0' + self.startTime : self.startTime) != (size(self.endTime) == 4 ? '0' + self.endTime : self.endTime)",
      message: 'startTime must not be equal to endTime; a whole day is 00:00 to 24:00',
      holds: ({ startTime, endTime }) => minuteOfDay(startTime) !== minuteOfDay(endTime),
    },
  ],
  {
    description:
      'A floor for the weight at a time of day. A local time skipped by daylight saving means the next existing one; a repeated one means the first.',
  },
);

const targetTrackingObject = z.object({
  targetValue: targetValue("The load that the reference record's site should carry, in the query's unit."),
  baseValue: z
    .int()
    .min(1)
    .max(MAX_WEIGHT)
    .meta({
      description:
        'Weight of the reference record, the one that nobody steers. Where absent, its weight is read from the set at each evaluation.',
    })
    .optional(),
  signal: z.enum(['demand', 'load']).default('demand').meta({
    description:
      "What the query measures. demand: the total, which the weight does not change. load: the load of the reference record's site, which falls as this record's weight rises; needs metrics.prometheus.window.",
  }),
  minimum: weightField('The weight is never less.').default(0),
  maximum: weightField('The weight is never more; caps floors too.').default(MAX_WEIGHT),
  tolerance: z
    .number()
    .min(0)
    .max(1)
    .meta({
      description:
        'The weight is kept while the load is within this fraction of what the weight balances. 0 follows exactly, and is the default for signal demand; for load it is 0.05, and never less than half a step of the weight.',
    })
    .optional(),
  disableScaleIn: z.boolean().default(false).meta({ description: 'The policy never lowers its own weight.' }),
  scheduled: z
    .array(floorSchema)
    .max(MAX_FLOORS)
    .meta({ description: 'Floors by time of day; of several that are active the highest counts.' })
    .optional(),
});

const targetTrackingSchema = withRules(
  targetTrackingObject,
  [
    {
      cel: 'self.minimum <= self.maximum',
      message: 'minimum must not be more than maximum',
      holds: ({ minimum, maximum }) => minimum <= maximum,
    },
    {
      cel: '!has(self.scheduled) || self.scheduled.all(floor, floor.value <= self.maximum)',
      message: 'the value of a scheduled floor must not be more than maximum',
      holds: ({ scheduled = [], maximum }) => scheduled.every(({ value }) => value <= maximum),
    },
  ],
  {
    description:
      'weight = ceil(baseValue x max(0, metric - targetValue) / targetValue): what the reference cannot carry goes to this record.',
  },
);

/** spec.policy on the wire. */
export const policySchema = exactlyOne(
  'targettracking',
  targetTrackingSchema,
  'How a metric becomes a weight: exactly one policy.',
);

type WireTargetTracking = z.output<typeof targetTrackingObject>;

/** Wire to domain: a number means its decimal text, so that 0.11 is 11/100. */
export function toTargetTracking(wire: WireTargetTracking): TargetTracking {
  const signal = wire.signal === 'load' ? 'Load' : 'Demand';
  return {
    kind: 'TargetTracking',
    signal,
    targetValue: rational(wire.targetValue),
    baseValue: wire.baseValue,
    minimum: weight(wire.minimum),
    maximum: weight(wire.maximum),
    tolerance: rational(wire.tolerance ?? DEFAULT_TOLERANCE[signal]),
    disableScaleIn: wire.disableScaleIn,
    scheduled: (wire.scheduled ?? []).map(toFloor),
  };
}

function toFloor(wire: z.output<typeof floorObject>): ScheduledFloor {
  return {
    start: minuteOfDay(wire.startTime),
    end: minuteOfDay(wire.endTime),
    value: weight(wire.value),
    timeZone: wire.timeZone,
    days: new Set(wire.days ?? WEEKDAYS),
  };
}

/** Of a text that its pattern let pass; any other is a bug. */
function minuteOfDay(text: string): MinuteOfDay {
  const parsed = parseTimeOfDay(text);
  if (!parsed.ok) throw new Error(`not a time of day: ${text}`);
  return parsed.value;
}
