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

describe('the documents', () => {
  for (const document of documents) {
    it(`${document} leads to files that there are`, () => {
      const text = readFileSync(join(ROOT, document), 'utf8');
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
  }

  it('number the decisions without a gap', () => {
    const numbers = readdirSync(join(ROOT, 'docs/adr')).map((name) => Number(name.slice(0, 4)));
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      numbers.map((_, index) => index + 1),
    );
  });
});
