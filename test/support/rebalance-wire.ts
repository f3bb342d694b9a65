import { wireSpec } from './rebalance.ts';

export type Wire = Readonly<Record<string, unknown>>;

/** Where the parts of a Rebalance stand below spec. */
export const POLICY = 'policy.targettracking';
export const ROUTE53 = 'target.route53';
export const PROMETHEUS = 'metrics.prometheus';

/** The example with one part replaced, by its path below spec. */
export function withPart(path: string, value: unknown): Wire {
  const copy = structuredClone(wireSpec()) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let node: Record<string, unknown> = copy;
  for (const key of keys) node = (node[key] ??= {}) as Record<string, unknown>;
  node[last] = value;
  return copy;
}

/** The example with a list of records in place of its one. */
export function withRecords(...resources: readonly Wire[]): Wire {
  const resource = { name: 'example.com', type: 'A' };
  return { ...wireSpec(), target: { route53: { hostedZoneID: 'Z1', resource, resources } } };
}

/** A list of one scheduled floor, from 19:00 to 23:00 at 20. */
export function floor(more: Wire = {}): readonly [Wire] {
  return [{ startTime: '19:00', endTime: '23:00', value: 20, ...more }];
}

export function query(more: Wire = {}): Wire {
  return { address: 'http://prometheus:9090', query: 'load', ...more };
}

/** An additional metric whose query has `more`. */
export function additional(name: string, more?: Wire): Wire {
  return { name, targetValue: 10, prometheus: query(more) };
}

export function guard(name: string): Wire {
  return { name, stops: 'Both', prometheus: query() };
}

/** The example by signal load. */
export const loadSpec = wireSpec({ signal: 'load' }, { metrics: { prometheus: query({ window: '1m' }) } });

/** What a client of OAuth2 shows of itself. */
export const CLIENT = {
  clientIDSecretRef: { name: 'client', key: 'id' },
  clientSecretSecretRef: { name: 'client', key: 'secret' },
};

/** A spec that no Rebalance may have, and the lines that say why. */
export interface Refused {
  /** What is wrong with it. */
  readonly name: string;
  readonly spec: unknown;
  readonly problems: readonly string[];
}
