import { isIP } from 'node:net';
import { parseGoDuration } from '../foundation/duration.ts';
import { parseJson } from '../foundation/json.ts';
import { isRecord } from '../foundation/record.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import type { JsonObject } from '../kubernetes/objects.ts';
import type { AllowedAddress } from '../rebalance/metrics/address-policy.ts';

/**
 * How the text of a flag becomes a value. An error is a clause that follows "expected", with an example where one helps;
 * it never repeats the text, which the caller quotes.
 */
export type ParseText<T> = (text: string) => Result<T, string>;

/** `true` or `false`, in this spelling. */
export function parseBoolean(text: string): Result<boolean, string> {
  if (text === 'true') return ok(true);
  if (text === 'false') return ok(false);
  return err('true or false');
}

/** A TCP port that something can be reached at; 0 is none. */
export function parsePort(text: string): Result<number, string> {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? ok(port) : err('a port from 1 to 65535');
}

/** An integer from `min` to `max`. */
export function parseIntegerBetween(min: number, max: number): ParseText<number> {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    return value >= min && value <= max ? ok(value) : err(`an integer from ${min} to ${max}`);
  };
}

/** `host:port`, `[ipv6]:port` or `:port` (every address); port 0 lets the system choose a free one. */
export function parseListenAddress(
  text: string,
): Result<{ readonly host: string; readonly port: number }, string> {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) return err('host:port such as 0.0.0.0:8080 or [::1]:8080');
  const host = match[1] ?? match[2] ?? '';
  return ok({ host: host === '' ? '0.0.0.0' : host, port });
}

/** A Go duration within bounds; `range` says them in the words of the error. */
export function parseDurationBetween(minMs: number, maxMs: number, range: string): ParseText<number> {
  return (text) => {
    const parsed = parseGoDuration(text);
    const inside = parsed.ok && parsed.value >= minMs && parsed.value <= maxMs;
    return inside ? parsed : err(`a Go duration ${range}`);
  };
}

const BYTES_PER_UNIT = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 } as const;

/** A number of bytes, with an optional binary unit: `8388608`, `8MiB`. At least 1 KiB, at most 1 GiB. */
export function parseBytes(text: string): Result<number, string> {
  const match = /^(\d{1,10})(KiB|MiB|GiB|)$/.exec(text);
  const unit = (match?.[2] ?? '') as keyof typeof BYTES_PER_UNIT;
  const bytes = Number(match?.[1]) * BYTES_PER_UNIT[unit];
  return bytes >= BYTES_PER_UNIT.KiB && bytes <= BYTES_PER_UNIT.GiB
    ? ok(bytes)
    : err('a size from 1KiB to 1GiB such as 8MiB');
}

/** An http or https URL, given as it is written. */
export function parseHttpUrl(text: string): Result<string, string> {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isHttp ? ok(text) : err('an http(s) URL such as http://127.0.0.1:5000');
}

/** Any text but the empty one. */
export function parseText(text: string): Result<string, string> {
  return text === '' ? err('a text that is not empty') : ok(text);
}

/** One of the keys of `choices`, giving its value. */
export function parseChoice<T>(choices: Readonly<Record<string, T>>): ParseText<T> {
  return (text) => {
    const found = Object.entries(choices).find(([name]) => name === text);
    return found === undefined ? err(`one of ${Object.keys(choices).join(', ')}`) : ok(found[1]);
  };
}

/** A comma-separated list without repetition, at least one of `names`. */
export function parseSetOf<T extends string>(names: readonly T[]): ParseText<ReadonlySet<T>> {
  return (text) => {
    const given = text.split(',').map((part) => part.trim());
    const known = names.filter((name) => given.includes(name));
    return known.length > 0 && given.every((part) => names.some((name) => name === part))
      ? ok(new Set(known))
      : err(`${names.join(', ')} or several of them separated by commas`);
  };
}

/** JSON of one object. */
export function parseJsonObject(text: string): Result<JsonObject, string> {
  const json = parseJson(text);
  return isJsonObject(json) ? ok(json) : err('a JSON object');
}

/** JSON of one object or of an array of objects: the second is how an environment variable holds several. */
export function parseJsonObjects(text: string): Result<readonly JsonObject[], string> {
  const json = parseJson(text);
  if (isJsonObject(json)) return ok([json]);
  return Array.isArray(json) && json.every(isJsonObject)
    ? ok(json)
    : err('a JSON object or an array of them');
}

/** `key=value`, or several separated by commas (neither a label key nor a label value can hold one). */
export function parseKeyValues(text: string): Result<readonly (readonly [string, string])[], string> {
  const pairs = text.split(',').map((part) => /^\s*([^=\s]+)=([^=\s]*)\s*$/.exec(part));
  return pairs.every((pair) => pair !== null)
    ? ok(pairs.map(([, key = '', value = '']) => [key, value] as const))
    : err('key=value, or several separated by commas');
}

/** Hosts, addresses and networks (CIDR), separated by commas. */
export function parseAllowedAddresses(text: string): Result<readonly AllowedAddress[], string> {
  const allowed = text.split(',').map((part) => parseAllowedAddress(part.trim()));
  return allowed.every((each) => each !== undefined)
    ? ok(allowed)
    : err('hosts such as prometheus.monitoring.svc or *.example.com and networks such as 10.0.0.0/8');
}

function parseAllowedAddress(text: string): AllowedAddress | undefined {
  const [address = '', bits] = text.split('/', 2);
  const family = isIP(address);
  if (family !== 0) {
    const longest = family === 4 ? 32 : 128;
    const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
    const isNetwork = prefix <= longest && text.split('/').length <= 2 && !address.includes('%');
    return isNetwork ? { kind: 'Network', address, prefix } : undefined;
  }
  const name = text.toLowerCase().replace(/\.$/, '');
  // What looks like an address and is none, such as 10.0.0 or 10.0.0.256, is no host either.
  return /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name) && !/(^|\.)\d+$/.test(name)
    ? { kind: 'Host', name }
    : undefined;
}

/** What JSON has parsed holds nothing but JSON. */
function isJsonObject(json: unknown): json is JsonObject {
  return isRecord(json);
}
