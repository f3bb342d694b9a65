import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { productionPackages } from '../../../src/cli/reference/licences.ts';
import { at, listAt, textAt } from '../../support/at.ts';
import { ROOT } from '../../support/kustomize.ts';

const read = (...path: readonly string[]): string => readFileSync(join(ROOT, ...path), 'utf8');
const manifest: unknown = JSON.parse(read('package.json'));

/** Licences that ask for no more than their text, which each package brings along. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Unlicense',
]);

describe('what the image is made of', () => {
  const packages = productionPackages(read('package-lock.json'));

  it('has a permissive licence, each package', () => {
    const others = packages.filter(({ licence }) => !PERMISSIVE.has(licence));
    assert.deepEqual(others, []);
    assert.ok(packages.length > 50, `${packages.length} packages`);
  });

  it('is checked against a hash, each package', () => {
    assert.deepEqual(
      packages.filter(({ integrity }) => !integrity.startsWith('sha512-')),
      [],
    );
  });

  it('holds every dependency of package.json, at the version that it pins', () => {
    const dependencies = at(manifest, 'dependencies') as Readonly<Record<string, string>>;
    for (const [name, version] of Object.entries(dependencies)) {
      const locked = packages.filter((each) => each.name === name);
      assert.deepEqual([...new Set(locked.map((each) => each.version))], [version], name);
    }
  });

  it('runs on the Node that the tests ran on, by an exact tag, without root', () => {
    const dockerfile = read('Dockerfile');
    const from = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
    const node = (at(manifest, 'devDependencies') as Readonly<Record<string, string>>)['node'] ?? '';
    assert.deepEqual([...new Set(from)], [`node:${node}-bookworm-slim`]);
    assert.match(dockerfile, /^USER 1000:1000$/m);
    assert.match(dockerfile, /^ENTRYPOINT \["node", /m);
  });
});

describe('package.json', () => {
  it('pins every version', () => {
    for (const group of ['dependencies', 'devDependencies']) {
      for (const [name, version] of Object.entries(at(manifest, group) as Readonly<Record<string, string>>))
        assert.match(version, /^\d+\.\d+\.\d+$/, name);
    }
  });
});

describe('the GitHub workflows', () => {
  const directory = join(ROOT, '.github/workflows');
  for (const file of readdirSync(directory)) {
    const text = readFileSync(join(directory, file), 'utf8');
    const workflow: unknown = parse(text);

    it(`${file} names every action by a commit, and its tag beside it`, () => {
      const uses = text.split('\n').filter((line) => /^\s*(- )?uses:/.test(line));
      assert.ok(uses.length > 0);
      for (const line of uses) assert.match(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });

    it(`${file} may only read, and leaves no token behind`, () => {
      assert.deepEqual(at(workflow, 'permissions'), { contents: 'read' });
      const jobs = Object.values(at(workflow, 'jobs') as Readonly<Record<string, unknown>>);
      const checkouts = jobs
        .flatMap((job) => listAt(job, 'steps'))
        .filter((step) => textAt(step, 'uses').startsWith('actions/checkout@'));
      assert.ok(checkouts.length > 0);
      for (const step of checkouts) assert.equal(at(step, 'with.persist-credentials'), false);
    });
  }

  it('ask for known vulnerabilities at each push, and each week without one', () => {
    const workflow: unknown = parse(read('.github/workflows/supply-chain.yaml'));
    assert.equal(listAt(workflow, 'on.schedule').length, 1);
    const commands = listAt(workflow, 'jobs.audit.steps').map((step) => textAt(step, 'run'));
    assert.ok(commands.includes('make audit'), commands.join('; '));
  });
});
