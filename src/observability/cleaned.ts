import { oneLine } from '../foundation/one-line.ts';

/** Deep and long enough for whatever we log ourselves. */
const MAX_DEPTH = 5;
const MAX_ITEMS = 50;

const MESSAGE_LIMIT = 1024;
const STACK_LINES = 20;

/** The fields of a log line, every text one clean line; of an error its name, message, code and the top of its stack. */
export function cleaned(fields: object): Record<string, unknown> {
  return cleanedFields(fields, MAX_DEPTH);
}

function cleanedFields(fields: object, depth: number): Record<string, unknown> {
  const entries = Object.entries(fields).slice(0, MAX_ITEMS);
  return Object.fromEntries(entries.map(([key, value]) => [oneLine(key), cleanedValue(value, depth - 1)]));
}

function cleanedValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return oneLine(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return cleanedError(value);
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => cleanedValue(item, depth - 1));
  return cleanedFields(value, depth);
}

function cleanedError({ name, message, stack = '', ...rest }: Error): object {
  const { code } = rest as { readonly code?: unknown };
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return {
    type: oneLine(name),
    message: oneLine(message, MESSAGE_LIMIT),
    ...(typeof code === 'string' ? { code: oneLine(code) } : {}),
    stack: frames
      .slice(0, STACK_LINES)
      .map((frame) => `\n    ${oneLine(frame)}`)
      .join(''),
  };
}
