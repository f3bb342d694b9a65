import assert from 'node:assert/strict';
import { createWorkQueue, type WorkQueue } from '../../support/metacontroller/queue.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.ts';

describe('Metacontroller: the work queue', () => {
  let clock: VirtualClock;
  let queue: WorkQueue;
  beforeEach(() => {
    clock = createVirtualClock();
    queue = createWorkQueue(clock);
  });

  it('gives keys in the order in which they came, each once', () => {
    for (const key of ['b', 'a', 'b']) queue.add(key);
    assert.deepEqual([queue.take(), queue.take(), queue.take()], ['b', 'a', undefined]);
  });

  it('[one-at-a-time] keeps back a key that is being worked on, and gives it once afterwards', () => {
    queue.add('a');
    queue.take();
    queue.add('a');
    queue.add('a');
    assert.equal(queue.take(), undefined);
    queue.done('a');
    assert.deepEqual([queue.take(), queue.take()], ['a', undefined]);
  });

  it('[resync-after] gives a waiting key at its earliest time; an event before that cancels nothing', () => {
    const nowMs = clock.nowMs();
    queue.addAfter('a', 5_000);
    queue.addAfter('a', 60_000);
    queue.add('a');
    assert.equal(queue.take(), 'a');
    queue.done('a');
    assert.deepEqual([queue.take(), queue.nextDueMs()], [undefined, nowMs + 5_000]);
    clock.advance(5_000);
    assert.equal(queue.take(), 'a');
    queue.done('a');
    assert.equal(queue.nextDueMs(), undefined);
  });

  it('[backoff] doubles for a key alone, until it is forgotten', () => {
    const delays = (key: string, times: number): readonly number[] =>
      Array.from({ length: times }, () => {
        const nowMs = clock.nowMs();
        queue.addRateLimited(key);
        const dueMs = queue.nextDueMs() ?? nowMs;
        clock.set(dueMs);
        queue.done(queue.take() ?? '');
        return dueMs - nowMs;
      });
    assert.deepEqual(delays('a', 4), [5, 10, 20, 40]);
    assert.deepEqual(delays('b', 1), [5]);
    queue.forget('a');
    assert.deepEqual(delays('a', 2), [5, 10]);
  });
});
