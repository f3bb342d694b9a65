import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../support/ports.ts';
import { runProcess, startProcess, waitReady, type RunningProcess } from '../support/process.ts';
import { arrived, notYet, waitFor } from '../support/wait.ts';
import { cached } from './cache.ts';
import { buildTools } from './tools/build.ts';

/** A real Prometheus that scrapes one exporter twice a second. */
export interface Prometheus {
  readonly url: string;
  /** Waits until the instant query `query` gives exactly these values, as texts, in any order. */
  waitFor(query: string, ...values: readonly string[]): Promise<void>;
  /** Ends the process; its port refuses connections until `start`. */
  stop(): Promise<void>;
  /** Starts it again on the same port with the same data. */
  start(): Promise<void>;
}

/** Basic auth that Prometheus demands of everybody. */
export interface Login {
  readonly user: string;
  readonly password: string;
  /** bcrypt, as its web configuration wants it. */
  readonly passwordHash: string;
}

export interface PrometheusExtras {
  /** Whom else it scrapes: URL by job. */
  readonly jobs?: Readonly<Record<string, string>>;
  /** Rule groups that it evaluates each second, as a PrometheusRule has them. */
  readonly groups?: unknown;
  readonly login?: Login;
}

/** Starts Prometheus, which scrapes the exporter at `exporterUrl`. Its configuration, data and log go to `directory`. */
export async function startPrometheus(
  directory: string,
  exporterUrl: string,
  log: (line: string) => void,
  { jobs = {}, groups = [], login }: PrometheusExtras = {},
): Promise<Prometheus> {
  const command = await findPrometheus(log);
  const [port = 0] = await freePorts(1);
  const configuration = join(directory, 'prometheus.yml');
  const webConfiguration = join(directory, 'prometheus-web.yml');
  const rules = join(directory, 'prometheus-rules.yml');
  await writeFile(configuration, configurationFor({ exporter: exporterUrl, ...jobs }, rules));
  // JSON is YAML
  await writeFile(rules, JSON.stringify({ groups }));
  await writeFile(webConfiguration, webConfigurationFor(login));
  const fetchAs = fetchWith(login);
  const url = `http://127.0.0.1:${port}`;
  const launch = async (): Promise<RunningProcess> => {
    const args = [
      `--config.file=${configuration}`,
      `--storage.tsdb.path=${join(directory, 'prometheus-data')}`,
      `--web.config.file=${webConfiguration}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    const process = await startProcess(
      { name: 'Prometheus', command, args },
      join(directory, 'prometheus.log'),
    );
    await waitReady(process, 60_000, async () => {
      const response = await fetchAs(`${url}/-/ready`);
      return response.ok ? arrived(undefined) : notYet(`HTTP ${response.status}`);
    });
    return process;
  };
  let process = await launch();
  return {
    url,
    waitFor: (query, ...values) => waitForValues((path) => fetchAs(`${url}${path}`), query, values),
    stop: () => process.stop(),
    start: async () => {
      process = await launch();
    },
  };
}

function configurationFor(jobs: Readonly<Record<string, string>>, rules: string): string {
  return JSON.stringify({
    global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: Object.entries(jobs).map(([job, url]) => ({
      job_name: job,
      honor_labels: true,
      static_configs: [{ targets: [new URL(url).host] }],
    })),
  });
}

/** https://prometheus.io/docs/prometheus/latest/configuration/https/ */
function webConfigurationFor(login: Login | undefined): string {
  return JSON.stringify(
    login === undefined ? {} : { basic_auth_users: { [login.user]: login.passwordHash } },
  );
}

function fetchWith(login: Login | undefined): (url: string) => Promise<Response> {
  const headers: Record<string, string> =
    login === undefined
      ? {}
      : { authorization: `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}` };
  return (url) => fetch(url, { headers });
}

interface QueryAnswer {
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
}

async function waitForValues(
  get: (path: string) => Promise<Response>,
  query: string,
  values: readonly string[],
): Promise<void> {
  const wanted = [...values].sort().join(' ');
  await waitFor(`${query} to be ${wanted || 'absent'}`, { deadlineMs: 20_000, everyMs: 50 }, async () => {
    const response = await get(`/api/v1/query?${new URLSearchParams({ query }).toString()}`);
    const answer = (await response.json()) as QueryAnswer;
    const seen = answer.data.result.map((series) => series.value[1]).sort();
    return seen.join(' ') === wanted ? arrived(undefined) : notYet(seen.join(' ') || 'no series');
  });
}

/**
 * The program: `PROMETHEUS_BIN` where it is set, else built from the pinned Go module, else (no Go) taken out of
 * Debian's package, which is unpacked into the cache and not installed: no service starts.
 */
async function findPrometheus(log: (line: string) => void): Promise<string> {
  const named = process.env['PROMETHEUS_BIN'];
  if (named !== undefined) return named;
  if (await runs('go', 'version')) return (await buildTools(['prometheus'], { log })).prometheus;
  if ((await runs('apt-get', '--version')) && (await runs('dpkg-deb', '--version'))) return unpackDebian(log);
  throw new Error('e2e needs Prometheus: install Go 1.26 or later, or name a binary by PROMETHEUS_BIN');
}

async function unpackDebian(log: (line: string) => void): Promise<string> {
  const root = await cached('prometheus-debian', async (directory) => {
    log("fetching Debian's package prometheus (once)");
    const packages = join(directory, 'package');
    await mkdir(packages);
    await runProcess({
      name: 'apt-get download prometheus',
      command: 'apt-get',
      args: ['download', 'prometheus'],
      directory: packages,
    });
    const [file = ''] = await readdir(packages);
    await runProcess({
      name: 'dpkg-deb --extract',
      command: 'dpkg-deb',
      args: ['--extract', join(packages, file), directory],
    });
  });
  return join(root, 'usr', 'bin', 'prometheus');
}

async function runs(command: string, ...args: readonly string[]): Promise<boolean> {
  return runProcess({ name: command, command, args }).then(
    () => true,
    () => false,
  );
}
