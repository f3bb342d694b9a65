import { followControllers, listControllers, type FollowOptions } from './follow.ts';
import { earliest, type Loop, type SyncReport } from './loop.ts';

/** More syncs than that in a row at one moment, and it is a loop: a status or child that differs at every sync. */
const HOT_LOOP = 100;

/** A double of Metacontroller: the rules are in the files beside this one, each marked by its name in brackets. */
export interface Metacontroller {
  /** Runs all syncs that are due now and what they cause, until nothing is due. Throws on a hot loop. */
  settle(): Promise<readonly SyncReport[]>;
  /** Starts what is due now, as far as there are workers for it; `onSync` and `onController` hear of the ends. */
  startDue(): void;
  /** Waits for what runs. */
  idle(): Promise<void>;
  /** When something will next be due; undefined = only after an event. */
  nextDueMs(): number | undefined;
  /** Starts nothing more, and gives up what runs. */
  stop(): Promise<void>;
}

/** Starts the controllers that the store has, and from then on follows it. */
export async function startMetacontroller(options: FollowOptions): Promise<Metacontroller> {
  const { store } = options;
  let settling: SyncReport[] | undefined;
  const onSync = (report: SyncReport): void => {
    settling?.push(report);
    options.onSync?.(report);
  };
  const following = followControllers({ ...options, onSync });
  const loops = (): readonly Loop[] => [...following.loops.values()];
  const startDue = (): void => {
    following.startDue();
    for (const loop of loops()) loop.startDue();
  };
  const running = (): readonly Promise<void>[] => [
    ...following.running(),
    ...loops().flatMap((loop) => loop.running()),
  ];
  const settle = async (): Promise<readonly SyncReport[]> => {
    const reports: SyncReport[] = [];
    settling = reports;
    for (;;) {
      startDue();
      const work = running();
      if (work.length === 0) return reports;
      await Promise.race(work);
      if (reports.length > HOT_LOOP) throw new Error(`a hot loop: ${reports.at(-1)?.key ?? ''} is synced for ever`);
    }
  };
  const stopWatching = store.watch((change) => {
    following.see(change);
    for (const loop of loops()) loop.see(change);
  });
  for (const object of await listControllers(store)) following.see({ type: 'ADDED', object });
  following.startDue();
  await Promise.all(following.running());
  return {
    settle,
    startDue,
    idle: async () => {
      await Promise.all(running());
    },
    nextDueMs: () => earliest([following.nextDueMs(), ...loops().map((loop) => loop.nextDueMs())]),
    stop: async () => {
      stopWatching();
      await Promise.all(following.running());
      await Promise.all(loops().map((loop) => loop.stop()));
    },
  };
}
