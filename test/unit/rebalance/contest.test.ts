import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readRebalanceStatus } from '../../../src/api/rebalance-status.ts';
import { decide } from '../../../src/rebalance/decide.ts';
import { eventsOf } from '../../../src/rebalance/events.ts';
import type { ContestStatus } from '../../../src/rebalance/contest-status.ts';
import type { RebalanceStatus } from '../../../src/rebalance/status.ts';
import type { RecordWeight } from '../../../src/rebalance/targets/port.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { conditionOf } from '../../support/conditions.ts';
import {
  attemptOf,
  MINUTE,
  NOON,
  observe,
  setOf,
  severalOf,
  severalSpec,
  specOf,
  statusAfter,
  type Observation,
} from '../../support/rebalance.ts';

const CONTESTED =
  'others changed our weight three times in ten evaluations: somebody else steers it too, so nothing is written; stop one of the two, then edit the spec to go on';

const TARGET = {
  hostedZoneID: 'Z0123456789',
  resource: { name: 'example.com', type: 'A', identifier: 'aws' },
};

/** The README example once it has written 16. */
const SETTLED = statusAfter(observe());

/** An evaluation that finds our weight at `own`. */
function found(
  own: number,
  status: RebalanceStatus = SETTLED,
  parts: Partial<Observation> = {},
): Observation {
  return observe({ status, set: setOf(own, 8), nowMs: NOON + MINUTE, ...parts });
}

/** Evaluates again and again; each finds what a step says, else what the one before left. */
function run(
  steps: readonly (number | undefined)[],
  from: RebalanceStatus = SETTLED,
): { readonly status: RebalanceStatus; readonly writes: number } {
  let status = from;
  let writes = 0;
  for (const own of steps) {
    const observation = found(own ?? status.actualValue ?? 0, status);
    if (decide(observation).effect.kind === 'WriteWeight') writes += 1;
    const next = statusAfter(observation);
    // what a reader makes of it is all that is left of it
    status = readRebalanceStatus(JSON.parse(JSON.stringify(next)));
    assert.deepEqual(status, next);
  }
  return { status, writes };
}

function sent(value: number): readonly RecordWeight[] {
  return [{ identifier: 'aws', weight: weight(value) }];
}

function readyOf(status: RebalanceStatus): readonly unknown[] {
  const [ready] = status.conditions ?? [];
  return [status.condition, ready?.status, ready?.reason, ready?.message];
}

describe('a weight that others change', () => {
  it('is named in an Event, once, with what DNS held and what we had left', () => {
    const observation = found(5);
    const attempt = attemptOf(observation);
    const next = statusAfter(observation);
    assert.deepEqual(
      eventsOf(SETTLED, next, attempt).map(({ type, reason, message }) => [type, reason, message]),
      [
        ['Warning', 'WeightEdited', 'DNS held weight 5 where we had left 16: somebody else changed it'],
        ['Normal', 'WeightChanged', `weight 5 -> 16: ${attempt.decision.because}`],
      ],
    );
    assert.deepEqual(next.contest, { editsAgo: [0] });
    const later = found(16, next);
    assert.deepEqual(eventsOf(next, statusAfter(later), attemptOf(later)), []);
  });

  it('is named record by record where several are steered', () => {
    const spec = severalSpec();
    const status = statusAfter(observe({ spec, set: severalOf([1, 1], 8) }));
    const decision = decide(observe({ spec, status, set: severalOf([8, 3], 8) }));
    assert.equal(
      decision.contest.edit,
      'DNS held weight 11 (blue 8, green 3) where we had left 16 (blue 8, green 8): somebody else changed it',
    );
  });

  const contested: Readonly<Record<string, readonly (number | undefined)[]>> = {
    'in a row': [5, 5, 5],
    'the first nine evaluations before the third': [5, 5, ...Array<undefined>(7), 5],
    'far from each other': [5, ...Array<undefined>(4), 5, ...Array<undefined>(3), 5],
  };
  for (const [how, steps] of Object.entries(contested)) {
    it(`three times, ${how}: nothing is written until the spec is edited`, () => {
      const { status, writes } = run(steps);
      assert.equal(writes, 2);
      assert.deepEqual(status.contest, { contestedGeneration: 1 });
      assert.deepEqual(readyOf(status), ['Error', 'False', 'Contested', CONTESTED]);
      assert.deepEqual([status.actualValue, status.desiredValue], [5, 16]);
      assert.equal(
        conditionOf(status, 'TargetSynced').message,
        'weight 16 is wanted and not written (contested by others); DNS holds 5',
      );

      // whatever comes, and whatever it is that wants another weight
      assert.equal(run([5, 200, undefined, 16, 3], status).writes, 0);
      assert.equal(decide(found(5, status, { spec: specOf({ minimum: 100 }) })).effect.kind, 'None');
      const edited = found(5, status, { generation: 2 });
      assert.equal(decide(edited).effect.kind, 'WriteWeight');
      assert.equal(statusAfter(edited).contest, undefined);
    });
  }

  it('is told to be contested once, beside the edit', () => {
    const before = run([5, 5]).status;
    const observation = found(5, before);
    const next = statusAfter(observation);
    const reasons = (was: RebalanceStatus, seen: Observation): readonly string[] =>
      eventsOf(was, statusAfter(seen), attemptOf(seen)).map(({ reason }) => reason);
    assert.deepEqual(reasons(before, observation), ['WeightEdited', 'Contested']);
    assert.deepEqual(reasons(next, found(7, next)), []);
  });

  it('says Contested where nothing is to be written, too', () => {
    const { status } = run([5, 5, 16]);
    assert.equal(status.contest?.contestedGeneration, undefined);
    const stopped = run([5, 5, 5]).status;
    assert.equal(readyOf(statusAfter(found(16, stopped)))[2], 'Contested');
  });

  const calm: Readonly<Record<string, readonly (number | undefined)[]>> = {
    twice: [5, 5],
    'three times in eleven evaluations': [5, 5, ...Array<undefined>(8), 5],
    'three times in thirty': [5, ...Array<undefined>(12), 5, ...Array<undefined>(12), 5],
  };
  for (const [how, steps] of Object.entries(calm)) {
    it(`is written again where it happens ${how}`, () => {
      assert.equal(run(steps).status.contest?.contestedGeneration, undefined);
      assert.equal(run(steps).status.actualValue, 16);
    });
  }
});

describe('no edit by others is', () => {
  const withoutActual = readRebalanceStatus({ ...SETTLED, actualValue: undefined });
  const wanted: RebalanceStatus = { ...SETTLED, actualValue: 1 };
  const rows: Readonly<Record<string, Observation>> = {
    'a weight that stands as we left it': found(16),
    'a write of ours whose answer never came': found(16, wanted),
    'a write of a process of ours that died before it said so: just what is wanted now': found(16, {
      ...SETTLED,
      actualValue: weight(8),
      desiredValue: weight(8),
    }),
    'a write of ours whose status was lost': found(20, SETTLED, { lastSent: sent(20) }),
    'a first look': found(16, {}),
    'a weight that the status does not tell': found(5, withoutActual),
    'a weight of a record that the status does not speak of': found(5, SETTLED, {
      spec: specOf({}, { target: { route53: { ...TARGET, hostedZoneID: 'Z9' } } }),
    }),
    'what others do while ours is a dry run': found(5, SETTLED, { writeForbidden: 'DryRun' }),
    'what others do under --observe-only': found(5, SETTLED, { writeForbidden: 'ObserveOnly' }),
  };
  for (const [what, observation] of Object.entries(rows)) {
    it(what, () => {
      assert.deepEqual(decide(observation).contest, {
        isContested: false,
        status: undefined,
        edit: undefined,
      });
    });
  }

  it('forgotten sooner than after ten evaluations', () => {
    const { status } = run([5, ...Array<undefined>(9)]);
    assert.deepEqual(status.contest, { editsAgo: [9] });
    assert.equal(run([undefined], status).status.contest, undefined);
  });

  it('remembered without bounds, and who is left alone never stops', () => {
    const edit = fc.integer({ min: 0, max: 255 });
    const histories = (alone: number) =>
      fc.array(
        fc.oneof({ weight: alone, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: edit }),
        {
          maxLength: 40,
        },
      );
    const seen = { few: 0, none: 0 };
    const property = fc.property(fc.oneof(histories(0), histories(1), histories(20)), (steps) => {
      const contest: ContestStatus | undefined = run(steps).status.contest;
      assert.ok((contest?.editsAgo?.length ?? 0) <= 2);
      const edits = steps.filter((step) => step !== undefined && step !== 16).length;
      if (edits < 3) {
        assert.equal(contest?.contestedGeneration, undefined);
        seen.few += 1;
      }
      if (steps.every((step) => step === undefined)) {
        assert.equal(contest, undefined);
        seen.none += 1;
      }
    });
    fc.assert(property, { seed: 6, numRuns: 300 });
    assert.ok(seen.few > 50 && seen.none > 20, JSON.stringify(seen));
  });
});

describe('a sample that failed', () => {
  it('does not hide that the weight is contested', () => {
    const { status } = run([5, 5, 5]);
    const failed = statusAfter(
      found(5, status, { sample: { kind: 'Failed', reason: 'MetricTimeout', message: 'too late' } }),
    );
    assert.equal(readyOf(failed)[2], 'Contested');
  });
});
