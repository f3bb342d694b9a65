/** `a, b, c and 4 more`: a list in a message stays one short line. */
export function listSome(items: readonly string[], separator = ', ', limit = 5): string {
  const more = items.length - limit;
  const shown = items.slice(0, limit).join(separator);
  return more > 0 ? `${shown} and ${more} more` : shown;
}
