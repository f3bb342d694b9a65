import type { Random } from './random.ts';

/** One body to post, as bytes, and how it was made. */
export interface FuzzBody {
  readonly kind: 'structured' | 'text' | 'bytes';
  readonly bytes: Buffer;
}

type Container = Record<string | number, unknown>;

/** Values that no field expects, and some that many do. */
const VALUES: readonly [unknown, ...unknown[]] = [
  null, true, false, '', 'x', '9', ' ', '24:00', '1m', '-5m', '999999h', -1, 0, 1, 1.5, 255, 256, 65_536, 2 ** 53, 1e308,
  [], {}, [null], [[]], [{}], { a: null }, '\u0000\u2028\u202e', '\ud800', 'x'.repeat(5_000), '__proto__', 'constructor',
  'toString', 'hasOwnProperty', '2026-03-04T12:00:00Z', '2999-01-01T00:00:00Z', 'Balancer', 'Deployment', 'apps/v1', 'v1',
  'mzabc-balancerd', '{"spec":{}}', '{', 'http://127.0.0.1:1/', 'http://169.254.169.254/', 'ECDSA', 'RSA',
]; // prettier-ignore

const KEYS: readonly [string, ...string[]] = [
  '__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'length', '', ' ', 'a.b/c', 'Service.v1',
  'labels', 'annotations', 'name', 'namespace', 'uid', 'generation', 'deletionTimestamp', 'ownerReferences', 'status', 'spec',
  'suspend', 'dryRun', 'then', 'kind', 'x'.repeat(300),
]; // prettier-ignore

/** A body made of a whole one by a few wounds; or a text or bytes that are hardly JSON. */
export function fuzzBody(random: Random, whole: unknown): FuzzBody {
  if (random.oneIn(10))
    return {
      kind: 'bytes',
      bytes: Buffer.from(Array.from({ length: random.below(300) }, () => random.below(256))),
    };
  const body = copyOf(whole);
  for (let wounds = random.below(5); wounds >= 0; wounds -= 1) wound(random, body as Container);
  const bytes = Buffer.from(JSON.stringify(body));
  return random.oneIn(8) ? { kind: 'text', bytes: tear(random, bytes) } : { kind: 'structured', bytes };
}

/** Walks down a random way and does something there; containers near the top are hit as often as leaves. */
function wound(random: Random, body: Container): void {
  let at = body;
  for (let depth = random.below(9); depth > 0; depth -= 1) {
    const below = Object.values(at).filter((value) => typeof value === 'object' && value !== null);
    const next = below[random.below(below.length)];
    if (next === undefined) break;
    at = next as Container;
  }
  const keys = Object.keys(at);
  const key = keys[random.below(keys.length)] ?? random.pick(KEYS);
  WOUNDS[random.below(WOUNDS.length)]?.(random, at, key, body);
}

type Wound = (random: Random, at: Container, key: string, body: Container) => void;

const WOUNDS: readonly Wound[] = [
  (random, at, key) => put(at, key, copyOf(random.pick(VALUES))),
  (random, at, key) => put(at, key, copyOf(random.pick(VALUES))),
  (_random, at, key) => void Reflect.deleteProperty(at, key),
  (random, at) => put(at, random.pick(KEYS), copyOf(random.pick(VALUES))),
  // The same thing under another name, at another place, or twice.
  (random, at, key) => put(at, random.pick(KEYS), copyOf(own(at, key))),
  (random, at, key, body) =>
    put(body, random.pick(['parent', 'children', 'related', 'finalizing']), copyOf(own(at, key))),
  (_random, at, key) => put(at, `${key}-2`, copyOf(own(at, key))),
  // A letter of a text.
  (random, at, key) => {
    const value = own(at, key);
    if (typeof value !== 'string') return;
    const place = random.below(value.length + 1);
    put(
      at,
      key,
      value.slice(0, place) +
        String.fromCharCode(random.below(0x3000)) +
        value.slice(place + random.below(2)),
    );
  },
  (random, at, key) => put(at, key, deep(random.pick([3, 70, 600]))),
  (random, at, key) =>
    put(at, key, {
      ['__proto__']: { polluted: random.below(9) },
      constructor: { prototype: { polluted: 1 } },
    }),
];

function copyOf(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}

function own(at: Container, key: string): unknown {
  return Object.hasOwn(at, key) ? at[key] : undefined;
}

/** As JSON.parse would: an own property, whatever its name. */
function put(at: Container, key: string, value: unknown): void {
  if (Array.isArray(at) && !/^\d+$/.test(key)) at.push(value);
  else Object.defineProperty(at, key, { value, writable: true, enumerable: true, configurable: true });
}

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

function tear(random: Random, bytes: Buffer): Buffer {
  const torn = Buffer.from(bytes);
  switch (random.below(3)) {
    case 0:
      return torn.subarray(0, random.below(torn.length));
    case 1: {
      const at = random.below(torn.length);
      return Buffer.concat([torn.subarray(0, at), torn.subarray(random.below(torn.length))]);
    }
    default:
      for (let flips = random.below(8); flips >= 0; flips -= 1)
        torn[random.below(torn.length)] = random.below(256);
      return torn;
  }
}
