import assert from 'node:assert/strict';
import { keptWeight } from '../../../../src/rebalance/behavior/kept-weight.ts';
import { decide } from '../../../../src/rebalance/decide.ts';
import { weight } from '../../../../src/rebalance/weight.ts';
import { ABSENT, FAILED, observe, setOf, specOf, usable } from '../../../support/rebalance.ts';
import { START, takeAll, type Step, type Taken } from '../../../support/rebalance-fold.ts';

type Wire = Readonly<Record<string, unknown>>;

const by = (value: number, type = 'Weight') => ({ policies: [{ type, value, periodSeconds: 60 }] });
const settled = { ...START, own: 16 };

/** The README example with a `behavior`: a metric of 1000 x (1 + w/8) asks for w. */
function withBehavior(behavior: Wire, policy: Wire = {}, rest: Wire = {}) {
  return specOf(policy, { behavior, ...rest });
}

const asking = (value: number) => usable(String(1000 + 125 * value));

/** Steps a minute apart. */
function run(spec: Step['spec'], samples: readonly Step['sample'][], start = settled): readonly Taken[] {
  return takeAll(
    samples.map((sample) => ({ spec, sample })),
    start,
  );
}

const weights = (taken: readonly Taken[]) => taken.map(({ after }) => after.own);
const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);

describe('behavior', () => {
  it('without it nothing is limited, no stage runs and nothing is remembered', () => {
    const [taken] = run(specOf(), [asking(200)]);
    assert.equal(taken?.after.own, 200);
    assert.equal(taken.status.behavior, undefined);
    const { stages = {} } = taken.decision ?? {};
    assert.deepEqual([stages.stabilise, stages.stepLimit], [undefined, undefined]);
  });

  it('with a half of it the other way is free', () => {
    const spec = withBehavior({ increase: by(4) });
    assert.deepEqual(weights(run(spec, [asking(100), asking(100), asking(0)])), [20, 24, 0]);
  });

  it('limits a step, and says so', () => {
    const [taken] = run(withBehavior({ increase: by(4) }), [asking(100)]);
    const { decision } = taken ?? {};
    assert.equal(decision?.reason, 'StepLimited');
    assert.equal(
      decision.because,
      'metric 13500 against target 1000 and base 8 asks for 100; its step limits let it go to 20',
    );
    assert.deepEqual(decision.limitedBy, ['stepLimit']);
    assert.deepEqual(
      [decision.stages.bounds, decision.stages.stabilise, decision.stages.stepLimit],
      ['100', '100', '20'],
    );
    assert.equal(decision.policyWeight, 100);
    assert.equal(taken?.status.condition, 'Unhealthy');
  });

  it('waits for the window, and says so', () => {
    const spec = withBehavior({ increase: { stabilizationWindowSeconds: 180 } });
    const taken = run(spec, [asking(16), ...times(4, asking(30))]);
    assert.deepEqual(weights(taken), [16, 16, 16, 30, 30]);
    const { decision } = taken[1] ?? {};
    assert.equal(decision?.reason, 'Stabilised');
    assert.match(decision.because, /asks for 30; its stabilization window lets it go to 16$/);
    assert.deepEqual(decision.limitedBy, ['stabilise']);
  });

  it('stabilises first and limits the step to that', () => {
    const decrease = { stabilizationWindowSeconds: 180, ...by(4) };
    const taken = run(withBehavior({ decrease }), [asking(10), asking(5)]);
    assert.deepEqual(weights(taken), [12, 10]);
    const { decision } =
      run(withBehavior({ decrease }), [asking(14), asking(12), asking(2)], { ...START, own: 30 })[2] ?? {};
    assert.deepEqual(decision?.limitedBy, ['stabilise', 'stepLimit']);
    assert.match(
      decision.because,
      /asks for 2; its stabilization window lets it go to 14; its step limits let it go to 18$/,
    );
  });

  it('counts a weight that was held as what was recommended', () => {
    const spec = withBehavior({ increase: { stabilizationWindowSeconds: 120 } });
    assert.deepEqual(
      weights(run(spec, [asking(30), FAILED, asking(30), asking(30)], settled)),
      [30, 30, 30, 30],
    );
    assert.deepEqual(weights(run(spec, [FAILED, asking(30), asking(30)], settled)), [16, 16, 30]);
  });

  it('keeps still without data, though the policy wanted more', () => {
    const spec = withBehavior({ increase: by(4) });
    assert.deepEqual(weights(run(spec, [asking(100), ABSENT, FAILED, asking(100)])), [20, 20, 20, 24]);
  });

  it('keeps still without data where bounds and a step limit both bound', () => {
    const spec = withBehavior({ increase: by(4) }, { maximum: 50 });
    assert.deepEqual(weights(run(spec, [asking(100), ABSENT, ABSENT])), [20, 20, 20]);
  });

  describe('never slows down what bounds want', () => {
    const scheduled = [{ startTime: '12:02', endTime: '12:04', value: 40 }];
    const behavior = { increase: by(4), decrease: by(5) };

    it('a floor comes at once, and the way back is limited', () => {
      const taken = run(withBehavior(behavior, { scheduled }), times(8, asking(16)));
      assert.deepEqual(weights(taken), [16, 40, 40, 35, 30, 25, 20, 16]);
      assert.equal(taken[1]?.decision?.reason, 'ScheduledFloor');
      assert.equal(taken[3]?.decision?.reason, 'StepLimited');
    });

    it('without a sample too, all the way', () => {
      const spec = withBehavior(behavior, { scheduled });
      assert.deepEqual(
        weights(run(spec, [asking(16), ...times(7, FAILED)])),
        [16, 40, 40, 35, 30, 25, 20, 16],
      );
    });

    it('a floor is reached where the policy wants still more', () => {
      const taken = run(withBehavior(behavior, { minimum: 30 }), [asking(100)]);
      assert.deepEqual(weights(taken), [30]);
      assert.equal(taken[0]?.decision?.reason, 'StepLimited');
    });

    it('a maximum that was lowered holds at once, whatever the window', () => {
      const spec = withBehavior(
        { decrease: { ...by(1), stabilizationWindowSeconds: 3600 } },
        { maximum: 10 },
      );
      assert.deepEqual(weights(run(spec, [asking(16)])), [10]);
    });
  });

  it('never slows down the fallback, only the way back from it', () => {
    const onFailure = { threshold: 1, action: 'Weight', weight: 50 };
    const spec = withBehavior({ increase: by(4), decrease: by(10) }, {}, { onFailure });
    const taken = run(spec, [asking(16), ...times(4, FAILED), ...times(6, asking(16))]);
    assert.deepEqual(weights(taken), [16, 16, 50, 50, 50, 50, 40, 30, 20, 16, 16]);
    assert.equal(taken[2]?.decision?.reason, 'FallbackActive');
  });

  it('goes nowhere the way that is Disabled', () => {
    const spec = withBehavior({ decrease: { selectPolicy: 'Disabled' } });
    assert.deepEqual(weights(run(spec, [asking(20), asking(0), asking(30)])), [20, 20, 30]);
  });

  it('in a dry run goes by the weights wanted, and starts from DNS when that ends', () => {
    const spec = withBehavior({ increase: by(4) });
    const dry = times(3, { spec, sample: asking(100), writeForbidden: 'DryRun' as const });
    const taken = takeAll([...dry, { spec, sample: asking(100) }], settled);
    assert.deepEqual(
      taken.map(({ status }) => [status.desiredValue, status.actualValue]),
      [
        [20, 16],
        [24, 16],
        [28, 16],
        [20, 20],
      ],
    );
  });

  it('allows a step again that Route 53 refused', () => {
    const spec = withBehavior({ increase: by(4) });
    const taken = takeAll(
      [
        { spec, sample: asking(100), write: 'Refused' },
        { spec, sample: asking(100), afterMs: 10_000 },
        { spec, sample: asking(100), afterMs: 10_000 },
      ],
      settled,
    );
    assert.deepEqual(weights(taken), [16, 20, 20]);
  });

  it('counts a step that it never heard of from when it is seen', () => {
    const spec = withBehavior({ increase: by(4) });
    for (const lost of [{ write: 'AbortedWritten' }, { statusLost: true }] as const) {
      const taken = takeAll(
        [
          { spec, sample: asking(16) },
          ...[
            { ...lost, afterMs: 60_000 },
            { afterMs: 10_000 },
            { afterMs: 50_000 },
            { afterMs: 10_000 },
          ].map((more) => ({ spec, sample: asking(100), ...more })),
        ],
        settled,
      );
      assert.deepEqual(weights(taken), [16, 20, 20, 20, 24]);
    }
  });

  it('leaves a weight that keeps the set from all zero as it is', () => {
    const spec = withBehavior({ decrease: by(255) });
    const decision = decide(observe({ spec, set: setOf(4, 0), sample: asking(0) }));
    assert.deepEqual([decision.desired, decision.reason], [4, 'KeptFromAllZero']);
  });
});

describe('disableScaleIn on a noisy metric', () => {
  /** Deterministic noise of +-10% around a demand that asks for 32, three hours long. */
  const noisy = Array.from({ length: 180 }, (_, minute) =>
    usable(String(1500 + Math.round(150 * Math.sin(minute * 12.9898) * Math.cos(minute * 78.233)))),
  );

  it('without an increase window keeps the highest peak', () => {
    const spec = specOf({ disableScaleIn: true, baseValue: 64 });
    const last = run(spec, noisy, { ...START, own: 32 }).at(-1);
    assert.equal(last?.after.own, 42);
    assert.ok(last.decision?.advice.includes('DisableScaleInWithoutWindow'));
  });

  it('with one keeps what lasts', () => {
    const behavior = { increase: { stabilizationWindowSeconds: 600 } };
    const spec = withBehavior(behavior, { disableScaleIn: true, baseValue: 64 });
    const taken = run(spec, noisy, { ...START, own: 32 });
    assert.ok(Math.max(...weights(taken)) <= 33, String(Math.max(...weights(taken))));
    assert.equal(taken[0]?.decision?.advice.includes('DisableScaleInWithoutWindow'), false);
    const risen = run(spec, [...noisy, ...times(10, usable('2000'))], { ...START, own: 32 });
    assert.equal(risen.at(-1)?.after.own, 64);
  });

  const facts = {
    wanted: weight(25),
    lastWanted: weight(10),
    bounded: weight(25),
    letThrough: weight(20),
    lowest: weight(0),
  };
  const { policy } = specOf({ disableScaleIn: true });

  it('keeps as much of a rise as came through', () => assert.equal(keptWeight(policy, facts), 20));
  it('keeps nothing of what a floor holds up', () =>
    assert.equal(keptWeight(policy, { ...facts, lowest: weight(20) }), 10));
  it('keeps no more than was asked for', () =>
    assert.equal(keptWeight(policy, { ...facts, wanted: weight(15) }), 15));
  it('keeps all of it where nothing was cut', () =>
    assert.equal(keptWeight(policy, { ...facts, letThrough: weight(25) }), 25));
  it('keeps all of it where the policy may lower its weight', () =>
    assert.equal(keptWeight(specOf().policy, facts), 25));
});
