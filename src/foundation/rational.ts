import Fraction from 'fraction.js';
import { certain } from './certain.ts';

/**
 * An exact rational number. A weight decided in floats is off by one in 802 of the 332,400 integer cases of
 * test/property/rebalance-law.test.ts (base 10, target 100, metric 110 gives 2 instead of 1), so the law is computed
 * exactly; fraction.js keeps BigInt terms.
 */
export type Rational = Fraction;

export const ZERO: Rational = new Fraction(0);
export const ONE: Rational = new Fraction(1);

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * The smallest float written out has 343 characters. What is longer no float is, and what is exact of it costs the square
 * of its length: of 100,000 digits after a point half a minute in which nothing else runs.
 */
const MAX_LENGTH = 400;

/**
 * The number that a decimal text means: "0.11" is 11/100, "1e+06" is a million. Undefined for anything that is not a
 * finite decimal (NaN, +Inf, an empty text), or has more than 400 characters or three digits of exponent.
 */
export function parseRational(text: string): Rational | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const match = DECIMAL.exec(text.trim());
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const scale = Number(exponent) - fraction.length;
  const digits = BigInt(sign + whole + fraction);
  return scale >= 0
    ? new Fraction(digits * 10n ** BigInt(scale))
    : new Fraction(digits, 10n ** BigInt(-scale));
}

/** A finite JavaScript number by its shortest decimal text: `rational(0.11)` is 11/100. NaN and infinities are a bug. */
export function rational(value: number): Rational {
  const parsed = parseRational(String(value));
  if (parsed === undefined) throw new Error(`not a finite number: ${value}`);
  return parsed;
}

/** Above this, as JavaScript does, a number is written with an exponent: a status does not carry 300 digits. */
const PLAIN_DIGITS = 21;

/**
 * For display only: a decimal rounded to at most 6 places, without trailing zeros ("16", "0.333333"); from 1e21 on with
 * an exponent and 6 places before it ("1e+308").
 */
export function displayRational(value: Rational): string {
  const scaled = value.mul(1_000_000).round(0);
  const digits = scaled.n.toString().padStart(7, '0');
  const sign = scaled.s < 0n && scaled.n !== 0n ? '-' : '';
  const whole = digits.slice(0, -6);
  if (whole.length > PLAIN_DIGITS) return `${sign}${withExponent(whole)}`;
  return `${sign}${whole}${fractionPart(digits.slice(-6))}`;
}

/**
 * The shortest text of the 64-bit float that a decimal text means ("3000", "0.1", "1e+308"), which is what Prometheus'
 * numbers are; beyond a float's range the decimal itself. Never an infinity.
 */
export function shortestDecimal(decimal: string): string {
  const float = Number(decimal);
  return Number.isFinite(float) ? String(float) : displayRational(certain(parseRational(decimal), decimal));
}

function withExponent(digits: string): string {
  return `${digits.slice(0, 1)}${fractionPart(digits.slice(1, 7))}e+${digits.length - 1}`;
}

function fractionPart(digits: string): string {
  const significant = digits.replace(/0+$/, '');
  return significant === '' ? '' : `.${significant}`;
}
