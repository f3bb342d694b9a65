/** A text from outside as JSON; undefined for what is none, which no JSON text is. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
