import { floor, POLICY, withPart, type Refused } from '../../../support/rebalance-wire.ts';

/** What is wrong with a policy and its scheduled floors. */
export const refusedPolicies: readonly Refused[] = [
  {
    name: 'a target value of 0',
    spec: withPart(`${POLICY}.targetValue`, 0),
    problems: ['spec.policy.targettracking.targetValue: expected a number above 0'],
  },
  {
    name: 'a target value beyond every number that counts (1e400 arrives as an infinity)',
    spec: withPart(`${POLICY}.targetValue`, Infinity),
    problems: ['spec.policy.targettracking.targetValue: expected a number'],
  },
  {
    name: 'a target value that is a text',
    spec: withPart(`${POLICY}.targetValue`, '1000'),
    problems: ['spec.policy.targettracking.targetValue: expected a number'],
  },
  {
    name: 'a base value of 0',
    spec: withPart(`${POLICY}.baseValue`, 0),
    problems: ['spec.policy.targettracking.baseValue: expected at least 1'],
  },
  {
    name: 'a base value that no record can have',
    spec: withPart(`${POLICY}.baseValue`, 256),
    problems: ['spec.policy.targettracking.baseValue: expected at most 255'],
  },
  {
    name: 'a base value with a fraction',
    spec: withPart(`${POLICY}.baseValue`, 8.5),
    problems: ['spec.policy.targettracking.baseValue: expected an integer'],
  },
  {
    name: 'a minimum above the maximum',
    spec: withPart(POLICY, { targetValue: 1, minimum: 11, maximum: 10 }),
    problems: ['spec.policy.targettracking: minimum must not be more than maximum'],
  },
  {
    name: 'a floor above the maximum',
    spec: withPart(POLICY, { targetValue: 1, maximum: 10, scheduled: floor({ value: 11 }) }),
    problems: ['spec.policy.targettracking: the value of a scheduled floor must not be more than maximum'],
  },
  {
    name: 'a tolerance above 1',
    spec: withPart(`${POLICY}.tolerance`, 1.1),
    problems: ['spec.policy.targettracking.tolerance: expected at most 1'],
  },
  {
    name: 'a time without minutes (s6: the original crashes)',
    spec: withPart(`${POLICY}.scheduled`, floor({ startTime: '9' })),
    problems: [
      'spec.policy.targettracking.scheduled[0].startTime: expected a time of day such as 09:00 or 23:30',
    ],
  },
  {
    name: 'an hour that no day has (s6: the original ignores a bad end)',
    spec: withPart(`${POLICY}.scheduled`, floor({ endTime: '25:00' })),
    problems: [
      'spec.policy.targettracking.scheduled[0].endTime: expected a time of day such as 09:00, or 24:00',
    ],
  },
  {
    name: 'a minute that no hour has',
    spec: withPart(`${POLICY}.scheduled`, floor({ startTime: '10:60', endTime: '23:60' })),
    problems: [
      'spec.policy.targettracking.scheduled[0].startTime: expected a time of day such as 09:00 or 23:30',
      'spec.policy.targettracking.scheduled[0].endTime: expected a time of day such as 09:00, or 24:00',
    ],
  },
  {
    name: 'a start at 24:00, which is the next day',
    spec: withPart(`${POLICY}.scheduled`, floor({ startTime: '24:00' })),
    problems: [
      'spec.policy.targettracking.scheduled[0].startTime: expected a time of day such as 09:00 or 23:30',
    ],
  },
  {
    name: 'a start that is the end, however it is written',
    spec: withPart(`${POLICY}.scheduled`, floor({ startTime: '9:00', endTime: '09:00' })),
    problems: [
      'spec.policy.targettracking.scheduled[0]: startTime must not be equal to endTime; a whole day is 00:00 to 24:00',
    ],
  },
  {
    name: 'a zone that does not exist',
    spec: withPart(`${POLICY}.scheduled`, floor({ timeZone: 'Asia/Atlantis' })),
    problems: [
      'spec.policy.targettracking.scheduled[0].timeZone: expected an IANA time zone such as Asia/Tokyo',
    ],
  },
  {
    name: 'an offset instead of a zone',
    spec: withPart(`${POLICY}.scheduled`, floor({ timeZone: '+09:00' })),
    problems: [
      'spec.policy.targettracking.scheduled[0].timeZone: expected an IANA time zone such as Asia/Tokyo',
    ],
  },
  {
    name: 'a day that no week has, and a list without any',
    spec: withPart(`${POLICY}.scheduled`, [...floor({ days: ['Someday'] }), ...floor({ days: [] })]),
    problems: [
      'spec.policy.targettracking.scheduled[0].days[0]: expected one of Mon, Tue, Wed, Thu, Fri, Sat, Sun',
      'spec.policy.targettracking.scheduled[1].days: expected at least 1 items',
    ],
  },
  {
    name: 'a floor that is null',
    spec: withPart(`${POLICY}.scheduled`, [null]),
    problems: ['spec.policy.targettracking.scheduled[0]: expected an object'],
  },
];
