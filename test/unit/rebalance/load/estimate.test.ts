import assert from 'node:assert/strict';
import { estimateDemand, type EstimateFacts } from '../../../../src/rebalance/load/estimate.ts';
import type { SignalMemory } from '../../../../src/rebalance/load/history.ts';
import { weight } from '../../../../src/rebalance/weight.ts';
import { MINUTE, NOON, specOf } from '../../../support/rebalance.ts';

const WINDOWED = { metrics: { prometheus: { address: 'http://p', query: 'load', window: '1m' } } };
const { policy } = specOf({ signal: 'load' }, WINDOWED);

function signal(parts: Partial<SignalMemory> = {}): SignalMemory {
  return {
    name: undefined,
    queryKey: 'q',
    filter: { fast: 2000, slow: 2000, drift: 0, catchingUp: false, drifting: false, atMs: NOON - MINUTE },
    lowSamples: 0,
    probe: undefined,
    ...parts,
  };
}

function input(parts: Partial<EstimateFacts> = {}): EstimateFacts {
  return {
    shares: [{ atMs: NOON - 60 * MINUTE, share: 0.5, ttlMs: MINUTE }],
    reference: { weight: weight(64), changedAtMs: [], steeredGeneration: undefined },
    signal: signal(),
    policy,
    load: 1000,
    base: 64,
    generation: 1,
    intervalMs: MINUTE,
    windowMs: MINUTE,
    nowMs: NOON,
    ...parts,
  };
}

describe('the demand behind a load', () => {
  it('is the load over the share that it answered to', () => {
    const estimate = estimateDemand(input());
    assert.ok(estimate.kind === 'Estimated');
    assert.equal(estimate.demand, 2000);
    assert.equal(estimate.seenShare, 0.5);
  });
  it('is never more than what the maximum can answer: one sample of 1e18 does not hold the cap for an hour', () => {
    const estimate = estimateDemand(input({ load: 1e18, signal: signal({ filter: undefined }) }));
    assert.ok(estimate.kind === 'Estimated');
    assert.equal(estimate.demand, 1000 * (1 + 255 / 64));
  });

  const held: readonly {
    readonly name: string;
    readonly given: Partial<EstimateFacts>;
    readonly reason: string;
    readonly lowSamples: number;
  }[] = [
    {
      name: 'a load of 1% of what was expected is silence',
      given: { load: 10 },
      reason: 'ReferenceSilent',
      lowSamples: 0,
    },
    {
      name: 'silence is never believed, however long it lasts',
      given: { load: 0, signal: signal({ lowSamples: 99 }) },
      reason: 'ReferenceSilent',
      lowSamples: 99,
    },
    {
      name: 'no load at all, before any was seen, is silence',
      given: { load: 0, signal: signal({ filter: undefined }) },
      reason: 'ReferenceSilent',
      lowSamples: 0,
    },
    {
      name: 'a share of nothing says nothing',
      given: { shares: [{ atMs: NOON - 60 * MINUTE, share: 0, ttlMs: MINUTE }] },
      reason: 'ReferenceSilent',
      lowSamples: 0,
    },
    {
      name: 'a load below a fifth of what was expected is held at first',
      given: { load: 200 },
      reason: 'LoadDropped',
      lowSamples: 1,
    },
    {
      name: 'and a third time',
      given: { load: 200, signal: signal({ lowSamples: 2 }) },
      reason: 'LoadDropped',
      lowSamples: 3,
    },
    {
      name: 'a reference that was changed less than TTL and window ago is waited for',
      given: {
        reference: { weight: weight(32), changedAtMs: [NOON - MINUTE], steeredGeneration: undefined },
      },
      reason: 'ReferenceChanged',
      lowSamples: 0,
    },
    {
      name: 'a reference that somebody steers is held until the spec is edited',
      given: {
        reference: { weight: weight(32), changedAtMs: [], steeredGeneration: 1 },
      },
      reason: 'ReferenceSteered',
      lowSamples: 0,
    },
  ];
  for (const { name, given, reason, lowSamples } of held) {
    it(`${name} (${reason})`, () => {
      const estimate = estimateDemand(input(given));
      assert.ok(estimate.kind === 'Held', estimate.kind);
      assert.equal(estimate.reason, reason);
      assert.equal(estimate.signal.lowSamples, lowSamples);
    });
  }

  it('believes a low load after three samples, and keeps counting until the filter has come down', () => {
    const estimate = estimateDemand(input({ load: 150, signal: signal({ lowSamples: 3 }) }));
    assert.ok(estimate.kind === 'Estimated');
    assert.equal(estimate.signal.lowSamples, 4);
  });
  it('goes on once TTL and window have passed since the reference was changed', () => {
    const reference = { weight: weight(32), changedAtMs: [NOON - 2 * MINUTE], steeredGeneration: undefined };
    assert.equal(estimateDemand(input({ reference })).kind, 'Estimated');
  });
  it('goes on under another generation than the one that was found to be steered', () => {
    const reference = { weight: weight(32), changedAtMs: [], steeredGeneration: 1 };
    assert.equal(estimateDemand(input({ generation: 2, reference })).kind, 'Estimated');
  });
  it('lets the filter run on while the reference is held', () => {
    const reference = { weight: weight(32), changedAtMs: [NOON], steeredGeneration: undefined };
    const estimate = estimateDemand(input({ load: 1200, reference }));
    assert.equal(estimate.kind, 'Held');
    assert.equal(estimate.signal.filter?.atMs, NOON);
  });
});
