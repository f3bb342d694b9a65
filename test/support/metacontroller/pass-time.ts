import type { VirtualClock } from '../virtual-clock.ts';
import type { Metacontroller } from './metacontroller.ts';

/** Moves the clock on by a time, running each sync when it is due. */
export async function passTime(
  clock: VirtualClock,
  metacontroller: Metacontroller,
  ms: number,
): Promise<void> {
  const endMs = clock.nowMs() + ms;
  for (;;) {
    await metacontroller.settle();
    const dueMs = metacontroller.nextDueMs();
    if (dueMs === undefined || dueMs > endMs) break;
    clock.set(dueMs);
  }
  clock.set(endMs);
}
