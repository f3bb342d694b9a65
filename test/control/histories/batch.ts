import { inspect } from 'node:util';
import fc from 'fast-check';
import { historiesOf, HISTORY_RULES, live } from '../../support/rebalance-histories.ts';
import type { Step } from '../../support/rebalance-fold.ts';

/** Many short histories: what goes wrong does so within a few attempts, and the suite of `make test` has long ones. */
const MAX_LENGTH = 6;
const FIRST_SEED = 20_260_305;
const BATCH = 1_000;

/** A history by the seed of its batch and its place in it, from 0: enough to live through it alone. */
export interface HistoryId {
  readonly seed: number;
  readonly index: number;
}

export interface BrokenHistory extends HistoryId {
  /** The rule that did not hold and how; or what was thrown where there is no rule. */
  readonly what: string;
}

/** The seeds whose batches are so many histories together. */
export function seedsOf(histories: number): readonly number[] {
  return Array.from({ length: Math.ceil(histories / BATCH) }, (_, batch) => FIRST_SEED + batch);
}

/** Lives through a batch; the histories in which a rule is broken. */
export function brokenIn(seed: number): readonly BrokenHistory[] {
  return historiesFrom(seed, BATCH).flatMap((history, index) => {
    const what = brokenRule(history);
    return what === undefined ? [] : [{ seed, index, what }];
  });
}

/** One history, as its batch has it. */
export function historyOf({ seed, index }: HistoryId): readonly Step[] {
  return historiesFrom(seed, index + 1).at(-1) ?? [];
}

/** The first rule that a history breaks, and how; undefined: none. */
export function brokenRule(history: readonly Step[]): string | undefined {
  let name = 'every attempt can be made';
  try {
    for (const { taken, step, past } of live(history))
      for (const rule of HISTORY_RULES) {
        name = rule.name;
        rule.check(taken, step, past);
      }
    return undefined;
  } catch (thrown) {
    return `${name}: ${thrown instanceof Error ? thrown.message : inspect(thrown)}`;
  }
}

function historiesFrom(seed: number, count: number): readonly (readonly Step[])[] {
  return fc.sample(historiesOf(MAX_LENGTH), { seed, numRuns: count });
}
