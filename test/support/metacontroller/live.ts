import { ok, type Result } from '../../../src/foundation/result.ts';
import { startMetacontroller, type MetacontrollerOptions } from './metacontroller.ts';

/** A Metacontroller that runs by itself, in real time. */
export interface LiveMetacontroller {
  /** Starts no further sync, and waits for those that run. */
  stop(): Promise<void>;
}

/** What fell due just now, or waits for a worker, is looked at again so soon. */
const LOOK_AGAIN_MS = 5;

/** Starts the double over a store whose objects change by themselves: syncs start when something changes, ends or is due. */
export async function startLive(
  options: MetacontrollerOptions,
): Promise<Result<LiveMetacontroller, string>> {
  let pump: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const started = await startMetacontroller({
    ...options,
    onSync: (report) => {
      options.onSync?.(report);
      pump?.();
    },
  });
  if (!started.ok) return started;
  const metacontroller = started.value;
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
  return ok({
    stop: async () => {
      pump = undefined;
      clearTimeout(timer);
      stopWatching();
      metacontroller.stop();
      await metacontroller.idle();
    },
  });
}
