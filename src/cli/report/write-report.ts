import { writeFileSync } from 'node:fs';
import { err, ok, type Result } from '../../foundation/result.ts';
import { reportPage } from './page.ts';
import type { Report } from './report.ts';
import { reportCsv, reportJson, reportTable, reportYaml } from './texts.ts';

export const REPORT_FORMATS = ['table', 'csv', 'json', 'yaml', 'html'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const WRITERS = {
  table: reportTable,
  csv: reportCsv,
  json: reportJson,
  yaml: reportYaml,
  html: reportPage,
} as const satisfies Record<ReportFormat, (report: Report) => string>;

/** Writes a report to a file, or to standard output where there is none. */
export function writeReport(
  report: Report,
  format: ReportFormat,
  path: string | undefined,
): Result<undefined, string> {
  const text = WRITERS[format](report);
  if (path === undefined) {
    process.stdout.write(text);
    return ok(undefined);
  }
  try {
    writeFileSync(path, text);
    return ok(undefined);
  } catch (thrown) {
    return err(
      `--out ${path}: it cannot be written (${(thrown as NodeJS.ErrnoException).code ?? String(thrown)})`,
    );
  }
}
