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

/** What drives the hooks in a scenario. */
export interface Driver {
  /** For namespaces that scenarios keep apart. */
  readonly id: DriverId;
  /** As scenarios are named: "a Balancer on ...". */
  readonly name: string;
  /** The CompositeControllers and the CRDs of their kinds must be there. */
  start(plane: ControlPlane): Promise<{ stop(): Promise<void> }>;
}

export type DriverId = 'double' | 'binary';

/** Of the drivers that a scenario can run on, those that this run has: the double always, a real one where it is named. */
export function driversOf(...ids: readonly DriverId[]): readonly Driver[] {
  const binary = metacontrollerBinary();
  const drivers = [
    { id: 'double', name: 'the double of Metacontroller', start: startDouble } as const,
    ...(binary === undefined
      ? []
      : [
          {
            id: 'binary',
            name: 'a real Metacontroller',
            start: (plane: ControlPlane) => startMetacontroller(plane, binary),
          } as const,
        ]),
  ];
  return drivers.filter(({ id }) => ids.includes(id));
}

/** The driver of a world that nobody tests: a real Metacontroller where one is named. */
export function bestDriver(): Driver {
  const [best] = driversOf('double', 'binary').slice(-1);
  if (best === undefined) throw new Error('the double is always there');
  return best;
}

const WORKERS = 20;

/** The double over the real API, with the rights that the real one has. Its log has a line for every sync that failed. */
async function startDouble(plane: ControlPlane): Promise<{ stop(): Promise<void> }> {
  const token = await requestToken(plane, await metacontrollerAccount(plane));
  const log = (...words: readonly string[]): void => {
    const line = [rfc3339(systemClock.nowMs()), ...words].join(' ');
    appendFileSync(join(plane.directory, 'metacontroller-double.log'), `${line}\n`);
  };
  const store = createApiStore(createApiClient(plane.endpoint, token));
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
