import type { RebalanceSpec } from '../../../src/rebalance/spec.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { itDecides, none } from '../../support/decisions.ts';
import { setOf, specOf } from '../../support/rebalance.ts';

describe('decide without baseValue', () => {
  itDecides([
    {
      name: 'takes the weight of the only other record as the base',
      given: { spec: specOf({ baseValue: undefined }), set: setOf(1, 10) },
      expected: {
        desired: weight(20),
        because: 'metric 3000 against target 1000 and base 10 asks for 20',
      },
    },
    {
      name: 'takes the record that reference names out of many',
      given: { spec: withReference('other2'), set: setOf(1, 10, 20, 30) },
      expected: { desired: weight(40) },
    },
    {
      name: 'holds when the named record is not in the set',
      given: { spec: withReference('gone'), set: setOf(7, 10, 20) },
      expected: {
        desired: weight(7),
        held: 'ReferenceNotFound',
        reason: 'ReferenceNotFound',
        because: 'the set has no reference record "gone": the policy stays at 7',
        effect: none('Unchanged'),
        failures: 0,
      },
    },
    {
      name: 'holds when there is no other record',
      given: { spec: specOf({ baseValue: undefined }), set: setOf(7) },
      expected: {
        desired: weight(7),
        reason: 'ReferenceAmbiguous',
        because:
          'the set has 0 other records, and neither reference nor baseValue says which counts: the policy stays at 7',
      },
    },
    {
      name: 'holds when there are several and none is named',
      given: { spec: specOf({ baseValue: undefined }), set: setOf(7, 10, 20) },
      expected: { desired: weight(7), held: 'ReferenceAmbiguous' },
    },
    {
      name: 'holds when the reference has weight 0',
      given: { spec: specOf({ baseValue: undefined }), set: setOf(7, 0) },
      expected: {
        desired: weight(7),
        reason: 'ReferenceDrained',
        because: 'the reference record "onprem" has weight 0: the policy stays at 7',
      },
    },
    {
      name: 'never looks at the reference where baseValue is given',
      given: { set: setOf(7, 0, 0, 3) },
      expected: { desired: weight(16), reason: 'Tracking' },
    },
    {
      name: 'still honours a floor while it holds',
      given: { spec: specOf({ baseValue: undefined, minimum: 9 }), set: setOf(7, 0) },
      expected: { desired: weight(9), held: 'ReferenceDrained', reason: 'AtMinimum' },
    },
  ]);
});

function withReference(reference: string): RebalanceSpec {
  const base = specOf({ baseValue: undefined });
  return { ...base, target: { ...base.target, reference } };
}
