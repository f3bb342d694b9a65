/**
 * The fields that say something: undefined, empty texts, empty lists and empty objects are left out, one level deep. An
 * empty value differs from what the API server stores until it was written once; absent, it never differs.
 */
export function withoutEmpty(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
