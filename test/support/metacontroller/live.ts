import type { FollowOptions } from './follow.ts';
import { startMetacontroller } from './metacontroller.ts';

/** A Metacontroller that runs by itself, in real time. */
export interface LiveMetacontroller {
  /** Starts no further sync, and gives up those that run. */
  stop(): Promise<void>;
}

/** What fell due just now, or waits for a worker, is looked at again so soon. */
const LOOK_AGAIN_MS = 5;

/** Starts the double over a store whose objects change by themselves: syncs start when something changes, ends or is due. */
export async function startLive(options: FollowOptions): Promise<LiveMetacontroller> {
  let pump: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const metacontroller = await startMetacontroller({
    ...options,
    onSync: (report) => {
      options.onSync?.(report);
      pump?.();
    },
    onController: (report) => {
      options.onController?.(report);
      pump?.();
    },
  });
  pump = () => {
    clearTimeout(timer);
    metacontroller.startDue();
    const dueMs = metacontroller.nextDueMs();
    if (dueMs === undefined) return;
    timer = setTimeout(() => pump?.(), Math.max(dueMs - options.clock.nowMs(), LOOK_AGAIN_MS));
  };
  // After Metacontroller's own watch, which queues what a change concerns.
  const stopWatching = options.store.watch(() => pump?.());
  pump();
  return {
    stop: async () => {
      pump = undefined;
      clearTimeout(timer);
      stopWatching();
      await metacontroller.stop();
    },
  };
}
