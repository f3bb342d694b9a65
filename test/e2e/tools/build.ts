import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runProcess, type Program } from '../../support/process.ts';

interface Tool {
  /** Folder beside this file whose go.mod pins the tool and everything it is built from. */
  readonly pins: string;
  /** Module that carries the tool's version. */
  readonly module: string;
  readonly main: string;
  readonly flags?: readonly string[];
  /** Linker variable that takes the version: a build outside the project's own scripts does not know it. */
  readonly versionVariable?: string;
}

function ofKubernetes(command: string): Tool {
  return {
    pins: 'kubernetes',
    module: 'k8s.io/kubernetes',
    main: `k8s.io/kubernetes/cmd/${command}`,
    versionVariable: 'k8s.io/component-base/version.gitVersion',
  };
}

const TOOLS = {
  etcd: { pins: 'etcd', module: 'go.etcd.io/etcd/server/v3', main: 'go.etcd.io/etcd/server/v3' },
  'kube-apiserver': ofKubernetes('kube-apiserver'),
  'kube-controller-manager': ofKubernetes('kube-controller-manager'),
  'kube-scheduler': ofKubernetes('kube-scheduler'),
  kubectl: ofKubernetes('kubectl'),
  kwok: { pins: 'kwok', module: 'sigs.k8s.io/kwok', main: 'sigs.k8s.io/kwok/cmd/kwok' },
  prometheus: {
    pins: 'prometheus',
    module: 'github.com/prometheus/prometheus',
    main: 'github.com/prometheus/prometheus/cmd/prometheus',
    // without the service discovery of every cloud: a quarter of the time and size; static targets stay
    flags: ['-tags=remove_all_sd'],
  },
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof TOOLS;

export interface BuildOptions {
  /** Told before each build that takes long, and after it; silent when everything is in the cache. */
  readonly log?: (line: string) => void;
}

/**
 * Paths of the named tools, built by the installed Go toolchain where the cache does not have them, one at a time and
 * niced. The cache (`$XDG_CACHE_HOME/counterpoise/tools`) is keyed by all that goes into a build: another pin is
 * another file. Warm: no Go is run. Cold, on two cores: 4 minutes for kube-apiserver, 8 for all. Throws with the
 * compiler's words when a build fails.
 */
export async function buildTools<Name extends ToolName>(
  names: readonly Name[],
  { log = () => undefined }: BuildOptions = {},
): Promise<Readonly<Record<Name, string>>> {
  const paths: [Name, string][] = [];
  for (const name of names) paths.push([name, await buildTool(name, log)]);
  return Object.fromEntries(paths) as Record<Name, string>;
}

/** The version that go.mod pins, e.g. "v1.36.3". */
export function toolVersion(name: ToolName): string {
  const { pins, module } = TOOLS[name];
  const pin = new RegExp(`^(?:require)?\\s+${module} (v\\S+)`, 'm').exec(
    readFileSync(pinFile(pins, 'go.mod'), 'utf8'),
  );
  if (pin?.[1] === undefined) throw new Error(`test/e2e/tools/${pins}/go.mod does not pin ${module}`);
  return pin[1];
}

/** Directory of a pinned module's files (read-only), for what is shipped as files: CRDs, KWOK's stages. */
export async function moduleDirectory(pins: 'cert-manager' | 'kwok', module: string): Promise<string> {
  await requireGo();
  const download = ['mod', 'download', '-json', module];
  const found = await runProcess(inPins(pins, `go ${download.join(' ')}`, 'go', download));
  return (JSON.parse(found) as { readonly Dir: string }).Dir;
}

async function buildTool(name: ToolName, log: (line: string) => void): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'counterpoise', 'tools');
  const path = join(cache, `${name}-${toolVersion(name)}-${hashOfBuild(name)}`);
  if (existsSync(path)) return path;
  await requireGo();
  mkdirSync(cache, { recursive: true });
  const start = performance.now();
  log(`building ${name} ${toolVersion(name)} (once: it is kept in ${cache})`);
  const unfinished = `${path}.${process.pid}`;
  await goBuild(name, unfinished);
  renameSync(unfinished, path);
  log(`built ${name} in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  return path;
}

function buildArguments(name: ToolName): readonly string[] {
  const { flags, versionVariable }: Tool = TOOLS[name];
  const version = versionVariable === undefined ? '' : ` -X ${versionVariable}=${toolVersion(name)}`;
  return ['build', '-trimpath', '-mod=readonly', ...(flags ?? []), `-ldflags=-s -w${version}`];
}

function hashOfBuild(name: ToolName): string {
  const { pins, main } = TOOLS[name];
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum'] as const) hash.update(readFileSync(pinFile(pins, file)));
  hash.update([process.platform, process.arch, main, ...buildArguments(name)].join('\n'));
  return hash.digest('hex').slice(0, 12);
}

async function goBuild(name: ToolName, output: string): Promise<void> {
  const { pins, main } = TOOLS[name];
  await runProcess(
    inPins(pins, `building ${name}`, 'nice', ['-n', '10', 'go', ...buildArguments(name), '-o', output, main]),
  );
}

async function requireGo(): Promise<void> {
  await runProcess(inPins('kubernetes', 'go', 'go', ['version'])).catch((error: unknown) => {
    throw new Error(
      'go not found: install Go 1.26 or newer (https://go.dev/dl), it builds the programs of e2e',
      {
        cause: error,
      },
    );
  });
}

/** Go is configured by the environment (proxy, module cache, flags), so it sees all of ours. */
function inPins(pins: string, name: string, command: string, args: readonly string[]): Program {
  const env = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    name,
    command,
    args,
    env: { ...Object.fromEntries(env), CGO_ENABLED: '0' },
    directory: join(import.meta.dirname, pins),
  };
}

function pinFile(pins: string, file: 'go.mod' | 'go.sum'): string {
  return join(import.meta.dirname, pins, file);
}
