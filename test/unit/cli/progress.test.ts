import assert from 'node:assert/strict';
import { createProgress } from '../../../src/cli/progress.ts';

describe('a progress bar', () => {
  function draw(isTTY: boolean, units: number): readonly string[] {
    const written: string[] = [];
    let nowMs = 1000;
    const progress = createProgress(
      { isTTY, write: (text) => written.push(text) },
      'replaying',
      units,
      () => nowMs,
    );
    for (const done of [1, 2, 5000, 10_000]) {
      progress.show(done, 10_000);
      nowMs += 60;
    }
    progress.clear();
    return written;
  }

  it('is drawn for long work that somebody watches, at most ten times a second, and taken away', () => {
    assert.deepEqual(draw(true, 10_000), [
      `\rreplaying [${'.'.repeat(30)}] 0%`,
      `\rreplaying [${'#'.repeat(15)}${'.'.repeat(15)}] 50%`,
      `\rreplaying [${'#'.repeat(30)}] 100%`,
      '\r\u001b[K',
    ]);
  });

  it('is not drawn where nobody watches, nor for little work', () => {
    assert.deepEqual([...draw(false, 10_000), ...draw(true, 10)], []);
  });
});
