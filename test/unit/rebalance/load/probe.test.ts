import assert from 'node:assert/strict';
import { looksLikeLoad, probeSignal } from '../../../../src/rebalance/load/probe.ts';
import type { SignalProbe } from '../../../../src/rebalance/load/history.ts';

/** The probe after a series of (metric, share) pairs. */
function after(...samples: readonly (readonly [metric: number, share: number])[]): SignalProbe | undefined {
  return samples.reduce<SignalProbe | undefined>(
    (probe, [metric, share]) => probeSignal(probe, metric, share),
    undefined,
  );
}

describe('whether a demand signal behaves like a load', () => {
  it('is not known before the share has changed', () =>
    assert.equal(looksLikeLoad(after([1000, 0.5], [900, 0.5], [800, 0.52])), false));
  it('is yes after the metric followed the share three times in a row', () =>
    assert.equal(looksLikeLoad(after([1000, 1], [500, 0.5], [1000, 1], [500, 0.5])), true));
  it('is not yet after two', () =>
    assert.equal(looksLikeLoad(after([1000, 1], [500, 0.5], [1000, 1])), false));
  it('is no as soon as the metric stays where it is', () =>
    assert.equal(looksLikeLoad(after([1000, 1], [500, 0.5], [1000, 1], [500, 0.5], [510, 1])), false));
  it('is no of nothing', () => assert.equal(looksLikeLoad(undefined), false));
  it('stops counting at three', () =>
    assert.equal(after([1000, 1], [500, 0.5], [1000, 1], [500, 0.5], [1000, 1])?.followed, 3));
  it('says nothing where the share was 0', () => {
    const probe = { metric: 1000, share: 0, followed: 2 };
    assert.equal(probeSignal(probe, 1000, 0), probe);
  });
});
