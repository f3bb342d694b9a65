import assert from 'node:assert/strict';
import { displayRational } from '../../../src/foundation/rational.ts';
import { runLaw } from '../../../src/rebalance/law.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { specOf, usable } from '../../support/rebalance.ts';

interface Row {
  readonly name: string;
  readonly policy: Readonly<Record<string, unknown>>;
  readonly metric: string;
  /** What the policy wanted before, p. */
  readonly before?: number;
  readonly raw: string;
  readonly wants: string;
  readonly limitedBy?: readonly string[];
}

const rows: readonly Row[] = [
  {
    name: 'three times the target on base 8 asks for twice the base (the README of the original)',
    policy: {},
    metric: '3000',
    raw: '16',
    wants: '16',
  },
  { name: 'the target itself asks for nothing', policy: {}, metric: '1000', raw: '0', wants: '0' },
  { name: 'less than the target asks for nothing', policy: {}, metric: '800', raw: '0', wants: '0' },
  {
    name: 'a negative load is a number and asks for nothing',
    policy: {},
    metric: '-5',
    raw: '0',
    wants: '0',
  },
  {
    name: 'a hair above the target asks for 1',
    policy: {},
    metric: '1000.000001',
    raw: '0',
    wants: '1',
  },
  {
    name: 'base 10, target 100, metric 110 is exactly 1: a float ceil gives 2',
    policy: { baseValue: 10, targetValue: 100 },
    metric: '110',
    raw: '1',
    wants: '1',
  },
  {
    name: 'a number means its decimal text: 0.11 is 11/100',
    policy: { baseValue: 10, targetValue: 0.1 },
    metric: '0.11',
    raw: '1',
    wants: '1',
  },
  {
    name: 'a fraction is rounded up, and shown with 6 decimals',
    policy: { baseValue: 1, targetValue: 3 },
    metric: '4',
    raw: '0.333333',
    wants: '1',
  },
  {
    name: 'an exponent as Prometheus writes it is a number',
    policy: {},
    metric: '1e+06',
    raw: '7992',
    wants: '7992',
  },
  {
    name: 'a load of 1e9 asks for 7,999,992, which the bounds will cap (s7: the original writes it)',
    policy: {},
    metric: '1e9',
    raw: '7999992',
    wants: '7999992',
  },
  {
    name: 'the largest float asks for a number that fits into a status',
    policy: { targetValue: 1 },
    metric: '1.7976931348623157e+308',
    raw: '1.438154e+309',
    wants: '1.438154e+309',
  },
  {
    name: 'a load within the tolerance of what the last weight balances keeps it',
    policy: { tolerance: 0.05 },
    metric: '3100',
    before: 16,
    raw: '16.8',
    wants: '16',
    limitedBy: ['tolerance'],
  },
  {
    name: 'a load at the edge of the tolerance keeps it',
    policy: { tolerance: 0.05 },
    metric: '3150',
    before: 16,
    raw: '17.2',
    wants: '16',
    limitedBy: ['tolerance'],
  },
  {
    name: 'a load just beyond the tolerance does not',
    policy: { tolerance: 0.05 },
    metric: '3150.1',
    before: 16,
    raw: '17.2008',
    wants: '18',
  },
  {
    name: 'a load below, at the edge of the tolerance, keeps it too',
    policy: { tolerance: 0.05 },
    metric: '2850',
    before: 16,
    raw: '14.8',
    wants: '16',
    limitedBy: ['tolerance'],
  },
  {
    name: 'a load just below the tolerance does not',
    policy: { tolerance: 0.05 },
    metric: '2849.9',
    before: 16,
    raw: '14.7992',
    wants: '15',
  },
  {
    name: 'tolerance 0 keeps only what is exactly balanced, so it never binds',
    policy: {},
    metric: '3001',
    before: 16,
    raw: '16.008',
    wants: '17',
  },
  {
    name: 'a tolerance that keeps what the law asks for anyway does not bind',
    policy: { tolerance: 0.05 },
    metric: '2990',
    before: 16,
    raw: '15.92',
    wants: '16',
  },
  {
    name: 'disableScaleIn keeps a higher weight of before (s20: in the original it has no effect and gives 4)',
    policy: { disableScaleIn: true },
    metric: '1500',
    before: 16,
    raw: '4',
    wants: '16',
    limitedBy: ['scaleIn'],
  },
  {
    name: 'disableScaleIn lets it rise',
    policy: { disableScaleIn: true },
    metric: '4000',
    before: 16,
    raw: '24',
    wants: '24',
  },
];

describe('the law', () => {
  for (const { name, policy, metric, before = 0, raw, wants, limitedBy = [] } of rows) {
    it(name, () => {
      const sample = usable(metric);
      assert.ok(sample.kind === 'Usable');
      const { policy: tracking } = specOf(policy);
      const trail = runLaw({
        demand: sample.value,
        base: tracking.baseValue ?? 0,
        policy: tracking,
        lastWanted: weight(before),
      });
      assert.equal(trail.stages.raw, raw);
      assert.equal(displayRational(trail.wanted), wants);
      assert.deepEqual(trail.limitedBy, limitedBy);
    });
  }

  it('leaves the number of every stage, in order', () => {
    const { policy } = specOf({ disableScaleIn: true });
    const sample = usable('1100');
    assert.ok(sample.kind === 'Usable');
    const { stages } = runLaw({ demand: sample.value, base: 8, policy, lastWanted: weight(3) });
    assert.deepEqual(Object.entries(stages), [
      ['raw', '0.8'],
      ['tolerance', '0.8'],
      ['round', '1'],
      ['scaleIn', '3'],
    ]);
  });
});
