import assert from 'node:assert/strict';
import { err, ok, type Result } from '../../../src/foundation/result.ts';
import type { ApiFailure, KubernetesEvent } from '../../../src/kubernetes/api.ts';
import type { KubernetesRequest } from '../../../src/kubernetes/connection.ts';
import { createRecorder } from '../../../src/kubernetes/recorder.ts';

const EVENT: KubernetesEvent = {
  regarding: { apiVersion: 'v1', kind: 'Rebalance', namespace: 'default', name: 'example', uid: 'u-1' },
  type: 'Warning',
  reason: 'MetricTimeout',
  message: 'Prometheus did not answer within 5s',
};

const START_MS = Date.parse('2026-11-30T15:00:00Z');
const MINUTE_MS = 60_000;

/** The Events of one API server, which names them as generateName asks. */
function createEvents() {
  const objects = new Map<string, Record<string, unknown>>();
  const requests: string[] = [];
  const lost: string[] = [];
  let nowMs = START_MS;
  let refusal: ApiFailure | undefined;

  const answer = ({ verb, path, body }: KubernetesRequest): Result<unknown, ApiFailure> => {
    requests.push(`${verb} ${path}`);
    if (refusal !== undefined) return err(refusal);
    if (verb === 'create') {
      const name = `example.${objects.size + 1}`;
      const created = { ...body, metadata: { name } };
      objects.set(name, created);
      return ok(created);
    }
    const name = path.split('/').at(-1) ?? '';
    const before = objects.get(name);
    if (before === undefined) return err({ kind: 'NotFound', message: `events "${name}" not found` });
    const patched = { ...before, ...body };
    objects.set(name, patched);
    return ok(patched);
  };
  const record = createRecorder((request) => Promise.resolve(answer(request)), {
    onEventLost: (because) => lost.push(because),
    clock: { nowMs: () => nowMs },
  });
  return {
    requests,
    lost,
    /** Records it, and waits until it was sent. */
    record: async (event: KubernetesEvent, afterMs = 0): Promise<void> => {
      nowMs += afterMs;
      record(event);
      await new Promise(setImmediate);
    },
    forget: () => objects.clear(),
    refuse: (failure: ApiFailure | undefined) => (refusal = failure),
    /** "reason count last" of each object. */
    seen: () =>
      [...objects.values()].map(
        ({ reason, count, lastTimestamp }) => `${String(reason)} ${String(count)} ${String(lastTimestamp)}`,
      ),
  };
}

describe('an Event that is recorded again', () => {
  it('counts up while it comes within ten minutes, and keeps its first time', async () => {
    const events = createEvents();
    await events.record(EVENT);
    await events.record(EVENT, MINUTE_MS);
    await events.record(EVENT, 10 * MINUTE_MS);
    assert.deepEqual(events.seen(), ['MetricTimeout 3 2026-11-30T15:11:00Z']);
    assert.deepEqual(events.requests, [
      'create /api/v1/namespaces/default/events',
      'patch /api/v1/namespaces/default/events/example.1',
      'patch /api/v1/namespaces/default/events/example.1',
    ]);
  });

  it('is a new one after ten minutes of silence', async () => {
    const events = createEvents();
    await events.record(EVENT);
    await events.record(EVENT, 10 * MINUTE_MS + 1);
    assert.deepEqual(events.seen(), [
      'MetricTimeout 1 2026-11-30T15:00:00Z',
      'MetricTimeout 1 2026-11-30T15:10:00Z',
    ]);
  });

  const others: Readonly<Record<string, KubernetesEvent>> = {
    'another object of the same name': { ...EVENT, regarding: { ...EVENT.regarding, uid: 'u-2' } },
    'another type': { ...EVENT, type: 'Normal' },
    'another reason': { ...EVENT, reason: 'NoSeries' },
    'another message': { ...EVENT, message: 'Prometheus did not answer within 6s' },
  };
  for (const [what, other] of Object.entries(others)) {
    it(`is not the same with ${what}`, async () => {
      const events = createEvents();
      await events.record(EVENT);
      await events.record(other);
      assert.equal(events.seen().length, 2);
    });
  }

  it('is made anew when the API server has let go of it', async () => {
    const events = createEvents();
    await events.record(EVENT);
    events.forget();
    await events.record(EVENT, MINUTE_MS);
    assert.deepEqual(events.seen(), ['MetricTimeout 1 2026-11-30T15:01:00Z']);
    assert.deepEqual(events.lost, []);
  });

  it('is lost, and not counted, while the API server refuses', async () => {
    const events = createEvents();
    await events.record(EVENT);
    events.refuse({ kind: 'Forbidden', message: 'events is forbidden' });
    await events.record(EVENT);
    events.refuse(undefined);
    await events.record(EVENT);
    assert.deepEqual(events.seen(), ['MetricTimeout 2 2026-11-30T15:00:00Z']);
    assert.deepEqual(events.lost, [
      'Event MetricTimeout of Rebalance default/example is lost: events is forbidden',
    ]);
  });
});
