import assert from 'node:assert/strict';
import { readMemory, writeMemory } from '../../../../src/rebalance/behavior/memory-status.ts';
import {
  rememberInForce,
  rememberRecommendation,
  type BehaviorMemory,
  type MemoryFacts,
} from '../../../../src/rebalance/behavior/memory.ts';
import { stabilise } from '../../../../src/rebalance/behavior/stabilise.ts';
import type { Behavior, MoveRules } from '../../../../src/rebalance/spec.ts';
import { weight, type Weight } from '../../../../src/rebalance/weight.ts';
import { MINUTE, NOON } from '../../../support/rebalance.ts';

const window = (minutes: number): MoveRules => ({
  stabilisationMs: minutes * MINUTE,
  policies: [{ kind: 'Weight', value: 1, periodMs: minutes * MINUTE }],
  select: 'Max',
});
const behavior: Behavior = { increase: window(10), decrease: window(30) };

function facts(minute: number, inForce = 10, more: Partial<MemoryFacts> = {}): MemoryFacts {
  return {
    behavior,
    targetKey: 'record',
    isDry: false,
    inForce: weight(inForce),
    nowMs: NOON + minute * MINUTE,
    ...more,
  };
}

/** Recommendations, one a minute from noon on, with the weight at 10. */
function remember(...recommended: readonly number[]): BehaviorMemory | undefined {
  return recommended.reduce<BehaviorMemory | undefined>(
    (memory, value, minute) => rememberRecommendation(memory, weight(value), facts(minute)),
    undefined,
  );
}

function stabilised(inForce: number, recommended: readonly number[]): number {
  const memory = remember(...recommended);
  assert.ok(memory !== undefined);
  return stabilise(weight(recommended.at(-1) ?? 0), weight(inForce), memory);
}

const rows: readonly {
  readonly name: string;
  readonly inForce: number;
  readonly recommended: readonly number[];
  readonly expected: number;
}[] = [
  { name: 'a first recommendation is followed up', inForce: 10, recommended: [20], expected: 20 },
  { name: 'a first recommendation is followed down', inForce: 10, recommended: [5], expected: 5 },
  { name: 'a rise goes to the lowest of the window', inForce: 10, recommended: [12, 30, 20], expected: 12 },
  { name: 'a fall goes to the highest of the window', inForce: 50, recommended: [30, 5, 20], expected: 30 },
  {
    name: 'between the lowest and the highest nothing moves',
    inForce: 15,
    recommended: [10, 20],
    expected: 15,
  },
  {
    name: 'what is as old as the window counts no more, up',
    inForce: 10,
    recommended: [11, ...Array.from({ length: 10 }, () => 20)],
    expected: 20,
  },
  {
    name: 'what is younger than the window counts',
    inForce: 10,
    recommended: [11, ...Array.from({ length: 9 }, () => 20)],
    expected: 11,
  },
  {
    name: 'each way has its window: a fall waits where a rise does not',
    inForce: 50,
    recommended: [40, ...Array.from({ length: 10 }, () => 20)],
    expected: 40,
  },
];

describe('stabilisation', () => {
  for (const { name, inForce, recommended, expected } of rows)
    it(name, () => assert.equal(stabilised(inForce, recommended), expected));

  it('takes the recommendation itself for a memory of nothing', () => {
    const nothing = { targetKey: '', isDry: false, lows: [], highs: [], weights: [] };
    assert.equal(stabilise(weight(20), weight(10), nothing), 20);
    assert.equal(stabilise(weight(5), weight(10), nothing), 5);
  });
});

describe('what behavior remembers', () => {
  it('is at most 32 recommendations a way and 64 weights, never less strict than all of them', () => {
    let memory: BehaviorMemory | undefined;
    const all: { readonly atMs: number; readonly value: number }[] = [];
    for (let second = 0; second < 3_600; second++) {
      const nowMs = NOON + second * 1_000;
      // Rises slowly and falls back at once: the worst case for the lowest, which is passed only by a fall.
      const value = second % 256;
      all.push({ atMs: nowMs, value });
      memory = rememberRecommendation(memory, weight(value), facts(0, second % 7, { nowMs }));
      const lowest = Math.min(
        ...all.filter(({ atMs }) => atMs > nowMs - 10 * MINUTE).map((each) => each.value),
      );
      assert.ok(memory.lows.length <= 32 && memory.highs.length <= 32 && memory.weights.length <= 64);
      assert.ok(stabilise(weight(255), weight(0), memory) <= lowest);
    }
  });

  it('holds a recommendation for at most a 31st part of the window longer', () => {
    const rising = Array.from({ length: 255 }, (_, second) => second);
    const partMs = (10 * MINUTE) / 31;
    const memory = rising.reduce<BehaviorMemory | undefined>(
      (known, value) =>
        rememberRecommendation(known, weight(value), facts(0, 0, { nowMs: NOON + value * 1_000 })),
      undefined,
    );
    const after = rememberRecommendation(
      memory,
      weight(255),
      facts(0, 0, { nowMs: NOON + 10 * MINUTE + 100_000 + partMs }),
    );
    const rise = stabilise(weight(255), weight(0), after);
    assert.ok(rise > 100 && rise <= 100 + Math.ceil(partMs / 1_000) + 1, String(rise));
  });

  it('is the weight that was in force when the longest period began, and all since', () => {
    const first = rememberRecommendation(undefined, weight(10), facts(0, 10));
    const left = rememberInForce(first, { atMs: NOON, weight: weight(11) }, behavior);
    const found = [facts(20, 12), facts(31, 12), facts(55, 13)].reduce(
      (memory, next) => rememberRecommendation(memory, weight(10), next),
      left,
    );
    assert.deepEqual(
      found.weights.map(({ atMs, weight: value }) => [(atMs - NOON) / MINUTE, value]),
      [
        [20, 12],
        [55, 13],
      ],
    );
  });

  it('starts anew for another record, and where a dry run begins or ends', () => {
    const memory = remember(10, 20);
    for (const more of [{ targetKey: 'other' }, { isDry: true }]) {
      const anew = rememberRecommendation(memory, weight(30), facts(2, 10, more));
      assert.deepEqual([anew.lows.length, anew.highs.length, anew.weights.length], [1, 1, 1]);
    }
  });

  it('forgets what a clock that was ahead wrote', () => {
    const memory = remember(10, 20);
    const anew = rememberRecommendation(memory, weight(30), facts(-60));
    assert.deepEqual([anew.lows.length, anew.highs.length, anew.weights.length], [1, 1, 1]);
  });

  it('reads back the same from status, but for entries that make no sense', () => {
    const memory = remember(10, 12, 14, 11);
    assert.ok(memory !== undefined);
    assert.deepEqual(readMemory(writeMemory(memory)), memory);
    const dry = { ...memory, isDry: true };
    assert.deepEqual(readMemory(writeMemory(dry)), dry);
    assert.equal(readMemory(undefined), undefined);
    const at = '2026-03-04T12:00:00.000Z';
    const broken = [
      { at: 'noon', weight: weight(1) },
      { at, weight: 1.5 as Weight },
    ];
    assert.deepEqual(readMemory({ ...writeMemory(memory), weights: broken })?.weights, []);
  });
});
