import { certain } from '../foundation/certain.ts';
import { listSome } from '../foundation/list-some.ts';
import { oneLine } from '../foundation/one-line.ts';
import type { TargetRecord } from './spec.ts';
import type { ResourceStatus } from './status.ts';
import type { OwnRecords, RecordWeight } from './targets/port.ts';
import { weight, type Weight } from './weight.ts';

/**
 * Splits a total over the records by their shares, by the largest remainder: each gets the whole part of total x share /
 * sum of shares, and what is left goes, one each, to those with the largest fractions. Among equal fractions the larger
 * share comes first, then the identifier that sorts first, so that the order of the list does not matter. The parts sum
 * up to the total, so that one above 0 never leaves every record at 0.
 */
export function splitWeight(total: Weight, records: readonly TargetRecord[]): readonly RecordWeight[] {
  const shares = records.reduce((sum, { share }) => sum + share, 0);
  const remainderOf = ({ share }: TargetRecord): number => (total * share) % shares;
  const wholeOf = (record: TargetRecord): number => (total * record.share - remainderOf(record)) / shares;
  const left = total - records.reduce((sum, record) => sum + wholeOf(record), 0);
  const raised = records
    .toSorted(
      (a, b) =>
        remainderOf(b) - remainderOf(a) || b.share - a.share || (a.identifier < b.identifier ? -1 : 1),
    )
    .slice(0, left);
  return records.map((record) => ({
    identifier: record.identifier,
    weight: weight(wholeOf(record) + (raised.includes(record) ? 1 : 0)),
  }));
}

/** The weights that are not those of the records as read. */
export function changedWeights(
  wanted: readonly RecordWeight[],
  { records }: OwnRecords,
): readonly RecordWeight[] {
  const before = weightsOf(records);
  return wanted.filter(({ identifier, weight }) => before.get(identifier) !== weight);
}

/** The records after a change of some of their weights. */
export function withWeights<R extends RecordWeight>(
  records: readonly R[],
  changed: readonly RecordWeight[],
): readonly R[] {
  const weights = weightsOf(changed);
  return records.map((record) => ({ ...record, weight: weights.get(record.identifier) ?? record.weight }));
}

/** `16`, and of several records what each has of it: `16 (blue 10, green 6)`. */
export function describeSplit(total: number, records: readonly RecordWeight[]): string {
  if (records.length < 2) return String(total);
  const parts = listSome(records.map(({ identifier, weight }) => `${identifier} ${weight}`));
  return `${total} (${oneLine(parts)})`;
}

/** What each of several records has and is to have, for a status; undefined of one, whose weight is the whole. */
export function resourcesOf(
  records: readonly RecordWeight[],
  wanted: readonly RecordWeight[],
): readonly ResourceStatus[] | undefined {
  if (records.length < 2) return undefined;
  const weights = weightsOf(wanted);
  return records.map(({ identifier, weight }) => ({
    identifier,
    actualValue: weight,
    desiredValue: certain(weights.get(identifier), `the weight wanted of record "${identifier}"`),
  }));
}

function weightsOf(records: readonly RecordWeight[]): ReadonlyMap<string, Weight> {
  return new Map(records.map(({ identifier, weight }) => [identifier, weight]));
}
