import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../support/kustomize.ts';

const documents = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  'docs/runbook.md',
  'docs/backtest/README.md',
  ...readdirSync(join(ROOT, 'docs/adr')).map((name) => `docs/adr/${name}`),
];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The anchors that GitHub gives the headings of a document. */
function anchorsOf(path: string): readonly string[] {
  return [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('the documents', () => {
  for (const document of documents) {
    it(`${document} leads to files that there are`, () => {
      const text = read(document);
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g)].map(([, path = '']) =>
        join(dirname(document), path),
      );
      const named = [...text.matchAll(/`((?:src|test|metacontroller|crds|docs)\/[^\s`*<]*)`/g)].map(
        ([, path = '']) => path,
      );
      assert.deepEqual(
        [...links, ...named].filter((path) => !existsSync(join(ROOT, path))),
        [],
      );
    });

    it(`${document} leads to headings that there are`, () => {
      const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
      const dead = links.filter(([, path = '', anchor = '']) => {
        const target = path === '' ? document : join(dirname(document), path);
        return !anchorsOf(target).includes(anchor);
      });
      assert.deepEqual(
        dead.map(([link]) => link),
        [],
      );
    });

    it(`${document} names make targets and npm scripts that there are`, () => {
      const text = read(document);
      const targets = [...read('Makefile').matchAll(/^([a-z0-9-]+):/gm)].map(([, name = '']) => name);
      const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);
      const made = [...text.matchAll(/(?:^|`)make ((?:[a-z][a-z0-9-]* ?)+)/gm)].flatMap(([, names = '']) =>
        names.trim().split(' '),
      );
      const run = [...text.matchAll(/(?:^|`)npm run ([a-z0-9:-]+)/gm)].map(([, name = '']) => name);
      assert.deepEqual(
        [...made.filter((name) => !targets.includes(name)), ...run.filter((name) => !scripts.includes(name))],
        [],
      );
    });
  }

  it('lead to headings at all, here and elsewhere', () => {
    assert.match(read('README.md'), /\]\(docs\/runbook\.md#/);
    assert.match(read('docs/runbook.md'), /\]\(#/);
  });

  it('number the decisions without a gap', () => {
    const numbers = readdirSync(join(ROOT, 'docs/adr')).map((name) => Number(name.slice(0, 4)));
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      numbers.map((_, index) => index + 1),
    );
  });
});
