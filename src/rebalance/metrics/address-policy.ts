import { BlockList, isIP } from 'node:net';

/** What an operator allows to be called. */
export type AllowedAddress =
  /** A host by its name, in lower case, without a dot at its end; with `*.` in front every host below it. */
  | { readonly kind: 'Host'; readonly name: string }
  /** `prefix`: leading bits that count. */
  | { readonly kind: 'Network'; readonly address: string; readonly prefix: number };

export type AddressVerdict = 'Allowed' | AddressRefusal;
/** `Never`: whatever the operator allows. */
export type AddressRefusal = 'Never' | 'NotListed';

/** Where queries and token requests may go. */
export interface AddressPolicy {
  /** Whether `host` may be called at `address`, which is one that it resolved to, or the host itself. */
  judge(host: string, address: string): AddressVerdict;
}

/**
 * Networks where nobody's Prometheus is, but what a request forged by a spec would be after: RFC 6890 (this network, link
 * local, multicast, reserved), the metadata services of clouds (all link local but those named), and the local services of
 * EC2 over IPv6.
 */
const NEVER_IPV4: readonly (readonly [address: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
];
const NEVER_IPV6: readonly (readonly [address: string, prefix: number])[] = [
  ['::', 128],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
  ['fd20:ce::254', 128],
];
/** IPv4-compatible addresses, which have long been given up (RFC 4291, 2.5.5.1); the first two are none. */
const COMPATIBLE = ['::2', '::ffff:ffff'] as const;
/**
 * Where else an IPv4 address stands in IPv6: translated (RFC 6052, RFC 8215, RFC 2765) and tunnelled (RFC 3056). Mapped ones
 * (`::ffff:`) BlockList knows by itself; a prefix that a network has chosen for its own translation nobody can know.
 */
const IPV4_IN_IPV6: readonly ((hex: string) => string)[] = [
  (hex) => `64:ff9b::${hex}`,
  (hex) => `64:ff9b:1::${hex}`,
  (hex) => `::ffff:0:${hex}`,
  (hex) => `2002:${hex}::`,
];

/** `allowed` empty: every address but those that are never called; loopback too, where sidecars and demos are. */
export function createAddressPolicy(allowed: readonly AllowedAddress[] = []): AddressPolicy {
  const networks = new BlockList();
  const hosts: string[] = [];
  for (const each of allowed) {
    if (each.kind === 'Host') hosts.push(each.name);
    else networks.addSubnet(each.address, each.prefix, familyOf(each.address));
  }
  const isListed = (host: string, address: string): boolean =>
    allowed.length === 0 ||
    networks.check(address, familyOf(address)) ||
    hosts.some((name) => isHost(name, host));
  return {
    judge: (host, address) => {
      if (isIP(address) === 0 || NEVER.check(address, familyOf(address))) return 'Never';
      return isListed(host, address) ? 'Allowed' : 'NotListed';
    },
  };
}

/** The address that a URL's host is already, without the brackets of IPv6; undefined: a name to be resolved. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

const NEVER = neverCalled();

function neverCalled(): BlockList {
  const list = new BlockList();
  list.addRange(...COMPATIBLE, 'ipv6');
  for (const [address, prefix] of NEVER_IPV6) list.addSubnet(address, prefix, 'ipv6');
  for (const [address, prefix] of NEVER_IPV4) {
    list.addSubnet(address, prefix, 'ipv4');
    for (const inIpv6 of IPV4_IN_IPV6) {
      const start = inIpv6(hexOf(address));
      list.addSubnet(start, prefix + (start.startsWith('2002:') ? 16 : 96), 'ipv6');
    }
  }
  return list;
}

/** `169.254.0.0` is `a9fe:0000`. */
function hexOf(ipv4: string): string {
  const hex = ipv4
    .split('.')
    .map((byte) => Number(byte).toString(16).padStart(2, '0'))
    .join('');
  return `${hex.slice(0, 4)}:${hex.slice(4)}`;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

function isHost(name: string, host: string): boolean {
  const bare = host.toLowerCase().replace(/\.$/, '');
  return name.startsWith('*.') ? bare.endsWith(name.slice(1)) : bare === name;
}
