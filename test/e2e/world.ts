import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context, RootHookObject } from 'mocha';
import { startExporter, type Exporter } from '../support/exporter.ts';
import { startService, type Service } from '../support/service.ts';
import { hasPassed } from '../support/suite.ts';
import { startMoto, type Moto } from './moto/moto.ts';
import { startPrometheus, type Prometheus } from './prometheus.ts';
import { TEST_ENVIRONMENT } from './zone.ts';

/** The parts that all scenarios share. They run one after another; each makes its own zone and names its own series. */
export interface World {
  readonly exporter: Exporter;
  readonly prometheus: Prometheus;
  readonly moto: Moto;
  /** The service, which believes the bodies that it is posted and writes to `moto`. */
  readonly service: Service;
  /** Logs and data of this run's processes: removed at the end, kept unless all passed. */
  readonly directory: string;
}

let world: World | undefined;

/** The world of this run, started before the first scenario. */
export function theWorld(): World {
  if (world === undefined) throw new Error('the world has not started');
  return world;
}

const BUILD_DEADLINE_MS = 20 * 60_000;

export const mochaHooks: RootHookObject = {
  async beforeAll(this: Context) {
    this.timeout(BUILD_DEADLINE_MS);
    const directory = await mkdtemp(join(tmpdir(), 'counterpoise-e2e-'));
    const exporter = await startExporter();
    const prometheus = await startPrometheus(directory, exporter.url, say);
    const moto = await startMoto(directory, say);
    const service = await startService({
      directory,
      flags: [
        '--verify-parent=false',
        '--min-interval=1s',
        `--route53-endpoint=${moto.url}`,
        // Records are changed by hand between two syncs, and moto has no quota.
        '--route53-list-window=0s',
        '--route53-rate=100',
      ],
      env: { ...TEST_ENVIRONMENT, AWS_ENDPOINT_URL_STS: moto.url },
    });
    world = { exporter, prometheus, moto, service, directory };
  },
  async afterAll(this: Context) {
    if (world === undefined) return;
    const { exporter, prometheus, moto, service, directory } = world;
    await Promise.all([service, exporter, prometheus, moto].map((part) => part.stop()));
    if (!hasPassed(this.test?.parent)) say(`logs of the processes: ${directory}`);
    else await rm(directory, { recursive: true });
  },
};

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
