import { err, ok, type Result } from '../../foundation/result.ts';
import { readTime } from './time.ts';

/** One line of a file of columns: a time, and the texts of the other columns by name. */
export interface Row {
  readonly line: number;
  readonly atMs: number;
  /** Without empty cells. */
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * Reads comma-separated columns, the first row being their names where its first cell is no time; else they are `names`.
 * Quotes around a cell are dropped; a cell with a comma in it is not understood. Rows come in the order of time.
 */
export function readCsv(text: string, names: readonly string[]): Result<readonly Row[], string> {
  const lines = text.split(/\r?\n/).map(cellsOf);
  const first = lines.find((cells) => cells.length > 1 || cells[0] !== '') ?? [];
  const isHeader = readTime(first[0] ?? '') === undefined;
  const columns = isHeader ? first.map((name) => name.toLowerCase()) : names;
  const timeColumn = columns.indexOf('time');
  if (timeColumn < 0) return err(`expected a column "time", found ${columns.join(', ')}`);
  const rows: Row[] = [];
  for (const [index, cells] of lines.entries()) {
    if ((isHeader && cells === first) || (cells.length === 1 && cells[0] === '')) continue;
    const atMs = readTime(cells[timeColumn] ?? '');
    if (atMs === undefined)
      return err(
        `line ${index + 1}: expected an RFC 3339 time or Unix seconds, found "${cells[timeColumn] ?? ''}"`,
      );
    const named = columns.map((name, column) => [name, cells[column] ?? ''] as const);
    rows.push({ line: index + 1, atMs, cells: Object.fromEntries(named.filter(([, cell]) => cell !== '')) });
  }
  return ok(rows.toSorted((a, b) => a.atMs - b.atMs));
}

function cellsOf(line: string): readonly string[] {
  return line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}
