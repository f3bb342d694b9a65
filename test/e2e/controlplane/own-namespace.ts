import { createZone, type Zone } from '../zone.ts';
import type { Cluster } from './cluster.ts';
import type { ControlPlane } from './control-plane.ts';
import type { ClusterDriver, Driver } from './drivers.ts';
import { createNamespace } from './objects.ts';
import { sharedWorld } from './shared.ts';
import type { World } from './world.ts';

/** What a suite has once its `before` has run. */
export interface Own<Plane extends Cluster> {
  readonly plane: Plane;
  readonly world: World;
}

/**
 * Around the suite: the shared world, driven by `driver`, and a namespace of the suite's own. `parents` are the kinds
 * that it deletes there in the end, with kubectl's `flags`.
 */
export function useNamespace(
  driver: Driver,
  namespace: string,
  parents: string,
  ...flags: readonly string[]
): Own<ControlPlane>;
export function useNamespace(
  driver: Driver | ClusterDriver,
  namespace: string,
  parents: string,
  ...flags: readonly string[]
): Own<Cluster>;
export function useNamespace(
  driver: Driver | ClusterDriver,
  namespace: string,
  parents: string,
  ...flags: readonly string[]
): Own<Cluster> {
  let own: (World & { readonly plane: Cluster }) | undefined;
  const given = (): World & { readonly plane: Cluster } => {
    if (own === undefined) throw new Error(`asked for the world of ${namespace} before it was there`);
    return own;
  };
  before(async function () {
    own = await sharedWorld(this, driver);
    await createNamespace(own.plane, namespace);
  });
  after(async () => {
    await own?.plane.kubectl(['delete', parents, '--all', '-n', namespace, ...flags]);
  });
  return {
    get plane() {
      return given().plane;
    },
    get world() {
      return given();
    },
  };
}

/** A load that is called `name`, as Prometheus has it now, and the zone <name>.example: two records of weight 8, ours "aws". */
export async function showLoad(world: World, name: string, value: string): Promise<Zone> {
  world.exporter.show({ name, value });
  await world.prometheus.waitFor(name, value);
  const domain = `${name}.example`;
  const zone = await createZone(world.moto.url, domain);
  const record = { Name: domain, Type: 'A', TTL: 60, Weight: 8 } as const;
  await zone.put(
    { ...record, SetIdentifier: 'onprem', ResourceRecords: [{ Value: '192.0.2.1' }] },
    { ...record, SetIdentifier: 'aws', ResourceRecords: [{ Value: '192.0.2.2' }] },
  );
  return zone;
}
