import { createServer } from 'node:http';
import { listen } from './listen.ts';

/** One series as an exporter shows it; `value` in the exposition format: a decimal, NaN, +Inf or -Inf. */
export interface Series {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: string;
}

/** A scrape target whose numbers the test sets. */
export interface Exporter {
  /** `http://127.0.0.1:<port>`; the page is /metrics. */
  readonly url: string;
  /** Replaces the whole page: a series that is not named any more is gone. */
  show(...series: readonly Series[]): void;
  stop(): Promise<void>;
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/** Starts an exporter that shows nothing yet. */
export async function startExporter(): Promise<Exporter> {
  let page = '';
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': TEXT_FORMAT }).end(page);
  });
  return {
    ...(await listen(server)),
    show: (...series) => {
      page = series.map(toLine).join('');
    },
  };
}

function toLine({ name, labels = {}, value }: Series): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}
