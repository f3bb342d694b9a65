import assert from 'node:assert/strict';
import type { Sample } from '../../../src/rebalance/sample.ts';
import { ABSENT, FAILED, specOf, usable } from '../../support/rebalance.ts';
import { START, takeAll, type Step, type World } from '../../support/rebalance-fold.ts';

const fallback = specOf({}, { onFailure: { threshold: 3, action: 'Weight', weight: 50 } });
const good = usable('3000');
const settled: World = { ...START, own: 16 };

function samples(...parts: readonly (readonly [Sample, number])[]): readonly Sample[] {
  return parts.flatMap(([sample, times]) => Array.from({ length: times }, () => sample));
}

/** Every weight that reached DNS over samples taken a minute apart, settled at 16. */
function writes(steps: readonly Step[]): readonly number[] {
  return takeAll(steps, settled).flatMap(({ written }) => written);
}

describe('number 6: through an outage', () => {
  it('of 60 failing intervals, then recovery: one fallback, one recovery', () => {
    const steps = samples([good, 5], [FAILED, 60], [good, 10]).map((sample) => ({ spec: fallback, sample }));
    assert.deepEqual(writes(steps), [50, 16]);
  });

  it('of four failures and one success repeating: 1 write, not 24', () => {
    const flapping = Array.from({ length: 12 }, () => samples([FAILED, 4], [good, 1])).flat();
    assert.deepEqual(writes(flapping.map((sample) => ({ spec: fallback, sample }))), [50]);
  });

  it('with a behavior there is one fallback too, and one recovery, as soon as the window lets it', () => {
    const behavior = { decrease: { stabilizationWindowSeconds: 120 } };
    const onFailure = { threshold: 3, action: 'Weight', weight: 50 };
    const spec = specOf({}, { onFailure, behavior });
    const steps = samples([good, 5], [FAILED, 60], [good, 10]).map((sample) => ({ spec, sample }));
    assert.deepEqual(writes(steps), [50, 16]);
    const flapping = Array.from({ length: 12 }, () => samples([FAILED, 4], [good, 1])).flat();
    assert.deepEqual(writes(flapping.map((sample) => ({ spec, sample }))), [50]);
  });

  it('that ends with usable samples of another load, the policy takes over with the newest', () => {
    const steps = samples([FAILED, 4], [usable('2000'), 3], [usable('4000'), 1]);
    assert.deepEqual(writes(steps.map((sample) => ({ spec: fallback, sample }))), [50, 24]);
  });

  it('nothing moves without a fallback, and nothing is forgotten', () => {
    const steps = samples([good, 1], [FAILED, 60], [ABSENT, 60], [good, 1]);
    assert.deepEqual(writes(steps.map((sample) => ({ spec: specOf(), sample }))), []);
  });

  it('a floor comes and goes as it does otherwise', () => {
    const spec = specOf({ scheduled: [{ startTime: '12:10', endTime: '12:20', value: 40 }] });
    assert.deepEqual(writes(samples([FAILED, 30]).map((sample) => ({ spec, sample }))), [40, 16]);
  });

  it('a reference that reads 0 for 2 samples: no move', () => {
    const spec = specOf({ baseValue: undefined });
    const others = [[8], [0], [0], [8]];
    const steps = others.map((weights) => ({ spec, sample: good, others: weights }));
    assert.deepEqual(writes(steps), []);
  });

  it('a write that was aborted but done is found by reading, not repeated', () => {
    const step = { spec: specOf(), sample: usable('4000') };
    const [first, second] = takeAll([{ ...step, write: 'AbortedWritten' }, step], settled);
    assert.deepEqual([first?.written, second?.written], [[24], []]);
    assert.equal(first?.status.actualValue, 16);
    assert.equal(second?.status.actualValue, 24);
  });

  it('a status write that was lost repeats nothing', () => {
    const step = { spec: specOf(), sample: usable('4000') };
    const taken = takeAll([{ ...step, statusLost: true }, step], settled);
    assert.deepEqual(
      taken.map(({ written }) => written),
      [[24], []],
    );
  });
});
