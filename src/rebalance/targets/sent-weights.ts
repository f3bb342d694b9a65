import type { Route53Target } from '../spec.ts';
import type { Weight } from '../weight.ts';
import type { RecordWeight } from './port.ts';
import { keyOfTarget } from './route53-listing.ts';

/** Many more than one service steers. */
const MAX_RECORDS = 20_000;

/** What this process last sent for each record, so that it knows its own writes where nothing else tells of them. */
export interface SentWeights {
  note(target: Route53Target, weights: readonly RecordWeight[]): void;
  of(target: Route53Target): readonly RecordWeight[];
}

/** Forgets the record that was sent longest ago beyond `maxRecords`. */
export function createSentWeights(maxRecords = MAX_RECORDS): SentWeights {
  const sent = new Map<string, Weight>();
  const keyOf = (target: Route53Target, identifier: string): string =>
    JSON.stringify([target.hostedZoneId, keyOfTarget(target), identifier]);
  return {
    note: (target, weights) => {
      for (const { identifier, weight } of weights) {
        const key = keyOf(target, identifier);
        sent.delete(key);
        sent.set(key, weight);
      }
      for (const oldest of [...sent.keys()].slice(0, Math.max(0, sent.size - maxRecords)))
        sent.delete(oldest);
    },
    of: (target) =>
      target.records.flatMap(({ identifier }) => {
        const weight = sent.get(keyOf(target, identifier));
        return weight === undefined ? [] : [{ identifier, weight }];
      }),
  };
}
