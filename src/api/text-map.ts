import { z } from 'zod';
import { withRules, type Rule } from './rules.ts';

export type Texts = Readonly<Record<string, string>>;

const MAX_ENTRIES = 32;

const fewEntries: Rule<Texts> = {
  cel: `size(self) <= ${MAX_ENTRIES}`,
  message: `expected at most ${MAX_ENTRIES} keys`,
  holds: (texts) => Object.keys(texts).length <= MAX_ENTRIES,
};

/** A map of at most 32 texts that a request carries, with what is to be said of its names. */
export function textMap(value: z.ZodType<string>, rules: readonly Rule<Texts>[], description: string) {
  return withRules(z.record(z.string(), value), [...rules, fewEntries], {
    description,
    maxProperties: MAX_ENTRIES,
  });
}

/** Names that a map may not have, in this spelling. */
export function noneOf(names: readonly string[], message: string): Rule<Texts> {
  return {
    cel: `self.all(name, !(name in ['${names.join("', '")}']))`,
    message,
    holds: (texts) => names.every((name) => !Object.hasOwn(texts, name)),
  };
}

/** The same of names that count whatever their case. */
export function noneOfAnyCase(names: readonly string[], message: string): Rule<Texts> {
  const lower = names.map((name) => name.toLowerCase());
  return {
    cel: `self.all(name, !(name.lowerAscii() in ['${lower.join("', '")}']))`,
    message,
    holds: (texts) => Object.keys(texts).every((name) => !lower.includes(name.toLowerCase())),
  };
}
