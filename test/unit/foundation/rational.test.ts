import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  displayRational,
  parseRational,
  rational,
  shortestDecimal,
} from '../../../src/foundation/rational.ts';

describe('a rational', () => {
  const decimals: readonly (readonly [text: string, fraction: string])[] = [
    ['3', '3'],
    ['0.11', '11/100'],
    ['1e+06', '1000000'],
    ['1E6', '1000000'],
    ['1e18', '1000000000000000000'],
    ['1e-7', '1/10000000'],
    ['-3.50', '-7/2'],
    ['+5', '5'],
    ['7.', '7'],
    [' 8 ', '8'],
  ];
  for (const [text, fraction] of decimals) {
    it(`reads the decimal text "${text}" as ${fraction}`, () =>
      assert.equal(parseRational(text)?.toFraction(), fraction));
  }
  for (const text of ['', 'NaN', '+Inf', 'Infinity', '0x10', '1,5', '1e99999', '.5', 'e5']) {
    it(`is undefined for "${text}"`, () => assert.equal(parseRational(text), undefined));
  }

  // An answer may have megabytes, and half a minute goes by for a hundred thousand digits that are computed with.
  const long: readonly (readonly [name: string, text: string])[] = [
    ['digits', '1234567'.repeat(600_000)],
    ['digits after its point', `0.${'1234567'.repeat(600_000)}`],
    ['digits of exponent', '1e9999'],
    ['digits of exponent, downwards', '1234567e-9999'],
  ];
  for (const [name, text] of long) {
    it(`is none of more ${name} than a float can have`, () => assert.equal(parseRational(text), undefined));
  }
  it('is every float, written out too', () => {
    const smallest = `-0.${'0'.repeat(323)}49406564584124654`;
    assert.equal(Number(smallest), -Number.MIN_VALUE);
    for (const text of [smallest, `1${'0'.repeat(308)}`, '5e-324', '1.7976931348623157e+308'])
      assert.ok(parseRational(text) !== undefined, text);
  });

  it('takes a number by its shortest decimal text', () =>
    assert.equal(rational(0.11).toFraction(), '11/100'));
  it('throws for a number that is not finite: that is a bug of the caller', () =>
    assert.throws(() => rational(Number.NaN), /not a finite number: NaN/));
  it('decides where a float is one too high: base 10, target 100, metric 110 is 1', () => {
    assert.equal(Math.ceil(10 * (110 / 100 - 1)), 2);
    assert.equal(rational(10).mul(rational(110).div(100).sub(1)).ceil().toFraction(), '1');
  });
  it('is exactly digits times a power of ten, however large or small', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 18n), 10n ** 18n),
        fc.integer({ min: -300, max: 300 }),
        (digits, exponent) => {
          const value = parseRational(`${digits}e${exponent}`);
          assert.ok(value !== undefined);
          const [left, right] =
            exponent >= 0 ? [1n, digits * 10n ** BigInt(exponent)] : [10n ** BigInt(-exponent), digits];
          assert.equal(value.s * value.n * left, right * value.d);
        },
      ),
      { seed: 20_261_130, numRuns: 2000 },
    );
  });

  const displayed: readonly (readonly [text: string, shown: string])[] = [
    ['16', '16'],
    ['0', '0'],
    ['0.5', '0.5'],
    ['-0.5', '-0.5'],
    ['0.3333333', '0.333333'],
    ['0.0000001', '0'],
    ['-0.0000001', '0'],
    ['12.3450000', '12.345'],
    ['1000000.000001', '1000000.000001'],
    ['999999999999999999999', '999999999999999999999'],
    ['1e21', '1e+21'],
    ['-1234567890123456789012', '-1.234567e+21'],
    ['1.7976931348623157e+308', '1.797693e+308'],
  ];
  for (const [text, shown] of displayed) {
    it(`shows ${text} as ${shown}`, () => {
      const value = parseRational(text);
      assert.ok(value !== undefined);
      assert.equal(displayRational(value), shown);
    });
  }

  const shortest: readonly (readonly [text: string, shown: string])[] = [
    ['3000.00', '3000'],
    ['1e+06', '1000000'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['-0', '0'],
    ['1e-7', '1e-7'],
    ['1e400', '1e+400'],
  ];
  for (const [text, shown] of shortest) {
    it(`has ${shown} as the shortest text of ${text}`, () => assert.equal(shortestDecimal(text), shown));
  }
});
