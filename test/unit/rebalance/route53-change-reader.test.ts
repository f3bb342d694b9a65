import assert from 'node:assert/strict';
import { Route53Client } from '@aws-sdk/client-route-53';
import { createChangeReader } from '../../../src/rebalance/targets/route53-change-reader.ts';
import type { Ticket, Turns } from '../../../src/rebalance/targets/route53-turns.ts';
import { callContext } from '../../support/call-context.ts';
import { target } from '../../support/route53-store.ts';
import { createVirtualTime } from '../../support/virtual-clock.ts';

describe('who asks how far a change has come', () => {
  it('leaves no place in line behind, however often it comes and gets no turn', async () => {
    const line = new Set<Ticket>();
    const turns: Turns = {
      take: (ticket) => {
        line.add(ticket);
        return () => void line.delete(ticket);
      },
      pause: () => undefined,
    };
    const time = createVirtualTime();
    const reader = createChangeReader({ turns, timer: time, listWindowMs: 5_000 });
    const client = new Route53Client({ region: 'us-east-1' });
    for (let count = 0; count < 3; count += 1) {
      const context = callContext({ deadline: time.deadline(8_000) });
      const answer = reader.read({ client, target: target(), context, changeId: 'C1' });
      assert.equal(line.size, 1);
      await time.run(10_000);
      const result = await answer;
      assert.equal(result.ok ? undefined : result.error.reason, 'RateBudget');
      assert.equal(line.size, 0);
    }
  });
});
