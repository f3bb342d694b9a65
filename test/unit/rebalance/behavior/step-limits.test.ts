import assert from 'node:assert/strict';
import { limitStep } from '../../../../src/rebalance/behavior/step-limits.ts';
import type { MoveRules, StepPolicy } from '../../../../src/rebalance/spec.ts';
import { weight } from '../../../../src/rebalance/weight.ts';

const NOW = 1_000_000;
const FREE: MoveRules = { stabilisationMs: 0, policies: [], select: 'Max' };
const by = (value: number, periodMs = 60_000): StepPolicy => ({ kind: 'Weight', value, periodMs });
const percent = (value: number, periodMs = 60_000): StepPolicy => ({ kind: 'Percent', value, periodMs });
const rules = (...policies: readonly StepPolicy[]): MoveRules => ({ ...FREE, policies });

interface Row {
  readonly name: string;
  readonly increase?: MoveRules;
  readonly decrease?: MoveRules;
  /** Weights in force, with the milliseconds that each has been so; the last one is in force now. */
  readonly past: readonly (readonly [number, number])[];
  readonly wanted: number;
  readonly expected: number;
}

const rows: readonly Row[] = [
  { name: 'no policy limits nothing, up', past: [[10, 0]], wanted: 255, expected: 255 },
  { name: 'no policy limits nothing, down', past: [[10, 0]], wanted: 0, expected: 0 },
  { name: 'what is in force stays', increase: rules(by(1)), past: [[10, 0]], wanted: 10, expected: 10 },
  { name: 'a number of steps up', increase: rules(by(4)), past: [[10, 0]], wanted: 100, expected: 14 },
  { name: 'a number of steps down', decrease: rules(by(4)), past: [[10, 0]], wanted: 0, expected: 6 },
  { name: 'a step within the limit', increase: rules(by(4)), past: [[10, 0]], wanted: 13, expected: 13 },
  { name: 'a limit below 0 is none', decrease: rules(by(40)), past: [[10, 0]], wanted: 0, expected: 0 },
  {
    name: 'a percentage is rounded away from the weight, up',
    increase: rules(percent(15)),
    past: [[10, 0]],
    wanted: 100,
    expected: 12,
  },
  {
    name: 'a percentage is rounded away from the weight, down',
    decrease: rules(percent(15)),
    past: [[10, 0]],
    wanted: 0,
    expected: 8,
  },
  {
    name: 'a percentage is exact: 10% of 100 is 10, where floats make it 11',
    increase: rules(percent(10)),
    past: [[100, 0]],
    wanted: 255,
    expected: 110,
  },
  {
    name: 'a percentage of 0 is 1, or it would never leave 0',
    increase: rules(percent(50)),
    past: [[0, 0]],
    wanted: 9,
    expected: 1,
  },
  {
    name: 'more than all of it is 0',
    decrease: rules(percent(200)),
    past: [[10, 0]],
    wanted: 0,
    expected: 0,
  },
  {
    name: 'Max takes the policy that allows the most, up',
    increase: rules(by(4), percent(100)),
    past: [[10, 0]],
    wanted: 100,
    expected: 20,
  },
  {
    name: 'Max takes the policy that allows the most, down',
    decrease: rules(by(4), percent(50)),
    past: [[10, 0]],
    wanted: 0,
    expected: 5,
  },
  {
    name: 'Min takes the policy that allows the least, up',
    increase: { ...rules(by(4), percent(100)), select: 'Min' },
    past: [[10, 0]],
    wanted: 100,
    expected: 14,
  },
  {
    name: 'Min takes the policy that allows the least, down',
    decrease: { ...rules(by(4), percent(50)), select: 'Min' },
    past: [[10, 0]],
    wanted: 0,
    expected: 6,
  },
  {
    name: 'Disabled allows no move up, whatever the policies',
    increase: { ...rules(by(4)), select: 'Disabled' },
    past: [[10, 0]],
    wanted: 100,
    expected: 10,
  },
  {
    name: 'Disabled allows no move down',
    decrease: { ...FREE, select: 'Disabled' },
    past: [[10, 0]],
    wanted: 0,
    expected: 10,
  },
  {
    name: 'the steps of a period share one allowance',
    increase: rules(by(4)),
    past: [
      [10, 90_000],
      [13, 30_000],
    ],
    wanted: 100,
    expected: 14,
  },
  {
    name: 'an allowance that is used up allows nothing, and takes nothing back',
    increase: rules(by(4)),
    past: [
      [10, 90_000],
      [50, 30_000],
    ],
    wanted: 100,
    expected: 50,
  },
  {
    name: 'the same down',
    decrease: rules(by(4)),
    past: [
      [50, 90_000],
      [10, 30_000],
    ],
    wanted: 0,
    expected: 10,
  },
  {
    name: 'a change as old as the period is out of it',
    increase: rules(by(4)),
    past: [
      [10, 90_000],
      [13, 60_000],
    ],
    wanted: 100,
    expected: 17,
  },
  {
    name: 'each policy looks back by its own period',
    increase: { ...rules(by(4, 30_000), by(6, 120_000)), select: 'Min' },
    past: [
      [10, 120_000],
      [14, 30_000],
    ],
    wanted: 100,
    expected: 16,
  },
  {
    name: 'where nothing is known of before, the weight in force counts',
    increase: rules(by(4)),
    past: [],
    wanted: 100,
    expected: 14,
  },
];

describe('a step limit', () => {
  for (const { name, increase = FREE, decrease = FREE, past, wanted, expected } of rows) {
    it(name, () => {
      const weights = past.map(([value, ageMs]) => ({ atMs: NOW - ageMs, weight: weight(value) }));
      const inForce = weights.at(-1)?.weight ?? weight(10);
      const facts = { behavior: { increase, decrease }, inForce, weights, nowMs: NOW };
      assert.equal(limitStep(weight(wanted), facts), expected);
    });
  }
});
