import { availableParallelism, cpus } from 'node:os';
import type { Week } from './week.ts';
import type { Comparison } from './scenarios.ts';

export interface Report {
  readonly machine: string;
  readonly node: string;
  readonly comparisons: readonly Comparison[];
  readonly memory: { readonly syncs: number; readonly beforeMb: number; readonly afterMb: number };
  /** Start of the process to the first 200 of /readyz, median of several starts. */
  readonly readyMs: number;
  readonly week: Week;
}

export function machine(): string {
  return `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}`;
}

/** The report as Markdown, as README carries it. */
export function toMarkdown({ machine, node, comparisons, memory, readyMs, week }: Report): string {
  const rows = comparisons.map(({ name, hook, bare, ratio }) => [
    name,
    hook.syncsPerSecond.toFixed(0),
    hook.p50Ms.toFixed(2),
    hook.p99Ms.toFixed(2),
    bare.syncsPerSecond.toFixed(0),
    ratio.toFixed(2),
  ]);
  return [
    `Measured on ${machine}, Node ${node}; load generator, service and bare server share the machine.`,
    '',
    ...table(['hook, body', 'syncs/s', 'p50 ms', 'p99 ms', 'bare node:http/s', 'ratio'], rows),
    '',
    `Memory: RSS ${memory.beforeMb.toFixed(0)} MB before ${memory.syncs} syncs, ${memory.afterMb.toFixed(0)} MB after. ` +
      `From start to ready: ${readyMs.toFixed(0)} ms.`,
    '',
    `\`backtest\` of a week at 1 minute (${week.points} points, signal load, to a page): ` +
      `${week.seconds.toFixed(1)} s (${week.cpuSeconds.toFixed(1)} s of a core), at most ${week.peakMb.toFixed(0)} MB.`,
  ].join('\n');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string => {
    const padded = cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(heads), line(rule), ...rows.map(line)];
}
