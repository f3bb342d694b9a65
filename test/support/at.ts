/** What stands at `path` (`spec.template.spec.containers.0.args`) below `value`; undefined where there is nothing. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((above, key) => {
    if (typeof above !== 'object' || above === null || !Object.hasOwn(above, key)) return undefined;
    return (above as Readonly<Record<string, unknown>>)[key];
  }, value);
}

/** The items of a list at `path`; none where there is no list. */
export function listAt(value: unknown, path: string): readonly unknown[] {
  const list = at(value, path);
  return Array.isArray(list) ? list : [];
}

/** The text at `path`; empty where there is none. */
export function textAt(value: unknown, path: string): string {
  const text = at(value, path);
  return typeof text === 'string' ? text : '';
}
