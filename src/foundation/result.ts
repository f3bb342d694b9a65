/**
 * An expected failure is a value; `throw` means a bug. Read in order, without chains:
 *
 *     const parsed = parse(text);
 *     if (!parsed.ok) return parsed;
 *     use(parsed.value);
 */
export type Result<T, E> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}
