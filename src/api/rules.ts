import { z } from 'zod';

/** A rule across fields, said once for both sides: the API server runs the CEL, the hook `holds`, with the same words. */
export interface Rule<T> {
  /** CEL over `self`; defaults are already applied. */
  readonly cel: string;
  readonly message: string;
  readonly holds: (value: T) => boolean;
}

/** The schema with rules, and with what else the CRD says of it. */
export function withRules<S extends z.ZodType>(
  schema: S,
  rules: readonly Rule<z.output<S>>[],
  meta: { readonly description: string } & Readonly<Record<string, unknown>>,
): S {
  return schema
    .superRefine((value, context) => {
      // What already has a problem of its own is not judged by rules that take it for sound.
      if (context.issues.length > 0) return;
      for (const { message } of rules.filter(({ holds }) => !holds(value)))
        context.addIssue({ code: 'custom', message });
    })
    .meta({ ...meta, 'x-kubernetes-validations': rules.map(({ cel, message }) => ({ rule: cel, message })) });
}

/**
 * The wire form of a choice: exactly one key. As long as there is one alternative only, its key is simply required.
 */
export function exactlyOne<Key extends string, S extends z.ZodType>(
  key: Key,
  schema: S,
  description: string,
) {
  return z
    .object({ [key]: schema } as Record<Key, S>)
    .meta({ description, minProperties: 1, maxProperties: 1 });
}
