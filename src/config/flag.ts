import { ok, type Result } from '../foundation/result.ts';
import { parseBoolean, type ParseText } from './values.ts';

/** Where a flag stands in `--help` and in docs/reference/flags.md. */
export const FLAG_GROUPS = ['Service', 'Access', 'Kubernetes', 'Rebalance', 'Balancer'] as const;
export type FlagGroup = (typeof FLAG_GROUPS)[number];

/**
 * One flag. Its environment twin follows from its name (`environmentTwin`), its default is a text read by the same
 * parser as the user's, so that what the reference says and what the service does cannot differ.
 */
export interface Flag<T> {
  readonly group: FlagGroup;
  /** How the value is written, for `--help`: `host:port`, `duration`, `json`, ... */
  readonly type: string;
  /** undefined: nothing is set. */
  readonly default: string | undefined;
  readonly description: string;
  /** May be given several times; the environment twin holds all of them in the form that `type` says. */
  readonly repeatable: boolean;
  /** The texts of the winning source (line or environment), none where nothing was given; the error follows "expected". */
  readonly read: (texts: readonly string[]) => Result<T, string>;
}

/** `--hook-budget` has the twin `COUNTERPOISE_HOOK_BUDGET`. */
export function environmentTwin(flag: string): string {
  return `COUNTERPOISE_${flag.toUpperCase().replaceAll('-', '_')}`;
}

/** What a flag is to whoever reads about it. */
export type FlagText = Pick<Flag<unknown>, 'group' | 'type' | 'description'>;

/** A flag that always has a value; given twice on the line, the last one holds. */
export function required<T>(text: FlagText & { readonly default: string }, parse: ParseText<T>): Flag<T> {
  return { ...text, repeatable: false, read: (texts) => parse(texts.at(-1) ?? text.default) };
}

/** A flag that sets nothing where it is not given. */
export function optional<T>(text: FlagText, parse: ParseText<T>): Flag<T | undefined> {
  const read = (texts: readonly string[]): Result<T | undefined, string> => {
    const last = texts.at(-1);
    return last === undefined ? ok(undefined) : parse(last);
  };
  return { ...text, default: undefined, repeatable: false, read };
}

/** A flag that is true or false; `byDefault` where it is not given. */
export function boolean(text: Omit<FlagText, 'type'>, byDefault: boolean): Flag<boolean> {
  return required({ ...text, type: 'boolean', default: String(byDefault) }, parseBoolean);
}

/** A flag whose texts each give several items; `combine` makes one value of all of them. */
export function repeatable<Item, T>(
  text: FlagText,
  parse: ParseText<readonly Item[]>,
  combine: (items: readonly Item[]) => T,
): Flag<T> {
  const read = (texts: readonly string[]): Result<T, string> => {
    const items: Item[] = [];
    for (const each of texts) {
      const parsed = parse(each);
      if (!parsed.ok) return parsed;
      items.push(...parsed.value);
    }
    return ok(combine(items));
  };
  return { ...text, default: undefined, repeatable: true, read };
}
