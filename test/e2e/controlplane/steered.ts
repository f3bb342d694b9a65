import { arrived, notYet, waitFor } from '../../support/wait.ts';
import { createZone, type Zone } from '../zone.ts';
import type { Cluster } from './cluster.ts';
import { rebalancesIn, type Rebalances, type StoredRebalance } from './rebalances.ts';
import type { World } from './world.ts';

/** What the outside has been asked about one Rebalance so far. */
export interface Asked {
  readonly queries: number;
  /** Calls of Route 53 about its zone, and how many of them were to change it. */
  readonly calls: number;
  readonly changes: number;
}

/** One Rebalance, with a load and a zone that it shares with no other: two records of a name, `onprem` with 8 and ours. */
export interface Steered {
  readonly name: string;
  readonly zone: Zone;
  readonly query: string;
  /** A whole spec with the README's numbers: 1000 for the target, 8 for the base; `tracking` goes into its policy. */
  spec(others?: object, tracking?: object): { readonly target: { readonly route53: object } };
  apply(spec: object): Promise<void>;
  read(): Promise<StoredRebalance>;
  until(what: string, holds: Parameters<Rebalances['until']>[2]): Promise<StoredRebalance>;
  /** The reason of the condition, once the spec that stands now was attempted. */
  untilReason(type: string, reason: string): Promise<StoredRebalance>;
  /** Shows a load, and waits until Prometheus has it. */
  load(value: number): Promise<void>;
  untilWeight(weight: number): Promise<void>;
  asked(): Asked;
  /** When its queries came, by `performance.now()`. */
  queriedAtMs(): readonly number[];
}

const LATE = { deadlineMs: 30_000 };

/** Sets the scene for a Rebalance of that name: the load is 3000, our weight 1, the Rebalance itself not applied yet. */
export async function steer(
  plane: Cluster,
  { exporter, prometheus, queries, route53, moto }: World,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Promise<Steered> {
  const domain = `${name}.example`;
  const query = `load_${name.replaceAll('-', '_')}`;
  const rebalances = rebalancesIn(plane, namespace);
  const zone = await createZone(moto.url, domain);
  const record = { Name: domain, Type: 'A', TTL: 60 } as const;
  await zone.put(
    { ...record, SetIdentifier: 'onprem', Weight: 8, ResourceRecords: [{ Value: '192.0.2.1' }] },
    { ...record, SetIdentifier: 'aws', Weight: 1, ResourceRecords: [{ Value: '192.0.2.2' }] },
  );
  const load = async (value: number): Promise<void> => {
    exporter.set({ name: query, value: String(value) });
    await prometheus.waitFor(query, String(value));
  };
  await load(3000);
  const [queriedBefore, calledBefore] = [queries.requests.length, route53.requests.length];
  const queried = () =>
    queries.requests.slice(queriedBefore).filter(({ path }) => path.includes(`query=${query}`));
  const called = () =>
    route53.requests.slice(calledBefore).filter(({ path }) => path.includes(`/${zone.id}/`));
  const until: Steered['until'] = (what, holds) => rebalances.until(name, what, holds);
  return {
    name,
    zone,
    query,
    spec: (others = {}, tracking = {}) => ({
      interval: '1h',
      policy: { targettracking: { targetValue: 1000, baseValue: 8, ...tracking } },
      target: {
        route53: {
          hostedZoneID: `hostedzone/${zone.id}`,
          region: 'us-east-1',
          resource: { name: domain, type: 'A', identifier: 'aws' },
        },
      },
      metrics: { prometheus: { address: queries.url, query } },
      ...others,
    }),
    apply: (spec) => rebalances.apply(name, spec),
    read: () => rebalances.read(name),
    until,
    untilReason: (type, reason) =>
      until(`${type} ${reason}`, ({ conditions = [] }) =>
        conditions.some((condition) => condition.type === type && condition.reason === reason),
      ),
    load,
    untilWeight: async (weight) =>
      waitFor(`weight ${weight} in ${domain}`, LATE, async () => {
        const seen = await zone.weightOf('aws');
        return seen === weight ? arrived(undefined) : notYet(`weight ${seen ?? 'absent'}`);
      }),
    asked: () => ({
      queries: queried().length,
      calls: called().length,
      changes: called().filter(({ method }) => method === 'POST').length,
    }),
    queriedAtMs: () => queried().map(({ atMs }) => atMs),
  };
}
