import assert from 'node:assert/strict';
import { createSentWeights } from '../../../src/rebalance/targets/sent-weights.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { specOf } from '../../support/rebalance.ts';

const { target: TARGET } = specOf();

describe('what was last sent', () => {
  it('is told for the same record, however its name is spelled, and for no other', () => {
    const sent = createSentWeights();
    sent.note(TARGET, [{ identifier: 'aws', weight: weight(1) }]);
    sent.note(TARGET, [{ identifier: 'aws', weight: weight(0) }]);
    const told = [{ identifier: 'aws', weight: 0 }];
    assert.deepEqual(sent.of(TARGET), told);
    assert.deepEqual(sent.of({ ...TARGET, name: 'EXAMPLE.com.' }), told);
    for (const other of [{ hostedZoneId: 'Z9' }, { type: 'AAAA' }, { name: 'www.example.com' }])
      assert.deepEqual(sent.of({ ...TARGET, ...other }), []);
  });

  it('is forgotten of the record that was sent longest ago, beyond the bound', () => {
    const sent = createSentWeights(2);
    const named = (identifier: string) => ({ ...TARGET, records: [{ identifier, share: 1 }] });
    for (const identifier of ['a', 'b', 'a', 'c'])
      sent.note(named(identifier), [{ identifier, weight: weight(1) }]);
    assert.deepEqual(
      ['a', 'b', 'c'].filter((identifier) => sent.of(named(identifier)).length > 0),
      ['a', 'c'],
    );
  });
});
