import assert from 'node:assert/strict';
import { parseRfc3339, rfc3339, systemClock } from '../../../src/foundation/clock.ts';
import {
  beforeDeadline,
  startDeadline,
  withinDeadline,
  type Deadline,
} from '../../../src/foundation/deadline.ts';
import { unreachable } from '../../../src/foundation/exhaustive.ts';
import { oneLine } from '../../../src/foundation/one-line.ts';

describe('a time in a status', () => {
  it('is RFC 3339 in UTC without fractional seconds, rounded down', () =>
    assert.equal(rfc3339(Date.UTC(2026, 10, 30, 15, 42, 6, 999)), '2026-11-30T15:42:06Z'));

  const rows: readonly (readonly [text: string, epochMs: number | undefined])[] = [
    ['2026-11-30T15:42:06Z', Date.UTC(2026, 10, 30, 15, 42, 6)],
    ['2026-11-30T15:42:06.250Z', Date.UTC(2026, 10, 30, 15, 42, 6, 250)],
    ['2026-11-30T16:42:06+01:00', Date.UTC(2026, 10, 30, 15, 42, 6)],
    ['2026-11-30', undefined],
    ['2026-13-30T15:42:06Z', undefined],
    ['yesterday', undefined],
  ];
  for (const [text, epochMs] of rows) {
    it(`reads "${text}" as ${epochMs ?? 'nothing'}`, () => assert.equal(parseRfc3339(text), epochMs));
  }
  it('comes from the system clock where nobody injects another', () =>
    assert.ok(Math.abs(systemClock.nowMs() - Date.now()) < 60_000));
});

describe('a deadline', () => {
  it('has nothing left and is aborted once it has passed', async () => {
    const deadline = startDeadline(0);
    if (!deadline.signal.aborted) {
      await new Promise((resolve) => {
        deadline.signal.addEventListener('abort', resolve, { once: true });
      });
    }
    assert.equal(deadline.remainingMs(), 0);
  });
  it('inside another one never ends later', () => {
    const outer = startDeadline(1_000);
    assert.ok(withinDeadline(outer, 60_000).remainingMs() <= 1_000);
  });
  it('inside another one may end earlier', () => {
    const outer = startDeadline(60_000);
    assert.ok(withinDeadline(outer, 1_000).remainingMs() <= 1_000);
  });
});

describe('work before a deadline', () => {
  const passing = (): Deadline & { readonly pass: () => void } => {
    const controller = new AbortController();
    const pass = (): void => {
      controller.abort();
    };
    return { beganMs: 0, signal: controller.signal, remainingMs: () => 0, pass };
  };
  const endless = new Promise<string>(() => undefined);

  it('comes to what it comes to', async () =>
    assert.equal(await beforeDeadline(passing(), Promise.resolve('done'), 'late'), 'done'));
  it('comes to nothing once the deadline passes, though it goes on', async () => {
    const deadline = passing();
    const ended = beforeDeadline(deadline, endless, 'late');
    deadline.pass();
    assert.equal(await ended, 'late');
  });
  it('comes to nothing when the deadline has passed', async () => {
    const deadline = passing();
    deadline.pass();
    assert.equal(await beforeDeadline(deadline, endless, 'late'), 'late');
  });
  it('throws what it throws', () =>
    assert.rejects(beforeDeadline(passing(), Promise.reject(new Error('a bug')), 'late'), /a bug/));
});

describe('one line', () => {
  const rows: readonly (readonly [name: string, text: string, line: string])[] = [
    ['keeps a plain text', 'connection refused', 'connection refused'],
    ['turns line breaks and tabs into single spaces', 'a\r\n\tb', 'a b'],
    ['drops control characters and bidirectional marks', 'a\u0007\u202eb\u0000', 'a b'],
    ['drops line and paragraph separators', 'a\u2028b\u2029c', 'a b c'],
    [
      'leaves nothing of an escape sequence that a terminal would obey',
      '\u001b[31mred\u009b0m',
      '[31mred 0m',
    ],
    [
      'drops what is not seen: zero width, soft hyphen, tags, byte order mark',
      'a\u200bb\u00adc\u{e0041}d\ufeff',
      'a b c d',
    ],
    ['drops halves of a character', 'a\ud800b', 'a b'],
    ['keeps letters of any script', 'żółć 東京 😀', 'żółć 東京 😀'],
    ['trims', '  a  ', 'a'],
  ];
  for (const [name, text, line] of rows) it(name, () => assert.equal(oneLine(text), line));
  it('cuts at the limit by characters, not inside one', () => assert.equal(oneLine('😀😀😀😀', 3), '😀😀…'));
  it('says that it was cut, also where little is left', () =>
    assert.equal(oneLine(`a${' '.repeat(100)}b`, 3), 'a…'));
  it('keeps a text of just the limit', () => assert.equal(oneLine('abc', 3), 'abc'));
});

describe('an unreachable case', () => {
  it('names the value that no case expected', () =>
    assert.throws(() => unreachable({ kind: 'Surprise' } as never), /unreachable: \{"kind":"Surprise"\}/));
});
