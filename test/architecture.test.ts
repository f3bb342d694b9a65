import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const SRC = join(import.meta.dirname, '..', 'src');

/** The floors of the house, from the ground up; a room imports from its own room and from lower floors only. */
const FLOORS: Readonly<Record<string, number>> = {
  foundation: 0,
  kubernetes: 1,
  balancer: 2,
  rebalance: 2,
  api: 3,
  config: 4,
  observability: 4,
  hooks: 5,
  'app.ts': 6,
  cli: 7,
  'main.ts': 8,
};

interface Source {
  readonly path: string;
  readonly room: string;
  readonly text: string;
  /** Comments and string contents blanked: what is left is code. */
  readonly code: string;
  readonly imports: readonly string[];
}

function readSources(): readonly Source[] {
  return globSync('**/*.ts', { cwd: SRC }).map((path) => {
    const text = readFileSync(join(SRC, path), 'utf8');
    const imports = [...text.matchAll(/from '(\.[^']+)'/g)].map((match) =>
      relative(SRC, join(SRC, dirname(path), match[1] ?? '')),
    );
    const code = text
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/(^|\s)\/\/.*$/gm, '')
      .replace(/'(?:[^'\\\n]|\\.)*'/g, "''");
    return { path, room: path.split('/')[0] ?? path, text, code, imports };
  });
}

const sources = readSources();

function isCore(source: Source): boolean {
  return (
    source.room === 'balancer' ||
    (source.room === 'rebalance' && !/^rebalance\/(aws|metrics|targets)\//.test(source.path))
  );
}

/** Lines of the core that break `rule`, as "path: code". */
function offences(applies: (source: Source) => boolean, rule: RegExp): readonly string[] {
  return sources
    .filter(applies)
    .flatMap((source) =>
      source.code.split('\n').flatMap((line) => (rule.test(line) ? [`${source.path}: ${line.trim()}`] : [])),
    );
}

describe('the architecture', () => {
  it('has a floor for every room', () => {
    assert.deepEqual(
      [...new Set(sources.map((source) => source.room))].filter((room) => !(room in FLOORS)),
      [],
    );
  });

  it('lets imports point downward only, and never between rooms of one floor', () => {
    const upward = sources.flatMap((source) =>
      source.imports
        .map((imported) => ({ imported, room: imported.split('/')[0] ?? imported }))
        .filter(({ room }) => room !== source.room && (FLOORS[room] ?? 99) >= (FLOORS[source.room] ?? -1))
        .map(({ imported }) => `${source.path} imports ${imported}`),
    );
    assert.deepEqual(upward, []);
  });

  it('lets the adapters of metrics and targets take credentials from aws/, which knows neither', () => {
    const upward = sources
      .filter(({ path }) => path.startsWith('rebalance/aws/'))
      .flatMap(({ path, imports }) =>
        imports
          .filter((imported) => /^rebalance\/(metrics|targets)\//.test(imported))
          .map((imported) => `${path} imports ${imported}`),
      );
    assert.deepEqual(upward, []);
  });

  it('has no import cycle', () => {
    const importsOf = new Map(sources.map((source) => [source.path, source.imports]));
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (done.has(path) || trail.includes(path)) return;
      for (const imported of importsOf.get(path) ?? []) visit(imported, [...trail, path]);
      done.add(path);
    };
    for (const source of sources) visit(source.path, []);
    assert.deepEqual(cycles, []);
  });

  it('keeps the core free of async, clocks, process and console', () => {
    assert.deepEqual(
      offences(
        // A port is a type: it may say Promise, which the adapters keep.
        (source) => isCore(source) && source.path !== 'rebalance/secrets.ts',
        /\basync\b|\bawait\b|\bPromise\b|\bDate\.now\b|\bnew Date\(\)|\bperformance\b|\bMath\.random\b|\bprocess\.|\bconsole\.|\bpino\b/,
      ),
      [],
    );
  });

  it('lets only main.ts and cli/ touch process', () => {
    assert.deepEqual(
      offences((source) => source.room !== 'main.ts' && source.room !== 'cli', /\bprocess\./),
      [],
    );
  });

  it('has no enum, namespace, default export, barrel or class in the core', () => {
    assert.deepEqual(
      offences(
        isCore,
        /^\s*(export )?(enum|namespace|abstract class|class)\s+\w|^\s*export default\b|^\s*export \*/,
      ),
      [],
    );
  });
});
