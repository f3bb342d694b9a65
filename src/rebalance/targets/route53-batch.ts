import { plainName } from './route53-names.ts';

/** What of one record the limits of a batch are about. */
export interface SizedRecord {
  readonly Name?: string | undefined;
  readonly Type?: string | undefined;
  readonly SetIdentifier?: string | undefined;
  readonly ResourceRecords?: readonly { readonly Value?: string | undefined }[] | undefined;
}

/** Changes that are made together or not at all, as one caller asked for them. */
export interface Candidate {
  readonly records: readonly SizedRecord[];
  /** Only changes of one group share a batch; undefined is a group too. */
  readonly group: symbol | undefined;
}

/**
 * Route 53 Developer Guide, "Quotas on ChangeResourceRecordSets requests": 1,000 ResourceRecord elements, and 32,000
 * characters in their values; with the action UPSERT both count twice.
 */
const MAX_ELEMENTS = 1_000;
const MAX_CHARACTERS = 32_000;
const UPSERT_COUNTS = 2;

/**
 * The changes that the next batch takes, in their order: the first one with what fits beside it. A later change of a
 * record that is in the batch already waits for the next one, and what waits keeps its place.
 */
export function planBatch<C extends Candidate>(waiting: readonly C[]): readonly C[] {
  const [first] = waiting;
  if (first === undefined) return [];
  const taken = new Set<string>();
  let elements = 0;
  let characters = 0;
  return waiting.filter((candidate) => {
    const size = sizeOf(candidate);
    const keys = candidate.records.map(keyOf);
    const fits = elements + size.elements <= MAX_ELEMENTS && characters + size.characters <= MAX_CHARACTERS;
    const isAlone = candidate === first;
    if (!isAlone && (candidate.group !== first.group || !fits || keys.some((key) => taken.has(key))))
      return false;
    for (const key of keys) taken.add(key);
    elements += size.elements;
    characters += size.characters;
    return true;
  });
}

/** An alias has no values; it counts as one element, to be on the safe side. */
function sizeOf({ records }: Candidate): { readonly elements: number; readonly characters: number } {
  const values = records.flatMap(({ ResourceRecords = [{}] }) => ResourceRecords);
  const characters = values.reduce((sum, { Value = '' }) => sum + Value.length, 0);
  return { elements: UPSERT_COUNTS * values.length, characters: UPSERT_COUNTS * characters };
}

function keyOf({ Name = '', Type = '', SetIdentifier = '' }: SizedRecord): string {
  return JSON.stringify([plainName(Name), Type, SetIdentifier]);
}

/**
 * A refused batch of several in parts that are tried one after the other, so that what is wrong with one stops no other:
 * each change that Route 53's words name goes alone and the rest together; where they name all or none, halves.
 */
export function splitRefused<C extends Candidate>(
  batch: readonly C[],
  message: string,
): readonly (readonly C[])[] {
  const named = batch.filter(({ records }) => records.some((record) => isNamed(record, message)));
  const rest = batch.filter((candidate) => !named.includes(candidate));
  const middle = Math.ceil(batch.length / 2);
  const isTold = named.length > 0 && rest.length > 0;
  const parts = isTold
    ? [rest, ...named.map((candidate) => [candidate])]
    : [batch.slice(0, middle), batch.slice(middle)];
  return parts;
}

/** Names may be prefixes of each other: both the name and the identifier must stand there as a word of their own. */
function isNamed({ Name = '', SetIdentifier = '' }: SizedRecord, message: string): boolean {
  const words = message.split(/[\s,;:'"[\]()]+/).map((word) => plainName(word));
  return words.includes(plainName(Name)) && message.includes(SetIdentifier);
}
