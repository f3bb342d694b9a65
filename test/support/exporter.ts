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
  /** Sets one series and leaves the others as they are. */
  set(series: Series): void;
  stop(): Promise<void>;
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/** Starts an exporter that shows nothing yet. */
export async function startExporter(): Promise<Exporter> {
  let shown: readonly Series[] = [];
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': TEXT_FORMAT }).end(shown.map(toLine).join(''));
  });
  return {
    ...(await listen(server)),
    show: (...series) => {
      shown = series;
    },
    set: (series) => {
      shown = [...shown.filter(({ name }) => name !== series.name), series];
    },
  };
}

function toLine({ name, labels = {}, value }: Series): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}
