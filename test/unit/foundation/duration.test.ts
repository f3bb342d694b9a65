import assert from 'node:assert/strict';
import { GO_DURATION_PATTERN, parseGoDuration } from '../../../src/foundation/duration.ts';

const MALFORMED = 'expected a Go duration such as 90s or 1h30m';

describe('a Go duration', () => {
  const rows: readonly { readonly name: string; readonly text: string; readonly milliseconds: number }[] = [
    { name: 'reads one unit', text: '90s', milliseconds: 90_000 },
    { name: 'adds the terms up', text: '1h30m', milliseconds: 5_400_000 },
    { name: 'takes terms in any order, as Go does', text: '30m1h', milliseconds: 5_400_000 },
    { name: 'reads a fraction exactly', text: '1.5h', milliseconds: 5_400_000 },
    { name: 'reads a number that ends in a point', text: '1.s', milliseconds: 1_000 },
    { name: 'reads milliseconds', text: '500ms', milliseconds: 500 },
    { name: 'reads microseconds in each spelling', text: '1000us1000µs1000μs', milliseconds: 3 },
    { name: 'truncates what is below a millisecond', text: '1999999ns', milliseconds: 1 },
    { name: 'takes a bare 0', text: '0', milliseconds: 0 },
    { name: 'takes 0s', text: '0s', milliseconds: 0 },
    { name: 'is exact where a float would not be', text: '0.3s', milliseconds: 300 },
  ];
  for (const { name, text, milliseconds } of rows) {
    it(`${name}: ${text}`, () => assert.deepEqual(parseGoDuration(text), { ok: true, value: milliseconds }));
  }

  const malformed: readonly { readonly name: string; readonly text: string }[] = [
    { name: 'an empty text', text: '' },
    { name: 'a number without a unit', text: '60' },
    { name: 'a unit without a number', text: 's' },
    { name: 'a unit that Go does not have', text: '1d' },
    { name: 'a sign: no field of ours means anything by it', text: '-1s' },
    { name: 'space between terms', text: '1h 30m' },
    { name: 'a point without digits before it', text: '.5s' },
  ];
  for (const { name, text } of malformed) {
    it(`refuses ${name}: "${text}"`, () =>
      assert.deepEqual(parseGoDuration(text), { ok: false, error: MALFORMED }));
  }

  it('is in a schema what the parser takes, but a bare 0', () => {
    const texts = [...rows, ...malformed].map(({ text }) => text);
    assert.deepEqual(
      texts.filter((text) => new RegExp(GO_DURATION_PATTERN).test(text)),
      rows.map(({ text }) => text).filter((text) => text !== '0'),
    );
  });
});
