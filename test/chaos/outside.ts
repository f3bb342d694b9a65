import { mkdir } from 'node:fs/promises';
import { startExporter, type Exporter } from '../support/exporter.ts';
import { startMoto, type Moto } from '../e2e/moto/moto.ts';
import { startPrometheus, type Prometheus } from '../e2e/prometheus.ts';

/** The two servers that the Rebalance hook lives between, both real programs that nobody here wrote. */
export interface Outside {
  readonly exporter: Exporter;
  readonly prometheus: Prometheus;
  readonly moto: Moto;
  stop(): Promise<void>;
}

export async function startOutside(directory: string): Promise<Outside> {
  await mkdir(directory, { recursive: true });
  const exporter = await startExporter();
  const [prometheus, moto] = await Promise.all([
    startPrometheus(directory, exporter.url, say),
    startMoto(directory, say),
  ]);
  const stop = async (): Promise<void> => {
    await Promise.all([exporter, prometheus, moto].map((part) => part.stop()));
  };
  return { exporter, prometheus, moto, stop };
}

export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
