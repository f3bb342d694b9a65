import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../support/ports.ts';
import { startProcess, waitReady } from '../support/process.ts';
import { startService, type Service } from '../support/service.ts';
import { arrived } from '../support/wait.ts';

/** The servers of the bench, each a process of its own; they end with this one. */
export interface StandIns {
  readonly prometheusUrl: string;
  readonly route53Url: string;
}

/** `directory` takes logs and files. */
export async function startStandIns(directory: string): Promise<StandIns> {
  const [prometheusPort = 0, route53Port = 0] = await freePorts(2);
  const prometheusUrl = urlOf(prometheusPort);
  const route53Url = urlOf(route53Port);
  await startScript(directory, 'stand-ins', [prometheusPort, route53Port], route53Url);
  return { prometheusUrl, route53Url };
}

/** A bare server that answers `answer` to every body. */
export async function startBareServer(directory: string, name: string, answer: string): Promise<string> {
  const [port = 0] = await freePorts(1);
  const answerFile = join(directory, `${name}-answer.json`);
  writeFileSync(answerFile, answer);
  await startScript(directory, 'bare-server', [port, answerFile], urlOf(port));
  return urlOf(port);
}

/** The compiled service, as the image has it; it believes the body, and Route 53 is the stand-in. */
export function startMeasured(directory: string, { route53Url }: StandIns): Promise<Service> {
  return startService({
    directory,
    main: join(import.meta.dirname, '..', '..', 'dist', 'main.js'),
    // Each sync reads for itself, as fast as it can: what is measured is the service, not its patience with AWS.
    flags: [
      '--verify-parent=false',
      `--route53-endpoint=${route53Url}`,
      '--route53-list-window=0s',
      '--route53-rate=1000',
    ],
    env: { AWS_ACCESS_KEY_ID: 'bench', AWS_SECRET_ACCESS_KEY: 'bench' },
  });
}

async function startScript(
  directory: string,
  name: string,
  args: readonly (string | number)[],
  url: string,
): Promise<void> {
  const script = join(import.meta.dirname, `${name}.ts`);
  const program = { name, command: process.execPath, args: [script, ...args.map(String)] };
  const started = await startProcess(program, join(directory, `${name}.log`));
  await waitReady(started, 20_000, async () => arrived(await fetch(url).then((response) => response.text())));
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
