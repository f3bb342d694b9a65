import assert from 'node:assert/strict';
import { decide, type Observation } from '../../src/rebalance/decide.ts';
import type { Decision } from '../../src/rebalance/decision.ts';
import type { RebalanceStatus } from '../../src/rebalance/status.ts';
import { weight } from '../../src/rebalance/weight.ts';
import { observe } from './rebalance.ts';

/** What is given beyond the README example, and the fields of the decision that the row is about. */
export interface DecisionRow {
  readonly name: string;
  readonly given: Partial<Observation>;
  readonly expected: Partial<Decision>;
}

/** A test for each row; `base` is given in all of them. */
export function itDecides(rows: readonly DecisionRow[], base: Partial<Observation> = {}): void {
  for (const { name, given, expected } of rows) {
    it(name, () => assert.deepEqual(fieldsLike(decide(observe({ ...base, ...given })), expected), expected));
  }
}

/** Of `whole` the fields that `part` has. */
export function fieldsLike<T extends object>(whole: T, part: Partial<T>): Partial<T> {
  const fields = Object.keys(part) as (keyof T)[];
  return Object.fromEntries(fields.map((field) => [field, whole[field]])) as Partial<T>;
}

/** A status as the last attempt left it: DNS at `actual`, `desired` wanted, p at `policyWeight`. */
export function left(
  actual: number,
  desired: number,
  decision: Readonly<{ policyWeight?: number }> &
    Omit<NonNullable<RebalanceStatus['decision']>, 'policyWeight'>,
  failures = 0,
): RebalanceStatus {
  const { policyWeight, ...rest } = decision;
  return {
    actualValue: weight(actual),
    desiredValue: weight(desired),
    failures,
    decision: { ...rest, ...(policyWeight === undefined ? {} : { policyWeight: weight(policyWeight) }) },
  };
}

/** The stages of a decision that nothing bends: the same number in each. */
export function stagesAt(value: string): Decision['stages'] {
  return {
    raw: value,
    tolerance: value,
    round: value,
    scaleIn: value,
    bounds: value,
    set: value,
    write: value,
  };
}

/** The effect that writes our one record. */
export function write(value: number): Decision['effect'] {
  return {
    kind: 'WriteWeight',
    weight: weight(value),
    records: [{ identifier: 'aws', weight: weight(value) }],
  };
}

export function none(because: 'Unchanged' | 'DryRun' | 'ObserveOnly'): Decision['effect'] {
  return { kind: 'None', because };
}
