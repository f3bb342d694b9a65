import { formatTime } from './format.ts';
import type { Report, Told } from './report.ts';

/** A line of a panel; `role` names its colour. */
export interface PageLine {
  readonly label: string;
  readonly role: 'first' | 'second' | 'target' | 'recorded';
  readonly values: readonly (number | null)[];
  readonly stepped: boolean;
  readonly dashed: boolean;
}

export interface PagePanel {
  readonly title: string;
  /** Label of the axis. */
  readonly unit: string;
  readonly lines: readonly PageLine[];
}

/** What the script of the page draws and tells. */
export interface PageData {
  readonly x: { readonly label: string; readonly isTime: boolean; readonly values: readonly number[] };
  readonly panels: readonly PagePanel[];
  readonly runs: readonly {
    readonly name: string;
    readonly metric: readonly (number | null)[];
    readonly weight: readonly number[];
    readonly load: readonly (number | null)[];
    /** null where nothing was due. */
    readonly because: readonly (string | null)[];
  }[];
}

/** A report as the page's script wants it: columns of numbers, nothing undefined. */
export function pageData(report: Report): PageData {
  const { runs, recorded, intervalMs } = report;
  const steps = runs[0]?.run.steps ?? [];
  const x =
    intervalMs === undefined
      ? { label: 'Time (UTC)', isTime: true, values: steps.map(({ atMs }) => atMs / 1000) }
      : {
          label: 'Time (intervals)',
          isTime: false,
          values: steps.map(({ atMs }) => round((atMs - (steps[0]?.atMs ?? 0)) / intervalMs)),
        };
  const targets = [...new Set(runs.map(({ run }) => run.target))].map((target) =>
    line({ label: `target ${target}`, role: 'target', dashed: true, values: steps.map(() => target) }),
  );
  const metrics = runs.map((told, index) =>
    lineOf(
      told,
      index,
      told.run.steps.map(({ metric }) => metric),
    ),
  );
  // The metric of a demand signal is the same for all.
  const metricLines =
    recorded === undefined && intervalMs === undefined
      ? metrics.slice(0, 1).map((each) => ({ ...each, label: 'metric' }))
      : metrics;
  const past =
    recorded === undefined ? [] : [line({ label: 'as recorded', role: 'recorded', values: recorded })];
  return {
    x,
    panels: [
      { title: 'Metric and target', unit: 'Metric (its unit)', lines: [...metricLines, ...targets, ...past] },
      {
        title: 'Weight',
        unit: 'Weight (0 to 255)',
        lines: runs.map((told, index) => ({
          ...lineOf(
            told,
            index,
            told.run.steps.map(({ weight }) => weight),
          ),
          stepped: true,
        })),
      },
      {
        title: `${intervalMs === undefined ? 'Expected load' : 'Load'} of the reference site`,
        unit: "Load (metric's unit)",
        lines: [
          ...runs.map((told, index) =>
            lineOf(
              told,
              index,
              told.run.steps.map(({ load }) => load),
            ),
          ),
          ...targets,
        ],
      },
    ],
    runs: runs.map(({ run: { name, steps: own } }) => ({
      name,
      metric: own.map(({ metric }) => round(metric)),
      weight: own.map(({ weight }) => weight),
      load: own.map(({ load }) => round(load)),
      because: own.map(({ decided }) =>
        decided === undefined ? null : `${decided.reason}: ${decided.because}`,
      ),
    })),
  };
}

/** `2026-03-02T00:00:00Z to 2026-03-08T23:59:00Z, 10080 evaluations`, or the number of intervals. */
export function rangeText({ runs, intervalMs }: Report): string {
  const steps = runs[0]?.run.steps ?? [];
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) return 'nothing';
  if (intervalMs !== undefined) return `${steps.length} intervals of ${intervalMs / 1000}s`;
  return `${formatTime(first.atMs)} to ${formatTime(last.atMs)}`;
}

type LineParts = Pick<PageLine, 'label' | 'role'> & {
  readonly values: readonly (number | undefined)[];
  readonly dashed?: boolean;
};

function line({ label, role, values, dashed = false }: LineParts): PageLine {
  return { label, role, values: values.map(round), stepped: false, dashed };
}

function lineOf({ run }: Told, index: number, values: readonly (number | undefined)[]): PageLine {
  return line({ label: run.name, role: index === 0 ? 'first' : 'second', values });
}

function round(value: number): number;
function round(value: number | undefined): number | null;
/** Six significant digits are more than a screen shows, and halve the page. */
function round(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toPrecision(6));
}
