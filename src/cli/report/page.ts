import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pageData, rangeText, type PagePanel } from './page-data.ts';
import type { Report, Told } from './report.ts';
import { summaryRows } from './summary-rows.ts';

/**
 * A report as one HTML file that loads nothing: the charting library, styles, script and data are in it. Its policy
 * forbids every connection, so that a browser holds it to that.
 */
export function reportPage(report: Report): string {
  const data = pageData(report);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${escapeHtml(report.title)}</title>
<style>${libraryFile('uPlot.min.css')}</style>
<style>${ownFile('page.css')}</style>
</head>
<body>
<h1>${escapeHtml(report.title)}</h1>
<p class="range">${escapeHtml(rangeText(report))}</p>
${data.panels.map(panelHtml).join('\n')}
<p class="hint">Hover for the decision at a moment; drag to zoom, double-click to see all.</p>
<h2>Summary</h2>
${summaryHtml(report.runs)}
<div class="notes">
${notesHtml('Measured', report.measured)}
${notesHtml('Modelled', report.modelled)}
</div>
<div id="tip" role="status" hidden></div>
<script id="data" type="application/json">${scriptJson(data)}</script>
<script>${scriptText(libraryFile('uPlot.iife.min.js'))}</script>
<script>${scriptText(ownFile('page-script.js'))}</script>
</body>
</html>
`;
}

function panelHtml({ title, lines }: PagePanel, index: number): string {
  const legend = lines.map(
    ({ label, role, dashed }) =>
      `<li${dashed ? ' class="dashed"' : ''} style="--color: var(--${role})">${escapeHtml(label)}</li>`,
  );
  return `<section>
<h2>${escapeHtml(title)}</h2>
<ul class="legend">${legend.join('')}</ul>
<div class="chart" id="panel-${index}"></div>
</section>`;
}

function summaryHtml(runs: readonly Told[]): string {
  const columns = runs.map(({ run, summary }) => summaryRows(summary, run.target));
  const head = runs.map(({ run }) => `<th scope="col">${escapeHtml(run.name)}</th>`).join('');
  const rows = (columns[0] ?? []).map(([name], row) => {
    const cells = columns.map((column) => `<td>${escapeHtml(column[row]?.[1] ?? '')}</td>`).join('');
    return `<tr><th scope="row">${escapeHtml(name)}</th>${cells}</tr>`;
  });
  return `<table>\n<thead><tr><td></td>${head}</tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`;
}

function notesHtml(title: string, notes: readonly string[]): string {
  const items = notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('');
  return notes.length === 0 ? '' : `<section><h2>${title}</h2><ul>${items}</ul></section>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** JSON that no HTML parser takes for markup: neither an end tag nor a comment begins without "<". */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** A script must not hold its own end tag; one that does is not ours to mend. */
function scriptText(text: string): string {
  if (/<\/script/i.test(text)) throw new Error('a script holds its own end tag');
  return text;
}

function ownFile(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8');
}

function libraryFile(name: string): string {
  const entry = createRequire(import.meta.url).resolve('uplot');
  return readFileSync(join(dirname(entry), name), 'utf8');
}
