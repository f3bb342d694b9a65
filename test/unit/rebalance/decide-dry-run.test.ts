import assert from 'node:assert/strict';
import { writeForbiddenBy } from '../../../src/rebalance/decide.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { itDecides, left, none, stagesAt, write } from '../../support/decisions.ts';
import { ABSENT, setOf, specOf, usable } from '../../support/rebalance.ts';

describe('decide in a dry run', () => {
  itDecides([
    {
      name: 'says what would be written, and writes nothing',
      given: { writeForbidden: 'DryRun' },
      expected: {
        desired: weight(16),
        effect: none('DryRun'),
        stages: { ...stagesAt('16'), write: '1' },
      },
    },
    {
      name: 'names --observe-only where that forbids it',
      given: { writeForbidden: 'ObserveOnly' },
      expected: { desired: weight(16), effect: none('ObserveOnly') },
    },
    {
      name: 'that wants what DNS holds is unchanged, not dry',
      given: { writeForbidden: 'DryRun', set: setOf(16, 8) },
      expected: { effect: none('Unchanged') },
    },
    {
      name: 'holds the weight that it would have written, not the one in DNS',
      given: {
        writeForbidden: 'DryRun',
        sample: ABSENT,
        status: left(1, 16, { policyWeight: 16, stages: { write: '1' } }),
      },
      expected: { desired: weight(16), policyWeight: weight(16) },
    },
    {
      name: 'holds what DNS holds where it has wanted nothing yet',
      given: { writeForbidden: 'DryRun', sample: ABSENT },
      expected: { desired: weight(1), policyWeight: weight(1) },
    },
    {
      name: 'keeps what it held when somebody else changes DNS and there is no sample',
      given: {
        writeForbidden: 'DryRun',
        sample: ABSENT,
        set: setOf(40, 8),
        status: left(1, 16, { policyWeight: 3, limitedBy: ['bounds'], stages: { write: '1' } }),
      },
      expected: { desired: weight(16), policyWeight: weight(16) },
    },
    {
      name: 'that is switched off starts from DNS',
      given: {
        spec: specOf({ disableScaleIn: true }),
        sample: usable('1500'),
        status: left(1, 100, { policyWeight: 100, stages: { write: '1' } }),
      },
      expected: { desired: weight(4), policyWeight: weight(4), effect: write(4) },
    },
    {
      name: 'that wanted what DNS held may be trusted when it is switched off',
      given: {
        spec: specOf({ disableScaleIn: true }),
        sample: usable('1500'),
        set: setOf(20, 8),
        status: left(20, 20, { policyWeight: 20, stages: { write: '20' } }),
      },
      expected: { desired: weight(20), policyWeight: weight(20) },
    },
  ]);
});

describe('decide', () => {
  it('is forbidden to write by dryRun first, then by --observe-only', () => {
    assert.equal(writeForbiddenBy({ dryRun: true }, true), 'DryRun');
    assert.equal(writeForbiddenBy({ dryRun: false }, true), 'ObserveOnly');
    assert.equal(writeForbiddenBy({ dryRun: false }, false), undefined);
  });
});
