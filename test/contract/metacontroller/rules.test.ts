import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/** Names in brackets, such as [three-way-merge], where they mark a rule: in a comment of the double, in a title of a test. */
function rulesIn(pattern: string, place: RegExp): readonly string[] {
  const texts = globSync(pattern, { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'));
  const marked = texts.flatMap((text) => text.match(place) ?? []);
  const names = marked.flatMap((text) => [...text.matchAll(/\[([a-z0-9]+(?:-[a-z0-9]+)+)\]/g)]);
  return [...new Set(names.map(([, name]) => name ?? ''))].sort();
}

describe('The rules of the double', () => {
  it('are each marked where they are kept, and each named by a test', () => {
    const kept = rulesIn('support/{metacontroller,api-server}/*.ts', /\/\*\*[\s\S]*?\*\/|\/\/.*/g);
    const tested = rulesIn('contract/metacontroller/*.test.ts', /(?:it\(|name: )['`].*/g);
    assert.deepEqual(tested, kept);
    assert.ok(kept.length > 30);
  });
});
