import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../src/foundation/defined.ts';
import { call, type Answer } from '../support/call.ts';
import type { Identity } from '../support/certificates.ts';
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

export const TEST_LOGIN: Login = {
  user: 'monitor',
  password: 'correct horse',
  passwordHash: '$2b$04$E8/JVo8bUdPWPd1JO4PPi.zxPlpv0RyUtNNb0xCii0lqhqsldHPNe',
};

/** TLS of which each side demands a certificate of the other. */
export interface MutualTls {
  /** Has signed both, and is all that either believes. */
  readonly ca: Identity;
  readonly server: Identity;
  /** The name that the server's certificate has. */
  readonly serverName: string;
  /** What those who wait for Prometheus show. */
  readonly client: Identity;
}

/** Whom it lets in; everybody over plain HTTP where nothing is said. */
interface Door {
  readonly login?: Login;
  readonly tls?: MutualTls;
}

export interface PrometheusExtras extends Door {
  /** Whom else it scrapes: URL by job. */
  readonly jobs?: Readonly<Record<string, string>>;
  /** Rule groups that it evaluates each second, as a PrometheusRule has them. */
  readonly groups?: unknown;
}

/** Starts Prometheus, which scrapes the exporter at `exporterUrl`. Its configuration, data and log go to `directory`. */
export async function startPrometheus(
  directory: string,
  exporterUrl: string,
  log: (line: string) => void,
  { jobs = {}, groups = [], ...door }: PrometheusExtras = {},
): Promise<Prometheus> {
  const command = await findPrometheus(log);
  const [port = 0] = await freePorts(1);
  const configuration = join(directory, 'prometheus.yml');
  const webConfiguration = join(directory, 'prometheus-web.yml');
  const rules = join(directory, 'prometheus-rules.yml');
  await writeFile(configuration, configurationFor({ exporter: exporterUrl, ...jobs }, rules));
  // JSON is YAML
  await writeFile(rules, JSON.stringify({ groups }));
  await writeFile(webConfiguration, webConfigurationFor(door));
  const url = `${door.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  const get = getThrough(door, url);
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
      const { status } = await get('/-/ready');
      return status === 200 ? arrived(undefined) : notYet(`HTTP ${status}`);
    });
    return process;
  };
  let process = await launch();
  return {
    url,
    waitFor: (query, ...values) => waitForValues(get, query, values),
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
function webConfigurationFor({ login, tls }: Door): string {
  const server = tls && {
    cert_file: tls.server.certFile,
    key_file: tls.server.keyFile,
    client_ca_file: tls.ca.certFile,
    client_auth_type: 'RequireAndVerifyClientCert',
  };
  const users = login && { [login.user]: login.passwordHash };
  return JSON.stringify({ tls_server_config: server, basic_auth_users: users });
}

type Get = (path: string) => Promise<Answer>;

/** Comes as one whom the door lets in. */
function getThrough({ login, tls }: Door, url: string): Get {
  const basic = login && Buffer.from(`${login.user}:${login.password}`).toString('base64');
  const options = defined({
    headers: basic === undefined ? undefined : { authorization: `Basic ${basic}` },
    ca: tls?.ca.cert,
    cert: tls?.client.cert,
    key: tls?.client.key,
    servername: tls?.serverName,
  });
  return (path) => call(`${url}${path}`, options);
}

interface QueryAnswer {
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
}

async function waitForValues(get: Get, query: string, values: readonly string[]): Promise<void> {
  const wanted = [...values].sort().join(' ');
  await waitFor(`${query} to be ${wanted || 'absent'}`, { deadlineMs: 20_000, everyMs: 50 }, async () => {
    const { text } = await get(`/api/v1/query?${new URLSearchParams({ query }).toString()}`);
    const answer = JSON.parse(text) as QueryAnswer;
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
