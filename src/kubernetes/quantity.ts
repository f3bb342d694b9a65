import { certain } from '../foundation/certain.ts';

/**
 * What a quantity may look like: k8s.io/apimachinery resource.Quantity without a minus (no resource is below zero) and
 * with exponents of at most two digits. RE2 and JavaScript read it alike, so the CRD carries the same pattern.
 */
export const QUANTITY_PATTERN =
  '^\\+?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?$';

export const QUANTITY_MAX_LENGTH = 64;

export const QUANTITY_EXPECTED =
  'expected a quantity such as 500m, 2 or 1.5Gi, not negative and below 2 to the power of 63';

const QUANTITY = new RegExp(QUANTITY_PATTERN);

/** Steps of 1000, from nano up; steps of 1024. */
const DECIMAL_SUFFIXES: readonly string[] = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const MILLI_STEP = DECIMAL_SUFFIXES.indexOf('m');
const NANO_DIGITS = 9;
const BINARY_SUFFIXES: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/**
 * The smallest unit that is stored in a list of resources; anything finer is rounded up to it (SetDefaults_ResourceList of
 * k8s.io/kubernetes pkg/apis/core/v1): `100u` -> `1m`.
 */
const MILLI_DIGITS = 3;
const MILLI = 10n ** BigInt(MILLI_DIGITS);
const MAX_MILLI = (2n ** 63n - 1n) * MILLI;

type Format = 'DecimalSI' | 'DecimalExponent' | 'BinarySI';

/**
 * A quantity in the form that the API server stores as it is (`1000m` -> `1`, `1024Mi` -> `1Gi`, `1.5Gi` -> `1536Mi`,
 * 0.5 -> `500m`, 1000 -> `1k`), or undefined where it is none. A form that it changes would differ from what is stored
 * for ever, and be written at every sync. Rules: CanonicalizeBytes of k8s.io/apimachinery pkg/api/resource (which keeps
 * some other spellings too, such as `1.500G`); what Go caps at 2^63-1 or misprints above it (`1000E` is stored as `1`)
 * is refused.
 */
export function canonicalQuantity(input: string | number): string | undefined {
  const text = String(input);
  const match = text.length > QUANTITY_MAX_LENGTH ? null : QUANTITY.exec(text);
  if (match === null) return undefined;
  const [, number = '', , suffix = ''] = match;
  const [whole = '', fraction = ''] = number.split('.');
  const { format, power2, power10 } = readSuffix(suffix);
  const exponent = power10 - fraction.length + MILLI_DIGITS;
  const milli = shift10(BigInt(whole + fraction) * 2n ** BigInt(power2), exponent);
  if (milli > MAX_MILLI) return undefined;
  if (milli === 0n) return '0';
  const isWholeBinary = format === 'BinarySI' && milli % MILLI === 0n && milli >= 1024n * MILLI;
  if (isWholeBinary) return binary(milli / MILLI);
  return decimal(milli, format === 'DecimalExponent' ? 'DecimalExponent' : 'DecimalSI');
}

function readSuffix(suffix: string): {
  readonly format: Format;
  readonly power2: number;
  readonly power10: number;
} {
  const binaryStep = BINARY_SUFFIXES.indexOf(suffix);
  if (binaryStep > 0) return { format: 'BinarySI', power2: binaryStep * 10, power10: 0 };
  const decimalStep = DECIMAL_SUFFIXES.indexOf(suffix);
  if (decimalStep >= 0) return { format: 'DecimalSI', power2: 0, power10: decimalStep * 3 - NANO_DIGITS };
  return { format: 'DecimalExponent', power2: 0, power10: Number(suffix.slice(1)) };
}

/** value * 10^exponent, rounded up: who asks for a little gets a little, not nothing. */
function shift10(value: bigint, exponent: number): bigint {
  if (exponent >= 0) return value * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return (value + divisor - 1n) / divisor;
}

/** The largest power of 1024 that divides `value` becomes its suffix. */
function binary(value: bigint): string {
  const { mantissa, step } = divideOut(value, 1024n);
  return `${mantissa}${certain(BINARY_SUFFIXES[step], 'a suffix, for no quantity is above 2^63')}`;
}

/** The largest power of 1000 that divides `milli` becomes its suffix or exponent. */
function decimal(milli: bigint, format: 'DecimalSI' | 'DecimalExponent'): string {
  const { mantissa, step } = divideOut(milli, 1000n);
  if (format === 'DecimalSI')
    return `${mantissa}${certain(DECIMAL_SUFFIXES[MILLI_STEP + step], 'a suffix, for no quantity is above 2^63')}`;
  const exponent = step * 3 - MILLI_DIGITS;
  return exponent === 0 ? String(mantissa) : `${mantissa}e${exponent}`;
}

/** value = mantissa * base^step with the largest step there is; `value` is above 0. */
function divideOut(value: bigint, base: bigint): { readonly mantissa: bigint; readonly step: number } {
  let mantissa = value;
  let step = 0;
  while (mantissa % base === 0n) {
    mantissa /= base;
    step += 1;
  }
  return { mantissa, step };
}
