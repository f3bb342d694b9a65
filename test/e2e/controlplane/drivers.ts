import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { rfc3339, systemClock } from '../../../src/foundation/clock.ts';
import { startLive } from '../../support/metacontroller/live.ts';
import type { SyncReport } from '../../support/metacontroller/loop.ts';
import { createApiClient } from './api-client.ts';
import { createApiStore } from './api-store.ts';
import type { ControlPlane } from './control-plane.ts';
import { metacontrollerAccount, metacontrollerBinary, startMetacontroller } from './metacontroller.ts';
import { requestToken } from './service-account.ts';

interface Named {
  /** For namespaces that scenarios keep apart. */
  readonly id: string;
  /** As scenarios are named: "a Balancer on ...". */
  readonly name: string;
}

/** What drives the hooks in a scenario on our own control plane. */
export interface Driver extends Named {
  readonly kind: 'double' | 'binary';
  /** The CompositeControllers and the CRDs of their kinds must be there. */
  start(plane: ControlPlane): Promise<{ stop(): Promise<void> }>;
}

/** A cluster that has a Metacontroller. */
export interface ClusterDriver extends Named {
  readonly kind: 'cluster';
  readonly kubeconfig: string;
}

type AnyDriver = Driver | ClusterDriver;

/**
 * Of the drivers that a scenario can run on, those that this run has: the double always, a real Metacontroller where
 * METACONTROLLER_BIN names one, a cluster where E2E_KUBECONFIG does.
 */
export function driversOf<Kind extends AnyDriver['kind']>(
  ...kinds: readonly Kind[]
): readonly Extract<AnyDriver, { readonly kind: Kind }>[];
export function driversOf(...kinds: readonly AnyDriver['kind'][]): readonly AnyDriver[] {
  return [theDouble(), theBinary(), theCluster()]
    .filter((driver) => driver !== undefined)
    .filter(({ kind }) => kinds.includes(kind));
}

function theDouble(): Driver {
  return { kind: 'double', id: 'double', name: 'the double of Metacontroller', start: startDouble };
}

function theBinary(): Driver | undefined {
  const binary = metacontrollerBinary();
  if (binary === undefined) return undefined;
  const start: Driver['start'] = (plane) => startMetacontroller(plane, binary);
  return { kind: 'binary', id: 'binary', name: 'a real Metacontroller', start };
}

/** Names of the run: what it puts into the cluster meets no other run's. */
const RUN = randomBytes(3).toString('hex');

function theCluster(): ClusterDriver | undefined {
  const kubeconfig = process.env['E2E_KUBECONFIG'];
  if (kubeconfig === undefined || kubeconfig === '') return undefined;
  return { kind: 'cluster', id: `e2e-${RUN}`, name: 'an existing cluster', kubeconfig };
}

/** The driver of a world that nobody tests: a real Metacontroller where one is named. */
export function bestDriver(): Driver {
  return theBinary() ?? theDouble();
}

const WORKERS = 200;

/** The double over the real API, with the rights that the real one has. Its log has a line for every sync that failed. */
async function startDouble(plane: ControlPlane): Promise<{ stop(): Promise<void> }> {
  const token = await requestToken(plane, await metacontrollerAccount(plane));
  const log = (...words: readonly string[]): void => {
    const line = [rfc3339(systemClock.nowMs()), ...words].join(' ');
    appendFileSync(join(plane.directory, 'metacontroller-double.log'), `${line}\n`);
  };
  const store = createApiStore(createApiClient(plane.endpoint, token), log);
  const live = await startLive({
    store,
    clock: systemClock,
    workers: WORKERS,
    onSync: (report) => {
      for (const line of failuresIn(report)) log(report.controller, report.key, line);
    },
    onController: ({ controller, failure }) => log(controller, failure?.message ?? 'is followed'),
  });
  return {
    stop: async () => {
      await live.stop();
      store.close();
    },
  };
}

function failuresIn({ outcome }: SyncReport): readonly string[] {
  if (outcome.kind === 'Failed' || outcome.kind === 'Unclaimed') return [outcome.message];
  return outcome.kind === 'Synced' ? outcome.failures : [];
}
