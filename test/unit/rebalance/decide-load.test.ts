import assert from 'node:assert/strict';
import { decide, type Observation } from '../../../src/rebalance/decide.ts';
import type { Decision } from '../../../src/rebalance/decision.ts';
import { observe, setOf, specOf, usable } from '../../support/rebalance.ts';

describe('decide with signal load', () => {
  const metrics = { prometheus: { address: 'http://p', query: 'load', window: '1m' } };
  const loaded = (parts: Partial<Observation> = {}): Decision =>
    decide(
      observe({
        spec: specOf({ signal: 'load' }, { metrics }),
        set: setOf(64, 64),
        sample: usable('1500'),
        ...parts,
      }),
    );

  it('acts on the demand that the load was a share of, and tells both', () => {
    const decision = loaded();
    assert.equal(
      decision.because,
      'demand 3000 (metric 1500 at a share of 50%) against target 1000 and base 64 asks for 128',
    );
    assert.equal(decision.stages.demand, '3000');
    assert.equal(decision.desired, 128);
  });
  it('takes the weight of the reference as read, not baseValue, where there is but one other record', () => {
    const spec = specOf({ signal: 'load', baseValue: 8 }, { metrics });
    assert.equal(loaded({ spec }).desired, 128);
  });
  it('takes baseValue, its part of the reference, in a set of several steered records', () => {
    const target = {
      route53: {
        hostedZoneID: 'Z1',
        resource: { name: 'example.com', type: 'A', identifier: 'aws' },
        reference: 'onprem',
      },
    };
    const spec = specOf({ signal: 'load', baseValue: 32 }, { metrics, target });
    assert.equal(loaded({ spec, set: setOf(32, 64, 32) }).desired, 64);
  });
  it('rounds to the nearest weight: an estimate is not on the safe side of anything', () =>
    assert.equal(loaded({ sample: usable('1503'), set: setOf(64, 64) }).desired, 128));
  it('keeps the weight within half a step, however small the tolerance', () => {
    const spec = specOf({ signal: 'load', tolerance: 0 }, { metrics });
    const decision = loaded({ spec, set: setOf(128, 64), sample: usable('1002') });
    assert.equal(decision.reason, 'WithinTolerance');
    assert.equal(
      decision.because,
      'demand 3006 (metric 1002 at a share of 33.3%) is within tolerance 0.002604 of what the weight balances: the policy stays at 128',
    );
  });
  it('keeps the weight within the default tolerance of 5%', () =>
    assert.equal(loaded({ set: setOf(128, 64), sample: usable('1040') }).reason, 'WithinTolerance'));
  it('holds on silence, which may be an outage', () => {
    const decision = loaded({ sample: usable('0') });
    assert.deepEqual([decision.reason, decision.desired], ['ReferenceSilent', 64]);
  });
});
