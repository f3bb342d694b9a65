import { stringify } from 'yaml';
import type { Run, RunStep } from '../replay/run.ts';
import { alignColumns, formatNumber, formatTime } from './format.ts';
import type { Report, Told } from './report.ts';
import { summaryRows } from './summary-rows.ts';

/** For a terminal: every change of the weight with its reason, then the summaries side by side. */
export function reportTable(report: Report): string {
  const changes = report.runs.map(
    ({ run }) => `${run.name}\n${alignColumns([CHANGE_HEAD, ...changesOf(run)])}`,
  );
  return [...changes, summaryTable(report.runs), notes(report)].join('\n');
}

const CHANGE_HEAD = ['TIME', 'METRIC', 'LOAD', 'WEIGHT', 'REASON', 'BECAUSE'];

function changesOf({ steps, startWeight }: Run): readonly (readonly string[])[] {
  return steps.flatMap((step, index) => {
    const before = steps[index - 1]?.weight ?? startWeight;
    const { atMs, metric, load, weight, decided } = step;
    if (weight === before) return [];
    const change = `${before} -> ${weight}`;
    return [
      [
        formatTime(atMs),
        formatNumber(metric),
        formatNumber(load),
        change,
        decided?.reason ?? '',
        decided?.because ?? '',
      ],
    ];
  });
}

function summaryTable(runs: readonly Told[]): string {
  const columns = runs.map(({ run, summary }) => summaryRows(summary, run.target));
  const names = columns[0]?.map(([name]) => name) ?? [];
  return alignColumns([
    ['SUMMARY', ...runs.map(({ run }) => run.name)],
    ...names.map((name, row) => [name, ...columns.map((column) => column[row]?.[1] ?? '')]),
  ]);
}

function notes({ measured, modelled }: Report): string {
  return [...measured.map((text) => `measured: ${text}`), ...modelled.map((text) => `modelled: ${text}`)]
    .map((line) => `${line}\n`)
    .join('');
}

/** Every moment of every run, for a spreadsheet: numbers in full, an empty cell where there is none. */
export function reportCsv({ runs }: Report): string {
  const rows = runs.flatMap(({ run }) => run.steps.map((step) => csvRow(run.name, step)));
  return [['run', 'time', 'metric', 'load', 'weight', 'reason', 'because'], ...rows]
    .map((row) => `${row.map(csvCell).join(',')}\n`)
    .join('');
}

function csvRow(name: string, { atMs, metric, load, weight, decided }: RunStep): readonly string[] {
  const number = (value: number | undefined): string => (value === undefined ? '' : String(value));
  return [
    name,
    formatTime(atMs),
    number(metric),
    number(load),
    String(weight),
    decided?.reason ?? '',
    decided?.because ?? '',
  ];
}

function csvCell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Everything, for a program. */
export function reportJson(report: Report): string {
  return `${JSON.stringify(reportData(report), null, 2)}\n`;
}

/** The same as YAML. */
export function reportYaml(report: Report): string {
  return stringify(reportData(report), { lineWidth: 0, aliasDuplicateObjects: false });
}

function reportData({ title, measured, modelled, recorded, runs }: Report): object {
  const told = runs.map(({ run: { name, target, startWeight, steps }, summary }) => ({
    name,
    target,
    startWeight,
    summary,
    steps: steps.map(({ atMs, ...step }) => ({ time: formatTime(atMs), ...step })),
  }));
  return { title, measured, modelled, recorded, runs: told };
}
