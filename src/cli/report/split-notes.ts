import { listSome } from '../../foundation/list-some.ts';
import type { RebalanceSpec } from '../../rebalance/spec.ts';

interface Named {
  readonly name: string;
  readonly object: { readonly spec: Pick<RebalanceSpec, 'target'> };
}

/** What a weight stands for where an object steers several records: a sentence for each such object. */
export function splitNotes(all: readonly Named[]): readonly string[] {
  return all.flatMap(({ name, object }) => {
    const { records } = object.spec.target;
    if (records.length < 2) return [];
    const shares = listSome(records.map(({ identifier, share }) => `${identifier} ${share}`));
    return [
      `The weight of ${name}: that of its ${records.length} records together, by their shares (${shares}).`,
    ];
  });
}
